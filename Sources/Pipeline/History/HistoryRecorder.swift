import Localization

/// Updates the history of the watched branches: each commit on the line of first parents gets a record.
///
/// The history is updated in turns. Each turn compares the branches with the history, so the next turn records the commits of an
/// interrupted or missed turn. With scope `all`, commits are recorded newest first. If the context has a `background` loader, commits are read
/// with its own thread and memory, so a round is never delayed.
package struct HistoryRecorder: Sendable {
  /// The commits to record.
  package enum Scope: Hashable, Sendable {
    /// As many commits as the pipeline's `extract.history` sets.
    case all
    /// Only commits after the newest recorded commit, or only the head of a branch without recorded commits: for `run --once`, which must not
    /// wait for a long history.
    case new
  }

  package struct Turn: Hashable, Sendable {
    /// The number of recorded commits.
    package var recorded = 0
    /// Whether the turn ended before all commits were recorded, because of its limit or `mayContinue`.
    package var hasMore = false
  }

  /// The number of commits beyond the depth that scope `new` searches for an already recorded commit.
  private static let searchLimit = 1000

  private let store: any CommitHistoryStore
  private let scope: Scope
  private let mayContinue: @Sendable () -> Bool

  /// - Parameter mayContinue: called before each commit. If it returns `false`, the turn ends early.
  package init(
    _ store: any CommitHistoryStore, scope: Scope = .all, mayContinue: @escaping @Sendable () -> Bool = { true }
  ) {
    self.store = store
    self.scope = scope
    self.mayContinue = mayContinue
  }

  /// Records commits of one pipeline.
  /// - Parameters:
  ///   - branch: `nil` for all branches.
  ///   - limit: the maximum number of commits.
  package func turn(_ context: PipelineContext, branch: String? = nil, limit: Int) async throws -> Turn {
    var turn = Turn()
    let depth = context.definition.extract.history
    guard depth > 0 else { return turn }
    for head in try await context.store.heads(of: context.name) where branch == nil || head.branch == branch {
      var missing = try await missing(from: head.commit, depth: depth, context)
      // With scope `new`, the oldest commit comes first: the next turn would not fill a gap that an interrupted turn leaves.
      if scope == .new { missing.reverse() }
      var known: (id: CommitID, snapshot: Snapshot)?
      for info in missing {
        guard turn.recorded < limit, mayContinue() else {
          turn.hasMore = true
          return turn
        }
        try Task.checkCancellation()
        guard let record = try await record(of: info, &known, context) else { break }
        // With scope `all`, older commits are recorded after the newest commit and must not replace it.
        let isNewest = scope == .new || info.id == head.commit
        try await store.record([record], of: context.name, asNewestOf: isNewest ? head.branch : nil)
        turn.recorded += 1
      }
    }
    return turn
  }

  /// Returns the commits without a record, newest first. With scope `new`, only those after the newest recorded commit; if there is no such
  /// commit, only the newest commit of the branch.
  private func missing(
    from tip: CommitID, depth: Int, _ context: PipelineContext
  ) async throws -> [CommitInfo] {
    var missing: [CommitInfo] = []
    var next: CommitID? = tip
    var seen = 0
    // With scope `new`, a recorded commit beyond the depth shows that the branch was recorded before.
    let end = scope == .new ? depth + Self.searchLimit : depth
    while next != nil, seen < end {
      var line: [CommitInfo] = []
      while let id = next, line.count < min(100, end - seen), try await context.mirror.holds(id) {
        let info = try await context.mirror.commit(id)
        line.append(info)
        next = info.parents.first
      }
      guard !line.isEmpty else { break }
      seen += line.count
      let recorded = try await store.recorded(among: line.map(\.id), of: context.name)
      missing += line.filter { !recorded.contains($0.id) }
      if scope == .new, let first = line.firstIndex(where: { recorded.contains($0.id) }) {
        let older = Set(line[first...].map(\.id))
        return Array(missing.filter { !older.contains($0.id) }.prefix(depth))
      }
    }
    // On a branch without records, only its newest commit is new.
    return scope == .new ? Array(missing.prefix(1)) : missing
  }

  /// Compares a commit with its first parent.
  /// - Parameter known: a snapshot that the previous call kept because this call usually needs it again. This call replaces it for the next
  ///   commit.
  /// - Returns: `nil` if the mirror lacks an object, which a later poll may fetch.
  private func record(
    of info: CommitInfo, _ known: inout (id: CommitID, snapshot: Snapshot)?, _ context: PipelineContext
  ) async throws -> CommitRecord? {
    func snapshot(_ id: CommitID) async throws -> Snapshot {
      if let known, known.id == id { return known.snapshot }
      return try await context.backgroundSnapshot(of: id)
    }
    do {
      let new = try await snapshot(info.id)
      var old: Snapshot?
      var renames: [TreePath: TreePath] = [:]
      if let parent = info.parents.first {
        // The first commits of a shallow repository cannot be compared with their parents.
        guard try await context.mirror.holds(parent) else { return nil }
        let snapshot = try await snapshot(parent)
        old = snapshot
        for change in try await context.mirror.changes(from: parent, to: info.id) {
          if case .renamed(let origin) = change.kind, snapshot.synced[origin] != nil { renames[change.path] = origin }
        }
      }
      guard !new.lacksObjects, old?.lacksObjects != true else { return nil }
      known = scope == .new ? (info.id, new) : old.map { ($0.commit.id, $0) }
      return CommitComparison(old: old, new: new, renames: renames).record()
    } catch let fault as InputFault {
      var record = CommitRecord(info)
      record.fault = fault.diagnostics.first.map { "\($0.place): \($0.message)" } ?? "cannot be read"
      return record
    } catch let error as PipelineError where error.kind == .unreadableInput {
      // A submodule's repository no longer has the needed commit, or the submodule's declaration is invalid.
      var record = CommitRecord(info)
      record.fault = error.description
      return record
    } catch let error as TreeError where error.kind != .unreadable && error.kind != .notFound {
      var record = CommitRecord(info)
      record.fault = error.description
      return record
    }
  }
}
