/// What a translation was made for: all source forms of a text unit and the types of their placeholders. The comment is
/// no part of it (architecture.md, decision 5), nor is any state.
package struct SourcePin: Hashable, Sendable, Codable {
  /// A text that is equal exactly when the pins are; callers digest it where they need something short.
  package let canonical: String

  package init(canonical: String) { self.canonical = canonical }

  /// Numbers that only count (`%1$@ of %2$lld`) make no difference: sync adds them to a source text (xcode-formats.md E4).
  package init(key: UnitKey, entry: CatalogEntry, sourceLanguage: LocaleIdentifier) {
    let translation = SourceForms(key: key, entry: entry, sourceLanguage: sourceLanguage).translation
    if case .text(let unit) = translation.text, translation.substitutions.isEmpty {
      let text = FormatString(unit.value).unnumbered
      canonical = " \(text.utf8.count):\(text)"
      return
    }
    var lines: [String] = []
    for (path, leaf) in translation.leaves {
      let texts: [String] =
        switch leaf.words {
        case .text(let text): [text]
        case .phrases(let phrases): phrases
        }
      // Lengths are told, so that no text can look like two.
      for text in texts.map({ FormatString($0).unnumbered }) { lines.append("\(path.text) \(text.utf8.count):\(text)") }
    }
    for (name, substitution) in translation.substitutions.sorted(by: { $0.key < $1.key }) {
      let specifier = substitution.formatSpecifier ?? "lld"
      let type = ArgumentType(specifier: specifier)?.rawValue ?? specifier
      lines.append("\(name) \(translation.argumentNumber(of: name)) \(type)")
    }
    canonical = lines.joined(separator: "\n")
  }

  package static func == (a: Self, b: Self) -> Bool { a.canonical.isExactly(b.canonical) }

  package func hash(into hasher: inout Hasher) { UnitKey(canonical).hash(into: &hasher) }

  package init(from decoder: any Decoder) throws {
    canonical = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(canonical)
  }
}
