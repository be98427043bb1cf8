/// The source text of a text unit in all its forms: what a translation is made from.
package struct SourceForms: Sendable {
  package let key: UnitKey
  /// The source language's own translation, or the key as a text that is new.
  package let translation: Translation

  package init(key: UnitKey, entry: CatalogEntry, sourceLanguage: LocaleIdentifier) {
    self.key = key
    translation = entry.translations[sourceLanguage] ?? Translation(key.text, state: .new)
  }

  /// The source text of a form, as it is exported (xcode-formats.md B2.6): the same form; else the fallback of the plural or
  /// of the devices; else the text itself. For a substitution that the source does not have it is the complete id of
  /// the unit, as Xcode writes it.
  /// - Parameter shape: the translation whose forms are exported, where it is not the source's: what it has no substitution for is not
  ///   numbered (`en %#@PIPE@` where the translation is plain text, as in Xcode 27).
  package func text(at path: VariationPath, shapedBy shape: Translation? = nil) -> ExchangeText {
    guard let leaf = leaf(at: path) else { return .text(ExchangeIdentifier.text(key: key, path: path)) }
    return translation.exchangeText(of: leaf, at: path, arguments: translation, shapedBy: shape)
  }

  /// The form of the source that stands for a form of a translation, as the catalog holds it; `nil` for a substitution
  /// that the source does not have.
  package func leaf(at path: VariationPath) -> VariedLeaf? {
    guard case .substitution(let name)? = path.steps.first else { return translation.text.nearest(to: path.steps[...]) }
    return translation.substitutions[name]?.forms.nearest(to: path.steps.dropFirst())
  }
}

extension VariedText {
  /// The form at the end of the steps, by `other` where a step has no form of its own, and passing over what does not
  /// vary.
  package func nearest(to steps: ArraySlice<VariationStep>) -> VariedLeaf? {
    switch self {
    case .text(let unit): return .text(unit)
    case .phrases(let set): return .phrases(set)
    case .plural(let forms):
      if case .plural(let category)? = steps.first, let form = forms[category] ?? forms[.other] {
        return form.nearest(to: steps.dropFirst())
      }
      let first = forms.min { PluralCategory.precedes($0.key, $1.key) }
      return (forms[.other] ?? first?.value)?.nearest(to: steps)
    case .device(let forms):
      if case .device(let device)? = steps.first, let form = forms[device] ?? forms[.other] {
        return form.nearest(to: steps.dropFirst())
      }
      return (forms[.other] ?? forms.min { $0.key < $1.key }?.value)?.nearest(to: steps)
    }
  }
}

extension Translation {
  /// The number of a substitution's argument: as it is told, else where the text names it (xcode-formats.md B2.7, inferred),
  /// else 1.
  package func argumentNumber(of name: String) -> Int {
    if let told = substitutions[name]?.argumentNumber { return told }
    for (_, leaf) in leaves {
      guard case .text(let text) = leaf.words else { continue }
      if let reference = FormatString(text).references.first(where: { $0.name.isExactly(name) }) {
        return reference.number
      }
    }
    return 1
  }

  /// A form as it is exchanged (xcode-formats.md B2.7): in a text with substitutions `%#@birds@` is numbered, and in the
  /// forms of one `%arg` is spelt out.
  /// - Parameters:
  ///   - arguments: the translation that knows the arguments of the substitutions.
  ///   - shape: the translation without whose substitutions nothing is numbered.
  func exchangeText(
    of leaf: VariedLeaf, at path: VariationPath, arguments: Translation, shapedBy shape: Translation? = nil
  ) -> ExchangeText {
    guard case .text(let text) = leaf.words, !arguments.substitutions.isEmpty else { return leaf.words }
    if case .substitution(let name)? = path.steps.first {
      let number = arguments.argumentNumber(of: name)
      let specifier = arguments.substitutions[name]?.formatSpecifier ?? "lld"
      return .text(
        FormatString(text).parts.map { $0 == .substitutionArgument ? "%\(number)$\(specifier)" : $0.text }.joined())
    }
    return .text(
      FormatString(text).parts.map { part in
        guard case .reference(let reference) = part, !reference.isNumbered,
          shape.map({ $0.substitutions[reference.name] != nil }) ?? true
        else { return part.text }
        let number = arguments.substitutions[reference.name]?.argumentNumber ?? reference.number
        return "%\(number)$#@\(reference.name)@"
      }.joined())
  }
}
