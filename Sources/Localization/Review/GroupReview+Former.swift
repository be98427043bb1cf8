/// The replacement of a former translation in a round. All forms of a text unit depend on each other, so the translation is replaced as a
/// whole.
extension GroupReview {
  /// Returns whether the returned forms replace a former translation instead of being added to it. In a round, this is the case if all finished forms
  /// are forms of the source text, and if the translation lacks one of these forms, or has other texts and its forms do not fit the source text
  /// (`SourceShape`).
  func isReplaced(_ former: Translation, by units: [ExchangeUnit]) -> Bool {
    guard policy == .unattended, language != sourceLanguage, !(source.translation.isOneText && former.isOneText) else {
      return false
    }
    let shape = SourceShape(source, from: sourceLanguage, for: language)
    let came = units.filter { $0.target.map(isFinished) ?? false }
    let places = Set(came.map(\.path.anyCategory))
    let (asked, own) = (shape.places(of: nil), shape.places(of: former))
    guard !came.isEmpty, places.isSubset(of: asked) else { return false }
    guard places.isSubset(of: own) else { return true }
    let isSame = came.allSatisfy { unit in
      guard let leaf = former[unit.path], let target = unit.target else { return false }
      return says(leaf, target.text, at: unit.path)
    }
    // Whether all forms of the source text arrived, but not all forms of the translation. Forms that only the translation has were not requested.
    let isWhole = places == asked && !own.isSubset(of: places)
    return !isSame && (isWhole || !shape.isKept(by: former))
  }

  private func isFinished(_ target: ExchangeTarget) -> Bool {
    target.finishedState != nil || overrules(.unfinishedState(target.state ?? ""))
  }

  /// Returns the reason for holding the unit if the replaced translation was changed in the repository since the export; otherwise `nil`.
  func changeOfReplaced(_ replaced: Translation, since record: ExportRecord) -> HoldReason? {
    if let then = record.translation, then.saysSame(as: replaced) { return nil }
    let isChanged = replaced.leaves.contains { path, leaf in !leaf.words.isEmpty && !isFiller(leaf, at: path) }
    return isChanged ? .changedInRepository(replaced.summary) : nil
  }

  /// Returns the reason for holding all forms because one form is held; `nil` if the other forms can be delivered. In a round, all forms are
  /// delivered together, with two exceptions. If a form has no translation yet, the other forms are held only if they would be mixed with the former
  /// text of this form. If a form was changed in the repository since the export, the repository's form is kept and the other forms are delivered.
  /// - Parameter filled: the forms that were filled in, so they need not be returned.
  func reasonAgainstAll(_ units: [ExchangeUnit], filled: [VariationPath]) -> HoldReason? {
    guard policy == .unattended, !candidates.isEmpty else { return nil }
    var seen: [VariationPath: ExchangeTarget] = [:]
    for (unit, verdict) in zip(units, verdicts) {
      // Equal duplicates count as one form.
      if let target = unit.target, seen.updateValue(target, forKey: unit.path) == target { continue }
      guard case .held(let reason) = verdict, !filled.contains(unit.path) else { continue }
      if case .changedInRepository = reason { continue }
      if reason.isOutstanding, !hasFormerWords(at: unit.path) { continue }
      return reason
    }
    return nil
  }

  private func hasFormerWords(at path: VariationPath) -> Bool {
    guard replaced == nil, let old = present?[path] else { return replaced != nil }
    return !old.words.isEmpty && !isFiller(old, at: path)
  }

  /// Returns the forms of the source text that the returned translation lacks, if it replaces a former translation.
  func missingForms(in translation: Translation) -> [VariationPath] {
    guard replaced != nil else { return [] }
    let own = Set(translation.leaves.map(\.path.anyCategory))
    let shape = SourceShape(source, from: sourceLanguage, for: language)
    return shape.places(of: nil).subtracting(own).sorted()
  }
}
