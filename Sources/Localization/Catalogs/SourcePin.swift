/// The source for which a translation was made: all source forms of a text unit, and the number and type of each substitution's argument. Comments
/// and states are not included (architecture.md, decision 5).
package struct SourcePin: Hashable, Sendable, Codable {
  /// The pin as a text. Two pins are equal if and only if their texts are equal. Callers that need a short value hash the text.
  package let canonical: String

  package init(canonical: String) { self.canonical = canonical }

  /// Computes the pin of a text unit. Sequential argument numbers (`%1$@ of %2$lld`) are ignored, because sync adds them to source texts
  /// (xcode-formats.md E4).
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
      // Each text is preceded by its length, so different lists of texts never give the same pin.
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
