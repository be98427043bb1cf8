import Localization

/// Reviews returned units against the catalogs of the commit on which the next commit will be based.
struct BranchReview {
  let snapshot: Snapshot
  /// The other watched branches. Units that exist only on those branches are not reviewed for this branch.
  let others: [WatchedHead]
  /// The languages that are not delivered yet (`when: complete`). Their units are not reviewed.
  let withheld: Set<LocaleIdentifier>
  let policy: ReturnPolicy
  var renames: [TreePath: TreePath] = [:]
  /// The codes of the hold reasons that people overruled, by returned unit.
  var overruled: [ReturnedUnitID: Set<String>] = [:]
  /// The returns that people removed or marked as needing review on this branch, or replaced on another branch.
  var removed: [RemovedReturn] = []
  /// The returns for a source text that this branch does not have, if they need no decision on this branch (`ForeignReturns`).
  var foreign: Set<ReturnedUnitID> = []
  /// The returns that the format of their catalog cannot write, with the reasons.
  var unwritable: [ReturnedUnitID: String] = [:]
  /// The earlier returns, on any branch, for units whose translation in the catalog changed after they were sent.
  var earlier = EarlierReturns()

  struct Result {
    /// The changed catalogs, based on the synced catalogs.
    var catalogs: [TreePath: Catalog] = [:]
    /// The returned units that change a catalog, with their names in this commit.
    var taken: [ReturnedUnit] = []
    var outcomes: [BranchOutcome] = []
  }

  func review(_ returnedUnits: [ReturnedUnit]) -> Result {
    var candidates: [UnitInLanguage: [ReturnedUnit]] = [:]
    var overtaken: [BranchOutcome] = []
    // The project may spell a language differently than when the unit was sent.
    let spellings = LanguageMatch([Set(snapshot.languages)])
    for var returnedUnit in returnedUnits.sorted(by: { $0.id < $1.id }) where concerns(returnedUnit) {
      returnedUnit.language = spellings.find(returnedUnit.language) ?? returnedUnit.language
      let catalog = returnedUnit.unit.catalog
      returnedUnit.unit = renames.name(of: returnedUnit.unit, in: snapshot)
      guard !isForeign(returnedUnit), !isOvertaken(returnedUnit, catalog) else {
        overtaken.append(passedOver(returnedUnit))
        continue
      }
      let slot = UnitInLanguage(unit: returnedUnit.unit, language: returnedUnit.language)
      let worse = candidates[slot, default: []].firstIndex { isBetter(returnedUnit, than: $0) }
      candidates[slot, default: []].insert(returnedUnit, at: worse ?? candidates[slot, default: []].count)
    }
    let best = candidates.compactMapValues(\.first)
    var result = review(best)
    let (chosen, held) = choose(candidates, after: result.outcomes)
    let used = chosen.compactMapValues(\.first)
    if used.contains(where: { best[$0]?.id != $1.id }) { result = review(used) }
    let known = Set(result.outcomes.map(\.returnedUnit))
    result.outcomes += held.filter { !known.contains($0.returnedUnit) }
    for (slot, units) in candidates {
      let kept = Set((chosen[slot] ?? []).map(\.id))
      for loser in units where !kept.contains(loser.id) { result.outcomes.append(passedOver(loser)) }
    }
    result.outcomes += overtaken
    result.outcomes.sort { $0.returnedUnit < $1.returnedUnit }
    return result
  }

  /// Chooses the return to use for each text unit and language. A held unit replaces nothing, so the next best return is used: an already
  /// delivered return, or another text for the same source. If a person removed the text of the held unit, no older text is used instead.
  /// - Parameters:
  ///   - candidates: the returns for each text unit and language, starting with the best.
  ///   - first: the outcomes of the best returns.
  /// - Returns: for each text unit and language, the return to use (the best return if all are held), followed by the held returns; and the
  ///   outcomes of the held returns.
  private func choose(
    _ candidates: [UnitInLanguage: [ReturnedUnit]], after first: [BranchOutcome]
  ) -> (chosen: [UnitInLanguage: [ReturnedUnit]], held: [BranchOutcome]) {
    var chosen: [UnitInLanguage: [ReturnedUnit]] = [:]
    var held: [BranchOutcome] = []
    var waiting = candidates.mapValues { $0[...] }
    var outcomes = first
    while !waiting.isEmpty {
      let known = Dictionary(outcomes.map { ($0.returnedUnit, $0) }, uniquingKeysWith: { first, _ in first })
      for (slot, units) in waiting {
        guard let unit = units.first else { continue }
        // A unit without an outcome was skipped, because it is already held against this commit.
        guard known[unit.id]?.state ?? .held == .held else {
          chosen[slot, default: []].insert(unit, at: 0)
          waiting[slot] = nil
          continue
        }
        if let outcome = known[unit.id] { held.append(outcome) }
        chosen[slot, default: []].append(unit)
        let isRemoved = (known[unit.id] ?? unit.outcome)?.reason?.removal != nil
        let newer = units.dropFirst().filter { !isRemoved || $0.id > unit.id || $0.pin != unit.pin }
        let others = newer[...].drop { other in
          other.outcome?.state != .delivered
            && (other.pin != unit.pin || chosen[slot]?.contains { $0.units == other.units } == true)
        }
        waiting[slot] = others.isEmpty ? nil : others
      }
      outcomes = waiting.isEmpty ? [] : review(waiting.compactMapValues(\.first)).outcomes
    }
    return (chosen, held)
  }

  /// Returns the outcome of a return that is not used. It keeps the reason of an earlier hold; an unfinished return has the reason `noTarget`.
  private func passedOver(_ unit: ReturnedUnit) -> BranchOutcome {
    BranchOutcome(
      returnedUnit: unit.id, state: .passedOver, reviewed: snapshot.commit.id,
      reason: unit.isUnfinished ? .noTarget : unit.outcome?.formerReason)
  }

  /// Returns whether a unit needs no decision on this branch (`foreign`), and no person has decided to use it here.
  private func isForeign(_ unit: ReturnedUnit) -> Bool { foreign.contains(unit.id) && overruled[unit.id] == nil }

  /// Returns whether the catalog has another return for the same source text, and keeps that return.
  /// - Parameter catalog: the catalog's newest name.
  private func isOvertaken(_ unit: ReturnedUnit, _ catalog: TreePath) -> Bool {
    // A person decided to use this unit.
    guard overruled[unit.id] == nil else { return false }
    guard let standing = unit.standingReturn, let vendor = unit.standingVendor, let pin = unit.pin,
      let current = snapshot.synced[unit.unit.catalog]?.entries[unit.unit.key]?.translations[unit.language],
      current.digest == unit.standing
    else { return false }
    // The return that the catalog has is without a pin if its source text was never sent. In that case, it counts as a translation of the
    // entry's source text if it is finished.
    let isSameSource = unit.standingPin.map { $0 == pin } ?? (fits(unit) && current.isFinished)
    return isSameSource
      && policy.routes.route(for: unit.language, of: catalog).keeps(
        vendor, isFinished: current.isFinished, isNewer: standing > unit.id, against: unit.vendor)
  }

  /// Reviews one returned unit for each text unit and language.
  private func review(_ candidates: [UnitInLanguage: ReturnedUnit]) -> Result {
    var result = Result()
    let base = snapshot.commit.id
    // Units that were already held against this commit are skipped, unless the reason depends on the pipeline definition.
    var chosen = candidates.filter { _, unit in
      guard let outcome = unit.outcome, outcome.state == .held, outcome.reviewed == base else { return true }
      return outcome.reason?.dependsOnDefinition ?? false
    }
    let refused = refusals(chosen.values)
    for (id, reason) in refused.sorted(by: { $0.key < $1.key }) {
      result.outcomes.append(BranchOutcome(returnedUnit: id, state: .held, reviewed: base, reason: reason))
    }
    chosen = withoutFormerNames(chosen.filter { refused[$1.id] == nil })
    let incoming = chosen.values.sorted { $0.id < $1.id }
    guard !incoming.isEmpty else { return result }
    let reviewed = review(files(incoming), exports: chosen.mapValues(export), choices: choices(for: incoming))
    var outcomes: [UnitInLanguage: [UnitOutcome]] = [:]
    for outcome in reviewed.outcomes {
      outcomes[UnitInLanguage(unit: outcome.unit, language: outcome.language), default: []].append(outcome)
    }
    result.catalogs = reviewed.catalogs
    for returnedUnit in incoming {
      let own = outcomes[UnitInLanguage(unit: returnedUnit.unit, language: returnedUnit.language)] ?? []
      let reasons = own.compactMap(\.holdReason)
      if own.contains(where: { $0.verdict == .taken }) { result.taken.append(returnedUnit) }
      let translation = (reviewed.catalogs[returnedUnit.unit.catalog] ?? snapshot.synced[returnedUnit.unit.catalog])?
        .entries[returnedUnit.unit.key]?.translations[returnedUnit.language]?.digest
      let state: BranchOutcome.State =
        if isGone(returnedUnit, reasons) { .passedOver } else if !reasons.isEmpty || own.isEmpty {
          .held
        } else if own.contains(where: { $0.verdict == .taken }) {
          .delivered
        } else { .settled }
      result.outcomes.append(
        BranchOutcome(
          returnedUnit: returnedUnit.id, state: state, reviewed: base,
          // For a passed-over unit, the reason records whether the unit is unfinished. An unfinished unit cannot be used if the string is
          // added again.
          reason: state == .passedOver && returnedUnit.isUnfinished
            ? .noTarget
            : reasons.first { !$0.isOutstanding } ?? reasons.first ?? (own.isEmpty ? .unknownCatalog : nil),
          translation: translation))
    }
    return result
  }

  /// Leaves out units of removed catalogs if the same key was returned for an existing catalog: the string may have moved there, and the
  /// ledger may not have the move yet. Otherwise, the review would find the key twice. Such a unit is reviewed in a later merge, when the
  /// other unit has its outcome.
  private func withoutFormerNames(_ units: [UnitInLanguage: ReturnedUnit]) -> [UnitInLanguage: ReturnedUnit] {
    func isThere(_ slot: UnitInLanguage) -> Bool { snapshot.synced[slot.unit.catalog] != nil }
    func key(_ slot: UnitInLanguage) -> UnitInLanguage {
      UnitInLanguage(unit: UnitID(catalog: .root, key: slot.unit.key), language: slot.language)
    }
    guard units.keys.contains(where: { !isThere($0) }) else { return units }
    let standing = Set(units.keys.filter(isThere).map(key))
    return units.filter { isThere($0.key) || !standing.contains(key($0.key)) }
  }

  private func choices(for units: [ReturnedUnit]) -> ImportChoices {
    guard !overruled.isEmpty else { return ImportChoices() }
    return ImportChoices(
      take: units.flatMap { unit in
        (overruled[unit.id] ?? []).sorted().map { .unit(unit.unit, unit.language, reason: $0) }
      })
  }

  private func review(
    _ files: [ExchangeFile], exports: [UnitInLanguage: ExportRecord?], choices: ImportChoices
  ) -> ReviewedImport {
    let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { unit, language in
      exports[UnitInLanguage(unit: unit, language: language)] ?? nil
    }
    return ImportReview(
      catalogs: snapshot.synced, unreadable: snapshot.broken, languages: Set(snapshot.languages),
      choices: choices, excluded: snapshot.outsidePaths, exported: exported
    ).review(files)
  }

  /// Returns the record of the catalog's translation when the unit was sent. If the current translation is empty, or is an earlier return
  /// of ours that may be replaced, the record contains the current translation instead. Therefore only a person's text counts as a change.
  private func export(_ returnedUnit: ReturnedUnit) -> ExportRecord? {
    guard var export = returnedUnit.export,
      let current = snapshot.synced[returnedUnit.unit.catalog]?.entries[returnedUnit.unit.key]?
        .translations[returnedUnit.language],
      current.hasNoText || earlier.mayReplace(current, by: returnedUnit, policy.routes, renames)
    else { return returnedUnit.export }
    export.translation = current
    return export
  }

  private func files(_ returnedUnits: [ReturnedUnit]) -> [ExchangeFile] {
    let grouped = Dictionary(grouping: returnedUnits) {
      UnitInLanguage(unit: UnitID(catalog: $0.unit.catalog, key: ""), language: $0.language)
    }
    return grouped.sorted { ($0.key.unit, $0.key.language) < ($1.key.unit, $1.key.language) }.map {
      slot, returnedUnits in
      ExchangeFile(
        original: slot.unit.catalog.text, sourceLanguage: snapshot.project.sourceLanguage,
        targetLanguage: slot.language, units: returnedUnits.flatMap(\.units))
    }
  }

  /// Returns whether the unit must be reviewed on this branch now.
  private func concerns(_ returnedUnit: ReturnedUnit) -> Bool {
    let catalog = renames.name(of: returnedUnit.unit, in: snapshot).catalog
    guard !withheld.contains(returnedUnit.language), !snapshot.isUncertain(catalog, in: returnedUnit.language) else {
      return false
    }
    let standsElsewhere = others.contains { head in
      guard let other = head.snapshot,
        let pin = other.synced[renames.name(of: returnedUnit.unit, in: other).catalog]?.pin(of: returnedUnit.unit.key)
      else { return false }
      return returnedUnit.pin == nil || returnedUnit.pin == pin
    }
    guard let pin = snapshot.synced[catalog]?.pin(of: returnedUnit.unit.key) else { return !standsElsewhere }
    return returnedUnit.pin == nil || returnedUnit.pin == pin || !standsElsewhere
  }

  /// Returns whether a string was removed after it was sent. Its translation is needed only if the string is added again. No other branch
  /// has the string: otherwise, the unit would be reviewed on that branch.
  private func isGone(_ returnedUnit: ReturnedUnit, _ reasons: [HoldReason]) -> Bool {
    returnedUnit.export != nil && !reasons.isEmpty
      && reasons.allSatisfy(\.saysStringIsGone)
  }

  /// Returns whether the newer of two returns is better. A return that a person chose is better than a held return that nobody chose.
  /// Otherwise, the first difference decides: whether the return matches the current source text, whether it is finished, and whether its
  /// vendor is preferred. Without a difference, the newer return is better.
  /// - Parameter unit: the newer of the two.
  private func isBetter(_ unit: ReturnedUnit, than rival: ReturnedUnit) -> Bool {
    guard overruled[unit.id] != nil || overruled[rival.id] == nil || unit.outcome?.state != .held else { return false }
    guard overruled[rival.id] != nil || overruled[unit.id] == nil || rival.outcome?.state != .held else { return true }
    guard fits(unit) == fits(rival) else { return fits(unit) }
    guard unit.isUnfinished == rival.isUnfinished else { return rival.isUnfinished }
    if unit.vendor == rival.vendor { return true }
    let catalog = renames.newest(of: unit.unit.catalog)
    return policy.routes.route(for: unit.language, of: catalog)?.prefers(unit.vendor, to: rival.vendor) ?? true
  }

  private func fits(_ returnedUnit: ReturnedUnit) -> Bool {
    guard let pin = snapshot.synced[returnedUnit.unit.catalog]?.pin(of: returnedUnit.unit.key) else { return false }
    return returnedUnit.pin == pin
  }
}

extension BranchOutcome {
  /// The reason why a return is held; `nil` if it is not held, or if the reason would have another meaning for a passed-over return.
  fileprivate var formerReason: HoldReason? {
    guard state == .held, let reason, !reason.answersNothing, !reason.saysStringIsGone, reason.removal == nil else {
      return nil
    }
    return reason
  }

  /// The outcome of a held return that a person replaces with another text.
  package var replaced: BranchOutcome {
    BranchOutcome(returnedUnit: returnedUnit, state: .passedOver, reviewed: reviewed, reason: formerReason)
  }
}

extension ReturnedUnit {
  /// Returns whether the catalog's text is the other return that this branch has (`standing`).
  func isStanding(_ current: Translation) -> Bool {
    standing.map(current.deliveredDigests.union(current.recordedDigests(in: unit.catalog)).contains) ?? false
  }

  /// Whether any of the unit's targets is not finished.
  fileprivate var isUnfinished: Bool { units.contains { $0.target?.finishedState == nil } }
}
