/// The source text of a text unit in all its forms, from which a translation is made.
package struct SourceForms: Sendable {
  package let key: UnitKey
  /// The source language's translation, or the key as a new text.
  package let translation: Translation

  package init(key: UnitKey, entry: CatalogEntry, sourceLanguage: LocaleIdentifier) {
    self.key = key
    translation = entry.translations[sourceLanguage] ?? Translation(key.text, state: .new)
  }

  /// Returns the source text that is exported with a form of a translation (xcode-formats.md B2.6): the source's form at the same path, or else
  /// its fallback for plurals or devices, or else its text without variations. For a substitution that the source lacks, returns the complete id of
  /// the exchange unit, as in Xcode.
  /// - Parameter shape: the translation whose forms are exported, if not the source's. Substitutions that this translation lacks are not
  ///   numbered (`en %#@PIPE@` if the translation is plain text, as in Xcode 27).
  package func text(at path: VariationPath, shapedBy shape: Translation? = nil) -> ExchangeText {
    guard let leaf = leaf(at: path) else { return .text(ExchangeIdentifier.text(key: key, path: path)) }
    return translation.exchangeText(of: leaf, at: path, arguments: translation, shapedBy: shape)
  }

  /// Returns the source's form for a form of a translation, as the catalog contains it; `nil` for a substitution that the source lacks.
  package func leaf(at path: VariationPath) -> VariedLeaf? { translation.nearest(to: path) }
}

extension VariedText {
  /// Returns the form at the end of the steps. A step without its own form uses `other`, or else the first form. Steps below a text without
  /// variations are ignored. Returns `nil` if a variation has no forms.
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
  /// Returns the form at a path, or else the form that is nearest to it, as for `VariedText`; `nil` for a substitution that the translation lacks.
  func nearest(to path: VariationPath) -> VariedLeaf? {
    guard case .substitution(let name)? = path.steps.first else { return text.nearest(to: path.steps[...]) }
    return substitutions[name]?.forms.nearest(to: path.steps.dropFirst())
  }

  /// Returns the number of a substitution's argument: the declared number, or else the number in the first reference to the substitution
  /// (xcode-formats.md B2.7, inferred), or else 1.
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

  /// Returns a form as it is exchanged (xcode-formats.md B2.7): `%#@birds@` is numbered, and `%arg` in the forms of a substitution is
  /// expanded.
  /// - Parameters:
  ///   - arguments: the translation that declares the arguments of the substitutions.
  ///   - shape: the translation whose substitutions are numbered; `nil` to number all.
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
