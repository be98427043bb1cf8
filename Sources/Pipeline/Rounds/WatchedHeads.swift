import Localization

/// The newest commit of a watched branch, read.
struct WatchedHead: Sendable {
  var run: Run
  /// `nil` where it could not be read.
  var snapshot: Snapshot?
  var index: CommitIndex?

  var plannable: RoundPlanner.Head {
    guard let snapshot else { return RoundPlanner.Head(branch: run.branch, index: nil, isUncertain: { _ in true }) }
    return RoundPlanner.Head(branch: run.branch, index: index, isUncertain: { snapshot.isUncertain($0) })
  }
}

enum WatchedHeads {
  /// The heads of a pipeline in the order of their names. One that cannot be read has no snapshot: its own extraction says why.
  static func load(_ context: PipelineContext) async throws -> [WatchedHead] {
    var heads: [WatchedHead] = []
    for run in try await context.store.heads(of: context.name) {
      let snapshot: Snapshot?
      do {
        snapshot = try await context.snapshots.snapshot(of: run.commit)
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        snapshot = nil
      }
      heads.append(WatchedHead(run: run, snapshot: snapshot, index: snapshot.map(CommitIndex.init)))
    }
    return heads
  }
}
