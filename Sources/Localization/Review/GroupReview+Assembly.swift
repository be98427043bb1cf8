extension GroupReview {
  /// Combines the candidates into a translation. A form is held if it does not fit, if it needs a missing form that cannot be filled in, or if Xcode
  /// could not compile it. The remaining forms are then combined again. All forms are held if the translation would have too many.
  /// - Parameter units: all returned units of the text unit.
  /// - Returns: the translation, or `nil` if all forms are held; and the paths of the forms that were filled in.
  mutating func assembled(_ units: [ExchangeUnit]) -> (Translation?, filled: [VariationPath]) {
    if let whole = plainText { return (whole, []) }
    guard candidates.count + (present?.leaves.count ?? 0) <= CatalogLimits.forms else {
      for candidate in candidates { verdicts[candidate.index] = .held(.formDoesNotFit) }
      candidates = []
      return (nil, [])
    }
    while !candidates.isEmpty {
      let paths = candidates.map(\.path)
      let (translation, misfits) = FormAssembly(source: source, present: present).assemble(
        candidates.map { ($0.path, $0.leaf) })
      var reasons: [Int: HoldReason] = [:]
      for misfit in misfits { reasons[misfit] = .formDoesNotFit }
      if let translation, misfits.isEmpty {
        let completeness = FormCompleteness(source: source, present: present, language: language)
        var (whole, filled) = (translation, [VariationPath]())
        let filling = FormFilling(
          source: source, present: present, language: language, sourceLanguage: sourceLanguage)
        if policy == .asXcode, hasStates {
          (whole, filled) = filling.complete(translation, taking: paths)
          reasons = completeness.unnamed(in: whole, taking: paths)
        } else {
          if !hasStates, !holdsText(of: units), let root = filling.wordlessRoot(for: paths) {
            whole.text = root
            filled = [.root]
          }
          reasons = completeness.faults(of: whole, taking: paths + filled)
          reasons = reasons.filter { paths.indices.contains($0.key) }
        }
        if reasons.isEmpty { reasons = unnumbered(in: whole, taking: paths) }
        if reasons.isEmpty { return (whole, filled) }
      }
      for (position, reason) in reasons { verdicts[candidates[position].index] = .held(reason) }
      candidates = candidates.enumerated().filter { reasons[$0.offset] == nil }.map(\.element)
    }
    return (nil, [])
  }

  /// Returns whether the text that references substitutions arrived and is held. Tools may omit a text that consists only of references, or
  /// leave it empty.
  private func holdsText(of units: [ExchangeUnit]) -> Bool {
    zip(units, verdicts).contains { unit, verdict in
      guard unit.path.isRoot, let target = unit.target, !target.text.showsNothing, case .held = verdict else {
        return false
      }
      return true
    }
  }

  /// Returns the reasons for holding plural forms of a text that shows no number, by the forms' indices. Xcode does not compile a catalog with such
  /// forms. These forms are allowed if the source text has plural forms, or if the catalog's translation already has such forms without a number,
  /// because such a catalog does not compile anyway.
  private func unnumbered(in translation: Translation, taking paths: [VariationPath]) -> [Int: HoldReason] {
    guard hasStates, source.translation.text.pluralNodes.isEmpty, translation.lacksNumber(of: source),
      present?.lacksNumber(of: source) != true
    else {
      return [:]
    }
    var reasons: [Int: HoldReason] = [:]
    for (position, path) in paths.enumerated() where !path.isInSubstitution && path.category != nil {
      reasons[position] = .pluralWithoutNumber
    }
    return reasons
  }

  /// The translation of a text that does not vary in the source, the catalog or the returned file; `nil` for other texts. This is the most
  /// common case, in which no form can be missing and no forms have to be combined.
  private var plainText: Translation? {
    guard candidates.count == 1, candidates[0].path.isRoot, case .text(let unit) = candidates[0].leaf,
      case .text = source.translation.text, source.translation.substitutions.isEmpty
    else { return nil }
    if let present {
      guard case .text = present.text, present.substitutions.isEmpty else { return nil }
    }
    return Translation(text: .text(unit))
  }
}
