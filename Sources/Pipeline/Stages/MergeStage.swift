import FoundationEssentials
import Localization

/// Puts what came back into the branch's catalogs, as commits in the mirror that are written down before they are pushed.
enum MergeStage {
  static func run(_ job: Job, of run: Run, _ parts: PipelineParts) async throws -> StageOutcome {
    let nothing = StageOutcome(detail: "nothing to merge")
    guard try await parts.store.heads(of: parts.name).contains(where: { $0.id == run.id }) else { return nothing }
    let base = try await DeliveryBase.find(for: run, parts)
    if !base.changes.isEmpty { try await parts.store.record(base.changes, of: parts.name) }
    var arrivals = try await parts.store.arrivals(of: parts.name, branch: run.branch)
    let isAnew = !base.replaced.isEmpty
    if isAnew {
      guard try await needsAnew(base, arrivals, run: run, parts) else { return nothing }
    } else {
      arrivals.removeAll { $0.placement?.state == .delivered }
    }
    let brings = parts.definition.catalogs == .commit
    guard isAnew || brings || !arrivals.isEmpty else { return nothing }
    let snapshot = try await parts.snapshots.snapshot(of: base.commit)
    guard isAnew || !arrivals.isEmpty || !snapshot.changed.isEmpty else { return nothing }

    let others = try await WatchedHeads.load(parts).filter { $0.run.branch != run.branch }
    let withheld = try await incompleteLanguages(parts)
    let review = BranchReview(snapshot: snapshot, others: others, withheld: withheld).review(arrivals)
    var writer = CommitWriter(base: base.commit, source: run.commit, seconds: commitSeconds(job, parts), parts: parts)
    let composition = DeliveryComposition(snapshot: snapshot, review: review, brings: brings)
    let composed = try await composition.write(to: &writer, parts)
    let refused = composed.refused

    let placements = review.placements.filter { placement in
      guard let arrival = review.taken.first(where: { $0.id == placement.arrival }) else { return true }
      return refused[arrival.unit.catalog] == nil
    }
    let held = placements.filter { $0.state == .held }.count
    let diagnostics = refused.sorted { $0.key < $1.key }.flatMap(\.value) + composed.diagnostics
    guard let tip = writer.commits.last else {
      var changes: [LedgerChange] = base.replaced.map { .delivery($0, .settled) }
      if !placements.isEmpty { changes.append(.place(placements, branch: run.branch)) }
      return StageOutcome(
        changes: changes, detail: held > 0 ? "\(held) held" : nothing.detail, diagnostics: diagnostics)
    }
    let delivery = NewDelivery(
      source: run.commit, target: parts.definition.deliver.target(for: run.branch), expected: base.expected,
      base: base.commit, commits: writer.commits, units: writer.units, created: job.created, replaces: base.replaced,
      placements: placements.filter { $0.state == .delivered })
    var changes: [LedgerChange] = [.deliver(delivery, branch: run.branch)]
    let rest = placements.filter { $0.state != .delivered }
    if !rest.isEmpty { changes.append(.place(rest, branch: run.branch)) }
    let next = NewJob(run: run.id, stage: .deliver, scope: tip.rawValue, lane: run.lane, due: parts.time.now())
    return StageOutcome(
      next: [next], changes: changes, detail: "\(writer.units) merged, \(held) held", rounds: writer.rounds,
      diagnostics: diagnostics)
  }

  /// The time of the job, or one that was set from outside: doing the job again makes the same commit.
  private static func commitSeconds(_ job: Job, _ parts: PipelineParts) -> Int64 {
    parts.commitSeconds ?? Int64(job.created.timeIntervalSince1970)
  }

  /// Whether a delivery on an older commit of the branch must be made anew: something came, something held may fit now, or the branch
  /// changed a catalog or a project file.
  private static func needsAnew(
    _ base: DeliveryBase, _ arrivals: [Arrival], run: Run, _ parts: PipelineParts
  ) async throws -> Bool {
    guard arrivals.allSatisfy({ $0.placement?.state == .delivered }) else { return true }
    let open = try await parts.store.openDeliveries(of: parts.name, branch: run.branch)
    guard let last = open.last(where: { base.replaced.contains($0.id) }) else { return true }
    let changes = try await parts.mirror.changes(from: last.source, to: run.commit)
    return changes.contains { change in
      if case .renamed(let old) = change.kind, parts.formats(old) != nil { return true }
      // A delivery that brings a language changes project files too.
      return parts.formats(change.path) != nil || change.path.ending == "pbxproj"
    }
  }

  /// With `when: complete`, the languages of which something is still outstanding.
  private static func incompleteLanguages(_ parts: PipelineParts) async throws -> Set<LocaleIdentifier> {
    guard parts.definition.deliver.when == .complete else { return [] }
    let books = try await parts.store.rounds(of: parts.name).flatMap(\.books)
    return Set(books.filter { $0.outstanding > 0 }.map(\.language))
  }
}
