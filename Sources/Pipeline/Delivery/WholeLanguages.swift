import Localization

/// With `when: complete`, a language is delivered as a whole: if one of its units is held, its other units wait.
///
/// A language does not wait for a removed translation, for a unit that should not be translated, or for a unit whose finished translation
/// in the repository was added after the unit was sent.
struct WholeLanguages {
  /// The languages that wait because some of their units are held.
  let incomplete: Set<LocaleIdentifier>
  private let held: [LocaleIdentifier: [ReturnedUnit]]
  private let first: BranchReview.Result
  private let units: [ReturnedUnit]

  /// Finds the held units for which languages wait.
  /// - Parameters:
  ///   - first: the review without the languages of `withheld`.
  ///   - withheld: the languages that wait for their vendors.
  init(
    of units: [ReturnedUnit], after first: BranchReview.Result, without withheld: Set<LocaleIdentifier>,
    in snapshot: Snapshot, _ renames: [TreePath: TreePath]
  ) {
    self.units = units
    self.first = first
    let outcomes = Dictionary(first.outcomes.map { ($0.returnedUnit, $0) }, uniquingKeysWith: { $1 })
    let held = units.filter { unit in
      guard let outcome = outcomes[unit.id] ?? unit.outcome, outcome.state == .held else { return false }
      guard !withheld.contains(unit.language), outcome.reason?.removal == nil else { return false }
      let name = renames.name(of: unit.unit, in: snapshot)
      guard let entry = snapshot.synced[name.catalog]?.entries[name.key] else { return true }
      guard entry.shouldTranslate else { return false }
      guard let current = entry.translations[unit.language], current.isFinished else { return true }
      // A finished translation that the catalog already had when the unit was sent is outdated, so the language waits for the new one.
      return current.digest == unit.export?.translation?.digest
    }
    self.held = Dictionary(grouping: held, by: \.language)
    incomplete = Set(self.held.keys)
  }

  /// Adds the held units to a review that left their languages out, and the older returns that these units replace. If a person then drops
  /// a held unit, no older return is delivered.
  func withHeld(_ second: BranchReview.Result) -> BranchReview.Result {
    let waiting = units.filter { incomplete.contains($0.language) }
    let leftOut = Dictionary(waiting.map { ($0.id, $0) }) { first, _ in first }
    func slot(_ outcome: BranchOutcome) -> UnitInLanguage? {
      leftOut[outcome.returnedUnit].map { UnitInLanguage(unit: $0.unit, language: $0.language) }
    }
    let held = Set(first.outcomes.filter { $0.state == .held }.compactMap(slot))
    var result = second
    result.outcomes += first.outcomes.filter { outcome in
      guard let slot = slot(outcome) else { return false }
      return outcome.state == .held || outcome.state == .passedOver && held.contains(slot)
    }
    return result
  }

  /// Returns a warning for each language that waits, with the numbers of waiting translations and of held units. Languages without waiting
  /// translations are left out.
  func waiting(in pipeline: String) -> [Diagnostic] {
    let ready = Dictionary(grouping: first.taken, by: \.language)
    return incomplete.sorted().compactMap { language in
      guard let ready = ready[language]?.count, let held = held[language]?.count else { return nil }
      return Diagnostic(
        path: pipeline, severity: .warning,
        message: (ready == 1 ? "1 translation into \(language) waits" : "\(ready) translations into \(language) wait")
          + ", because deliver.when is complete and " + (held == 1 ? "1 unit is held" : "\(held) units are held"),
        hint: "take or drop what `dragoman held` lists, or translate it in the repository")
    }
  }
}
