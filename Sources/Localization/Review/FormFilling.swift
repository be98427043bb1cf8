/// Completes a partly returned translation as Xcode does (xcode-formats.md D, "partly translated plural"). Missing forms get the source text and the
/// state `new`. If the existing translation does not vary, missing plural forms get its text instead. Unlike Xcode, no form gets a text whose
/// substitutions it cannot show (decision 14).
struct FormFilling {
  let source: SourceForms
  let present: Translation?
  let language: LocaleIdentifier
  let sourceLanguage: LocaleIdentifier

  /// Returns the complete translation, and the sorted paths of the added forms.
  /// - Parameter paths: the paths of the returned forms.
  func complete(
    _ translation: Translation, taking paths: [VariationPath]
  ) -> (translation: Translation, filled: [VariationPath]) {
    var whole = translation
    lazy var draft = self.draft
    var filled: [VariationPath] = []
    if present == nil, paths.allSatisfy(\.isInSubstitution) {
      whole.text = draft.text
      filled += draft.leaves.map(\.path).filter { !$0.isInSubstitution }
    }
    if present == nil, case .device(let own) = whole.text, own[.other] == nil, case .device(let all) = draft.text {
      for (device, text) in all where own[device] == nil {
        for (path, leaf) in Translation(text: .device([device: text])).leaves where whole.set(leaf, at: path) {
          filled.append(path)
        }
      }
    }
    // A reference in a plural form cannot be resolved. With the substitution, Xcode would no longer compile the catalog.
    let usable = source.translation.substitutions.isEmpty ? [] : whole.leaves.filter(\.path.mayReferenceSubstitutions)
    for name in usable.flatMap(\.leaf.references) where whole.substitutions[name] == nil {
      guard let own = draft.substitutions[name] else { continue }
      whole.substitutions[name] = own
      filled += draft.leaves.map(\.path).filter { $0.steps.first == .substitution(name) }
    }
    let known = whole
    let needed = ExportShape.paths(of: whole, source: source.translation, from: sourceLanguage, for: [language])
    for path in needed where whole[path] == nil {
      guard let leaf = filling(at: path, of: known), whole.set(leaf, at: path) else { continue }
      filled.append(path)
    }
    return (whole, filled.sorted())
  }

  /// Returns the text of a new translation if only forms of substitutions arrived and the source text consists of references to them (`%#@birds@`).
  /// Such a text needs no translation, and tools omit it. `nil` in all other cases.
  func wordlessRoot(for paths: [VariationPath]) -> VariedText? {
    guard present == nil, paths.allSatisfy(\.isInSubstitution), case .text(let unit) = source.translation.text else {
      return nil
    }
    let isWordless = FormatString(unit.value).parts.allSatisfy { part in
      if case .reference = part { true } else { part.text.allSatisfy(\.isWhitespace) }
    }
    return isWordless ? source.translation.text : nil
  }

  /// Returns the text for a missing plural form: the existing text if it does not vary, or else the source text. If the form cannot show the
  /// substitutions of this text, returns the translation's own text for other numbers, because the catalog would not compile, or users would see the
  /// reference (`%#@birds@`). Returns `nil` if there is no such text.
  private func filling(at path: VariationPath, of whole: Translation) -> VariedLeaf? {
    if let present, var old = present[.root], present.substitutions.isEmpty, !path.isInSubstitution,
      whole.canShow(old, at: path)
    {
      if path.steps != [.plural(.other)], old.state == .translated { old.state = .needsReview }
      return old
    }
    guard let leaf = source.leaf(at: path) else { return nil }
    if whole.canShow(leaf, at: path) { return VariedLeaf(leaf.words, state: .new) }
    guard var own = whole.nearest(to: path), whole.canShow(own, at: path) else { return nil }
    if own.state != .new { own.state = .needsReview }
    return own
  }

  /// The draft of a new translation: the source text in the forms that the language needs.
  private var draft: Translation {
    var draft = source.translation.mapLeaves { VariedLeaf($1.words, state: .new) }
    let wanted = Set(ExportShape.paths(of: nil, source: source.translation, from: sourceLanguage, for: [language]))
    for path in draft.leaves.map(\.path) where !wanted.contains(path) { draft.remove(at: path) }
    for path in wanted where draft[path] == nil {
      if let leaf = source.leaf(at: path) { draft.set(VariedLeaf(leaf.words, state: .new), at: path) }
    }
    return draft
  }
}
