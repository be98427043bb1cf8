import FoundationEssentials
import Localization

/// Compares the units on the watched branches with the units that were sent. Plans the next rounds, closes units that are no longer needed,
/// reopens returns that branches lack, and records outdated and removed translations.
enum DiffStage {
  static func run(_ job: Job, _ context: PipelineContext) async throws -> StageOutcome {
    let heads = try await WatchedHeads.load(context)
    let routes = context.routes
    var ledger = try await context.store.sentLedger(of: context.name, includingReturned: routes.anyWantsAll)
    try requireStrings(on: heads, for: ledger, context)
    var known = try await context.store.renames(of: context.name)
    let search = RenameSearch(heads: heads.map(\.snapshot), mirror: context.mirror, known: known) { head in
      let run = heads[head].run
      return try await context.store.lastCompared(of: context.name, branch: run.branch, except: run.commit)
    }
    let renames = try await search.renames(in: ledger)
    if !renames.isEmpty {
      try await context.store.record(renames.map { .rename($0.old, to: $0.new) }, under: job)
      ledger = try await context.store.sentLedger(of: context.name, includingReturned: routes.anyWantsAll)
      known = try await context.store.renames(of: context.name)
    }
    ledger.units.removeAll { $0.state == .returned && !routes.wantsAll($0.vendor) }
    let comparisons = try await HeadComparison.compare(heads, renames: known, context)
    let outdated = try await outdated(heads, comparisons, ledger, renames: known, context)
    let surpassed = try await SurpassedReturns(heads: heads, ledger: ledger, renames: known, context: context)
      .found(in: comparisons)
    var plannable: [RoundPlanner.Head] = []
    for (number, head) in heads.enumerated() {
      let lacking = outdated.languages(on: number).merging(surpassed[number] ?? [:]) { $0.union($1) }
      plannable.append(try await head.plannable(context, renames: known, lacking: lacking))
    }
    let failing = FailingVendors(
      try await context.store.jobs(of: context.name), now: try await context.store.now())
    let absent = failing.absent(among: context.vendors.map { ($0.name, $0.definition) })
    let choice = VendorChoice(absent: absent, ledger: ledger)
    let unrouted: Set<String> = context.memory == nil ? [] : [MemoryVendor.reservedName]
    let planner = RoundPlanner(heads: plannable, routes: routes, choice: choice, unrouted: unrouted)
    let (plan, answered, unsent) = try await Self.plan(
      planner, over: heads, against: ledger, choice, outdated, context)
    let removed = try await removed(among: answered.dropped, heads, known, context)
    let reopened = answered.dropped.filter { removed[$0] == nil }
    let candidates = try await MemoryAssignment(heads: heads, choice: choice, context: context).assign(unsent)
    let origins = try await UnitOrigins.find(candidates, heads: heads, context)
    let rounds = RoundBuilder(heads: heads, origins: origins).rounds(of: candidates, created: job.armed)

    var changes: [LedgerChange] = []
    if !outdated.new.isEmpty || !outdated.gone.isEmpty { changes.append(.outdated(outdated.new, gone: outdated.gone)) }
    if !plan.superseded.isEmpty { changes.append(.close(plan.superseded, as: .superseded)) }
    if !plan.withdrawn.isEmpty { changes.append(.close(plan.withdrawn, as: .withdrawn)) }
    changes += rounds.map(LedgerChange.plan)
    changes += Dictionary(grouping: reopened, by: \.branch).sorted { $0.key < $1.key }
      .map { .reopen($0.value.map(\.id), branch: $0.key) }
    changes += Dictionary(grouping: removed, by: \.key.branch).sorted { $0.key < $1.key }
      .map { .outcomes($0.value.map(\.value).sorted { $0.returnedUnit < $1.returnedUnit }, branch: $0.key) }
    changes.append(.compared(heads.filter { $0.snapshot != nil }.map(\.run.id)))
    let shipments = rounds.flatMap(\.shipments)
    let filled = shipments.filter { $0.vendor == MemoryVendor.reservedName }.reduce(0) { $0 + $1.sentUnits.count }
    let count = shipments.reduce(0) { $0 + $1.sentUnits.count } - filled
    var lasting = lackOfLanguages(heads, context) + leftOut(heads, known, context) + replaced(absent, failing, context)
    if count > 0 { lasting += try await protectedBranches(heads, context) }
    return StageOutcome(
      changes: changes,
      detail: "\(count) to send, \(plan.superseded.count) superseded, \(plan.withdrawn.count) withdrawn"
        + (reopened.isEmpty ? "" : ", \(reopened.count) reused")
        + (removed.isEmpty ? "" : ", \(removed.count) held because somebody removed them or wants a review")
        + (filled > 0 ? ", \(filled) from the translation memory" : ""),
      diagnostics: try await freezeFindings(heads, candidates, context)
        + removedVendors(plan.withdrawn, ledger, context)
        + removedCatalogs(plan.withdrawn, ledger, heads, known, context) + lasting, lasting: lasting,
      hasEffect: !shipments.isEmpty || !plan.superseded.isEmpty || !plan.withdrawn.isEmpty || !reopened.isEmpty
        || !removed.isEmpty)
  }

  private struct Outdated {
    /// The outdated translations on each head, by unit.
    var standing: [[UnitID: [OutdatedTranslation]]]
    var new: Set<OutdatedTranslation>
    /// Outdated translations that are no longer on any head.
    var gone: Set<OutdatedTranslation> = []

    func languages(on head: Int) -> [UnitID: Set<LocaleIdentifier>] {
      standing[head].mapValues { Set($0.map(\.language)) }
    }

    /// The places of the new outdated translations.
    var newPlaces: Set<RoundPlanner.Place> {
      guard !new.isEmpty else { return [] }
      var places: Set<RoundPlanner.Place> = []
      for (head, units) in standing.enumerated() {
        for (unit, rows) in units {
          for row in rows where new.contains(row) {
            places.insert(RoundPlanner.Place(head: head, unit: unit, language: row.language))
          }
        }
      }
      return places
    }
  }

  private static func outdated(
    _ heads: [WatchedHead], _ comparisons: [HeadComparison], _ ledger: SentLedger, renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Outdated {
    let known = try await context.store.outdatedTranslations(of: context.name)
    let search = OutdatedSearch(
      ledger: ledger, renames: renames, known: OutdatedTranslations(known, renames: renames), context: context)
    // Heads that were already compared are skipped: their results are known, and the ledger may no longer have the outdated translations of
    // the former commit, with the source pins for which they were made.
    let found = try await search.found(in: comparisons.filter { !heads[$0.head].run.isCompared }, of: heads)
    let all = OutdatedTranslations(known.union(found), renames: renames)
    let standing = heads.map { head in head.snapshot.map(all.standing) ?? [:] }
    var outdated = Outdated(standing: standing, new: found)
    // The translations of a head that cannot be read are unknown.
    let isKnown = heads.allSatisfy { head in head.snapshot.map { $0.isComplete && $0.broken.isEmpty } ?? false }
    if isKnown { outdated.gone = known.subtracting(standing.flatMap { $0.values.joined() }) }
    return outdated
  }

  /// Plans the units to send. Units that were already returned, or whose translation is on their branch's delivery branch, are excluded. If
  /// a translation is on the delivery branch of one branch, the unit is sent for the next branch that lacks the translation.
  private static func plan(
    _ planner: RoundPlanner, over heads: [WatchedHead], against ledger: SentLedger, _ choice: VendorChoice,
    _ outdated: Outdated, _ context: PipelineContext
  ) async throws -> (RoundPlanner.Plan, AnsweredUnits.Result, unsent: [RoundPlanner.Candidate]) {
    let unmerged = UnmergedTranslations(heads: heads, context)
    var waiting: Set<RoundPlanner.Place> = []
    let renewed = outdated.newPlaces
    while true {
      let plan = planner.plan(against: ledger, leavingOut: waiting)
      let returns = try await context.store.returns(of: context.name, for: plan.sources)
      let answered = AnsweredUnits(heads: heads, returns: returns, renewed: renewed, choice: choice)
        .sort(plan.candidates, lacking: plan.lacking)
      let unsent = try await unmerged.without(answered.unanswered)
      guard heads.count > 1, unsent.count < answered.unanswered.count else { return (plan, answered, unsent) }
      waiting.formUnion(Set(answered.unanswered.map(\.place)).subtracting(unsent.map(\.place)))
    }
  }

  /// Returns the outcome `held` for each dropped unit that a person removed from a branch or marked as needing review.
  private static func removed(
    among dropped: [AnsweredUnits.Dropped], _ heads: [WatchedHead], _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> [AnsweredUnits.Dropped: BranchOutcome] {
    var found: [AnsweredUnits.Dropped: BranchOutcome] = [:]
    for (number, units) in Dictionary(grouping: dropped, by: \.candidate.head).sorted(by: { $0.key < $1.key }) {
      let run = heads[number].run
      guard let snapshot = heads[number].snapshot else { continue }
      let subjects = units.compactMap { unit in
        unit.settled.map { settled in
          RemovalSearch.Subject(
            id: unit.id, unit: unit.candidate.unit, language: unit.candidate.language,
            isOurs: { $0.deliveredDigests.contains(settled) })
        }
      }
      let reasons = try await RemovalSearch(head: run, snapshot: snapshot, renames, context).removed(among: subjects)
      for unit in units {
        guard let reason = reasons[unit.id] else { continue }
        found[unit] = BranchOutcome(
          returnedUnit: unit.id, state: .held, reviewed: run.commit, reason: reason, translation: unit.settled)
      }
    }
    return found
  }

  /// Returns a warning if the project has no target language. In that case, nothing is sent, and no other check reports this.
  private static func lackOfLanguages(_ heads: [WatchedHead], _ context: PipelineContext) -> [Diagnostic] {
    let snapshots = heads.compactMap(\.snapshot)
    guard !snapshots.isEmpty, snapshots.allSatisfy(\.languages.isEmpty) else { return [] }
    return [
      Diagnostic(
        path: context.name, severity: .warning, message: "the project has no target language, so nothing is sent",
        hint: "add languages to the pipeline file, such as `languages: [de, fr]`, or to the project")
    ]
  }

  /// Returns a warning for each vendor whose units go to its fallback.
  private static func replaced(
    _ absent: Set<String>, _ failing: FailingVendors, _ context: PipelineContext
  ) -> [Diagnostic] {
    context.vendors.filter { absent.contains($0.name) }.map { vendor in
      let since = failing.since[vendor.name].map { " since \($0.formatted(.iso8601))" } ?? ""
      return Diagnostic(
        path: context.name, severity: .warning,
        message: "vendor \(vendor.name) has failed\(since): its units go to \(vendor.definition.fallback ?? "")",
        hint: "run `dragoman vendors test` to find out why")
    }
  }

  /// Returns a warning for each catalog that no vendor takes although its languages have vendors. The patterns in the pipeline file may be
  /// wrong.
  private static func leftOut(
    _ heads: [WatchedHead], _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) -> [Diagnostic] {
    let routes = context.routes
    var left: [TreePath: Set<LocaleIdentifier>] = [:]
    for snapshot in heads.compactMap(\.snapshot) {
      let ledgerNames = renames.ledgerNames(in: snapshot)
      for (path, catalog) in snapshot.synced where catalog.entries.contains(where: { $0.value.shouldTranslate }) {
        let newest = ledgerNames[path] ?? path
        for language in snapshot.languages
        where language != catalog.sourceLanguage && routes.leavesOut(newest, in: language) {
          left[path, default: []].insert(language)
        }
      }
    }
    return left.sorted { $0.key < $1.key }.map { path, languages in
      Diagnostic(
        path: path.text, severity: .warning,
        message: "no vendor takes this catalog in \(languages.sorted().map(\.rawValue).joined(separator: ", "))",
        hint: "change `catalogs` or `tables` of a vendor, or add a vendor that has neither")
    }
  }

  /// Returns a warning for each branch that, according to the forge, refuses or could refuse a push of translations. The warning should appear
  /// before translators begin.
  private static func protectedBranches(
    _ heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> [Diagnostic] {
    guard let forge = context.forge else { return [] }
    var found: [Diagnostic] = []
    for branch in Set(heads.map { context.definition.deliver.target(for: $0.run.branch) }).sorted() {
      do {
        guard let obstacle = try await forge.obstacle(toPushing: branch) else { continue }
        found.append(
          Diagnostic(
            path: context.name, severity: .warning,
            message: protectionWarning(branch) + obstacle,
            hint: "allow \(context.definition.deliver.waysToPush)"))
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        // A round must not wait for a forge. The delivery will report the problem.
        return found
      }
    }
    return found
  }

  /// Returns the beginning of the warning that a branch refuses or could refuse a push.
  private static func protectionWarning(_ branch: String) -> String {
    "translations will be pushed to \(branch), but "
  }

  /// Returns whether the last plan of rounds warned that a branch refuses or could refuse a push. After a push to the branch, rounds must be
  /// planned again, which ends the warning.
  static func warns(ofPushingTo branch: String, _ context: PipelineContext) async throws -> Bool {
    guard context.forge != nil else { return false }
    return try await context.store.jobs(of: context.name).contains { job in
      job.stage == .diff && job.findings.contains { $0.message.hasPrefix(protectionWarning(branch)) }
    }
  }

  private static func freezeFindings(
    _ heads: [WatchedHead], _ candidates: [RoundPlanner.Candidate], _ context: PipelineContext
  ) async throws -> [Diagnostic] {
    let frozen = context.definition.rounds.freeze
    var compared: Set<String> = []
    for run in heads.map(\.run) where frozen.contains(where: { $0.matches(run.branch) }) {
      let last = try await context.store.lastCompared(of: context.name, branch: run.branch, except: run.commit)
      if last != nil { compared.insert(run.branch) }
    }
    return FreezeCheck(heads: heads, frozen: frozen, compared: compared).findings(candidates)
  }

  /// Returns warnings about vendors whose outstanding units are withdrawn because the vendors were removed from the pipeline file. The user
  /// must notify these vendors, because Dragoman cannot.
  private static func removedVendors(
    _ withdrawn: [SentUnitID], _ ledger: SentLedger, _ context: PipelineContext
  ) -> [Diagnostic] {
    let known = Set(context.vendors.map(\.name))
    let gone = Set(withdrawn)
    let units = Dictionary(grouping: ledger.units.filter { gone.contains($0.id) && !known.contains($0.vendor) }) {
      $0.vendor
    }
    return units.sorted { $0.key < $1.key }.map { vendor, units in
      Diagnostic(
        path: context.name, severity: .warning,
        message: "vendor \(vendor) is no longer in the pipeline file: "
          + (units.count == 1 ? "1 outstanding unit withdrawn" : "\(units.count) outstanding units withdrawn"),
        hint: "notify the vendor yourself. If you only renamed the vendor, add its old name under formerly:")
    }
  }
}
