import Localization

extension ReportStage {
  /// Sets the freeze statuses of a frozen branch and of its delivery branch. If the branch is not frozen, its recorded freeze point is removed,
  /// and no status is set.
  /// - Returns: the texts of the statuses. Empty if the branch is not frozen, or if the pipeline does not set the status `freeze`.
  static func freeze(
    of head: Run, among heads: [Run], _ forge: any Forge, _ context: PipelineContext
  ) async throws -> [String] {
    guard context.definition.deliver.statuses.contains(.freeze), let history = context.history else { return [] }
    guard context.isFrozen(head.branch) else {
      if try await history.freezePoint(of: head.branch, of: context.name) != nil {
        try await history.setFreezePoint(nil, of: head.branch, of: context.name)
      }
      return []
    }
    var told: [String] = []
    for place in try await FrozenPlace.all(of: head, tips: context.branchTips(), context) {
      let own = try await place.verdict(keeping: true, history, context).status
      told.append(place.branch == head.branch ? own.text : "\(place.branch): \(own.text)")
      guard !forge.traits.keepsStatusesByBranch else {
        try await forge.set(own, of: place.commit, on: place.branch)
        continue
      }
      var status = SharedStatus()
      status.add(own, of: place.branch)
      try await addFreeze(at: place.commit, among: heads, except: place.branch, to: &status, history, context)
      var known: [Int: CommitStatus]
      // Pull requests are reviewed concurrently. A pull request may get its verdict before this status is set.
      repeat {
        known = context.reviews.statuses(of: place.commit)
        var combined = status
        for (number, ofPullRequest) in known { combined.add(ofPullRequest, of: "pull request \(number)") }
        if let whole = combined.combined(isNamed: false) {
          try await forge.set(whole, of: place.commit, on: place.branch)
        }
      } while context.reviews.statuses(of: place.commit) != known
    }
    return told
  }

  /// Adds the freeze statuses of all frozen branches and delivery branches of frozen branches that are at this commit.
  /// - Parameter branch: a branch whose status was already added.
  static func addFreeze(
    at commit: CommitID, among heads: [Run], except branch: String? = nil, to status: inout SharedStatus,
    _ history: any CommitHistoryStore, _ context: PipelineContext
  ) async throws {
    let frozen = heads.filter { context.isFrozen($0.branch) }
    guard !frozen.isEmpty else { return }
    let tips = try await context.branchTips()
    for head in frozen {
      for place in try await FrozenPlace.all(of: head, at: commit, tips: tips, context) where place.branch != branch {
        status.add(try await place.verdict(keeping: false, history, context).status, of: place.branch)
      }
    }
  }
}

/// A frozen branch, or the delivery branch of a frozen branch.
private struct FrozenPlace {
  var branch: String
  /// The newest commit of the branch.
  var commit: CommitID
  /// The frozen branch.
  var head: Run

  /// Returns a frozen branch, and its delivery branch if that has commits to merge.
  /// - Parameters:
  ///   - commit: the commit that the branches must have; `nil` for any commit.
  ///   - tips: the newest commit of each branch in the mirror.
  static func all(
    of head: Run, at commit: CommitID? = nil, tips: [String: CommitID], _ context: PipelineContext
  ) async throws -> [FrozenPlace] {
    var found = [FrozenPlace(branch: head.branch, commit: head.commit, head: head)]
    let target = context.definition.deliver.target(for: head.branch)
    if target != head.branch, let tip = tips[target], tip != head.commit, commit == nil || commit == tip,
      try await !context.mirror.isAncestor(tip, of: head.commit)
    {
      found.append(FrozenPlace(branch: target, commit: tip, head: head))
    }
    return found.filter { commit == nil || commit == $0.commit }
  }

  /// Returns the freeze verdict on the branch.
  /// - Parameter isKept: whether to store the commit at which the freeze begins, if none is stored yet.
  func verdict(
    keeping isKept: Bool, _ history: any CommitHistoryStore, _ context: PipelineContext
  ) async throws -> FreezeVerdict {
    guard branch == head.branch else {
      return try await FreezeVerdict.load(ofDelivery: commit, into: head, context)
    }
    return try await FreezeVerdict.load(of: head, keeping: isKept, history, context)
  }
}

extension PipelineContext {
  func isFrozen(_ branch: String) -> Bool { definition.rounds.freeze.contains { $0.matches(branch) } }
}

extension FreezeVerdict {
  /// Returns the verdict on a frozen branch.
  /// - Parameter isKept: whether to store the commit at which the freeze begins, if none is stored yet.
  fileprivate static func load(
    of head: Run, keeping isKept: Bool, _ history: any CommitHistoryStore, _ context: PipelineContext
  ) async throws -> FreezeVerdict {
    var verdict = FreezeVerdict(subject: .branch(head.branch))
    let known = try await history.freezePoint(of: head.branch, of: context.name)
    // After a force-push, the mirror may no longer have the stored commit. In that case, the freeze begins again at the branch's newest
    // commit.
    if let known, try await context.mirror.holds(known) { verdict.since = known }
    guard let new = try await snapshot(of: head.commit, context, noting: &verdict.unread) else { return verdict }
    // A commit that was not read completely cannot be compared, so no freeze starts there.
    if verdict.since == nil, new.unread.isEmpty {
      verdict.since = head.commit
      if isKept { try await history.setFreezePoint(head.commit, of: head.branch, of: context.name) }
    }
    guard let since = verdict.since else { return verdict }
    let old: Snapshot
    if since == head.commit {
      old = new
    } else {
      guard let read = try await snapshot(of: since, context, noting: &verdict.unreadBefore) else { return verdict }
      old = read
    }
    verdict.record = try await comparison(from: (since, old), to: (head.commit, new), context)
    return verdict
  }

  /// Returns the verdict on the delivery branch of a frozen branch. Deliveries have no new strings, but people may also commit to the branch.
  fileprivate static func load(
    ofDelivery tip: CommitID, into head: Run, _ context: PipelineContext
  ) async throws -> FreezeVerdict {
    let base = try await context.mirror.mergeBase(head.commit, tip) ?? head.commit
    var verdict = FreezeVerdict(subject: .pullRequest(into: head.branch), since: base)
    guard let new = try await snapshot(of: tip, context, noting: &verdict.unread),
      let old = try await snapshot(of: base, context, noting: &verdict.unreadBefore)
    else { return verdict }
    verdict.record = try await comparison(from: (base, old), to: (tip, new), context)
    return verdict
  }

  private static func comparison(
    from old: (commit: CommitID, snapshot: Snapshot), to new: (commit: CommitID, snapshot: Snapshot),
    _ context: PipelineContext
  ) async throws -> CommitRecord {
    var comparison = CommitComparison(old: old.snapshot, new: new.snapshot)
    for change in try await context.mirror.changes(from: old.commit, to: new.commit) {
      if case .renamed(let origin) = change.kind, old.snapshot.synced[origin] != nil {
        comparison.renames[change.path] = origin
      }
    }
    return comparison.record()
  }

  /// Reads a commit, and stores the messages about its unreadable parts in `unread`.
  /// - Returns: `nil` if the commit cannot be read at all.
  private static func snapshot(
    of commit: CommitID, _ context: PipelineContext, noting unread: inout [String]
  ) async throws -> Snapshot? {
    do {
      let snapshot = try await context.snapshots.snapshot(of: commit)
      unread = snapshot.unread
      return snapshot
    } catch let fault as InputFault {
      unread = [fault.diagnostics.first.map { "\($0.place): \($0.message)" } ?? "commit \(commit.short) is unreadable"]
      return nil
    }
  }
}
