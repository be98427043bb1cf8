import Localization

/// The newest commit of a watched branch, read.
struct WatchedHead: Sendable {
  var run: Run
  /// `nil` where it could not be read.
  var snapshot: Snapshot?

  /// The head as planning needs it.
  func plannable(_ context: PipelineContext, renames: [TreePath: TreePath]) async throws -> RoundPlanner.Head {
    guard let snapshot else { return RoundPlanner.Head(branch: run.branch, index: nil, isUncertain: { _ in true }) }
    return RoundPlanner.Head(
      branch: run.branch, index: try await context.snapshots.index(of: snapshot),
      isUncertain: { snapshot.isUncertain($0) }, ledgerNames: renames.ledgerNames(in: snapshot))
  }
}

enum WatchedHeads {
  /// The heads of a pipeline in the order of their names. One that cannot be read has no snapshot: its own extraction says why.
  /// - Parameters:
  ///   - excluded: a branch to leave out.
  ///   - isNeeded: nothing is read where it is false.
  static func load(
    _ context: PipelineContext, except excluded: String? = nil, where isNeeded: Bool = true
  ) async throws -> [WatchedHead] {
    guard isNeeded else { return [] }
    let runs = try await context.store.heads(of: context.name)
    // The mirror may have been deleted since the last look; what is missing there must not pass for unreadable.
    var isComplete = true
    for run in runs where isComplete { isComplete = try await context.mirror.holds(run.commit) }
    if !isComplete { _ = try await context.mirror.refresh() }
    var heads: [WatchedHead] = []
    for run in runs where run.branch != excluded {
      try Task.checkCancellation()
      let snapshot: Snapshot?
      do {
        snapshot = try await context.snapshots.snapshot(of: run.commit)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        snapshot = nil
      }
      heads.append(WatchedHead(run: run, snapshot: snapshot))
    }
    return heads
  }
}
