import Localization

/// The head of a watched branch and its snapshot.
struct WatchedHead: Sendable {
  var run: Run
  /// The snapshot of the head; `nil` if the commit could not be read.
  var snapshot: Snapshot?

  /// Returns the head in the form that planning needs.
  /// - Parameter lacking: the languages, by unit, whose translations count as missing although the catalogs have them.
  func plannable(
    _ context: PipelineContext, renames: [TreePath: TreePath], lacking: [UnitID: Set<LocaleIdentifier>]
  ) async throws -> RoundPlanner.Head {
    guard let snapshot else { return RoundPlanner.Head(branch: run.branch, index: nil, isUncertain: { _ in true }) }
    return RoundPlanner.Head(
      branch: run.branch,
      index: try await context.snapshots.index(of: snapshot).lacking(lacking),
      isUncertain: { snapshot.isUncertain($0) }, ledgerNames: renames.ledgerNames(in: snapshot))
  }
}

extension [WatchedHead] {
  /// The languages of all heads that could be read.
  var languages: Set<LocaleIdentifier> { Set(compactMap(\.snapshot).flatMap(\.languages)) }
}

enum WatchedHeads {
  /// Returns the heads of a pipeline, sorted by branch name. A head that cannot be read has no snapshot; its extract job reports the
  /// reason. If the mirror lacks a head, it is refreshed first.
  /// - Parameters:
  ///   - excluded: a branch to skip.
  ///   - isNeeded: if `false`, nothing is read and the result is empty.
  static func load(
    _ context: PipelineContext, except excluded: String? = nil, where isNeeded: Bool = true
  ) async throws -> [WatchedHead] {
    guard isNeeded else { return [] }
    let runs = try await context.store.heads(of: context.name)
    // The mirror may have been deleted since the last poll. The missing commits of a new mirror must not count as unreadable.
    var isComplete = true
    for run in runs where isComplete { isComplete = try await context.mirror.holds(run.commit) }
    if !isComplete { _ = try await context.mirror.refresh() }
    var heads: [WatchedHead] = []
    for run in runs where run.branch != excluded {
      try Task.checkCancellation()
      heads.append(WatchedHead(run: run, snapshot: try await context.snapshots.readable(run.commit)))
    }
    return heads
  }
}
