import FoundationEssentials
import Localization

/// The base of the next delivery for a branch, and the earlier deliveries that it replaces.
struct DeliveryBase: Sendable {
  enum Place: Hashable, Sendable {
    case commit(CommitID)
    /// A merge of the two branches: the delivery branch has commits by others, and lacks commits of the watched branch.
    case merge(deliveryBranch: CommitID, head: CommitID)
  }

  var place: Place
  /// The commit of the remote's branch after all planned deliveries in the base are pushed; `nil` if the branch does not exist.
  var expected: CommitID?
  /// Earlier deliveries that will be made again. All other open deliveries are in the base.
  var replaced: [DeliveryID]
  /// The new states of earlier deliveries, found with git.
  var changes: [LedgerChange]
  /// Whether the delivery branch has commits that the watched branch dropped. In that case, the delivery branch is always made again.
  var isStale = false
  /// Whether the delivery branch in the base has commits by others that the watched branch lacks; not set if the delivery branch is reset
  /// (`isSetBack`).
  var hasForeignCommits = false
  /// For a merge: the commits of the delivery branch that the watched branch lacks.
  var lacking: [CommitInfo] = []
  /// For a merge: the commits that the watched branch dropped. Their source texts cause no conflicts.
  var dropped: Set<CommitID> = []
  /// Whether the delivery branch is reset to one of its older commits, which contains the commits by others.
  var isSetBack = false

  /// The commit of the delivery branch in the base; the watched head if the base has no delivery branch.
  var deliveryBranch: CommitID {
    switch place {
    case .commit(let commit), .merge(let commit, _): commit
    }
  }

  /// Whether earlier deliveries have been merged.
  var settlesDeliveries: Bool { changes.contains { if case .delivery(_, .settled) = $0 { true } else { false } } }

  /// Whether earlier deliveries are made again or abandoned.
  var leavesDeliveries: Bool {
    !replaced.isEmpty || changes.contains { if case .delivery(_, .abandoned) = $0 { true } else { false } }
  }
}

extension DeliveryBase {
  /// Finds the base of the next delivery for a watched branch:
  ///
  /// | the delivery branch | the next commit is based on |
  /// | --- | --- |
  /// | is missing, or merged | the watched head |
  /// | contains the watched head | the delivery branch |
  /// | lacks commits of the watched branch, and all its own commits are ours | the watched head, with all translations that are not merged yet |
  /// | has no commits by others, except commits that the watched branch dropped | the watched head, with all translations that are not merged yet |
  /// | has commits by others, none after a commit that the watched branch dropped | the delivery branch, reset to before the dropped commits, or a merge of that commit and the watched head |
  /// | lacks commits of the watched branch, and has commits by others | a merge of both: commits by others are never overwritten |
  ///
  /// With `mode: push`, or if the watched branch lacks at least 1000 commits of the delivery branch, the watched head never replaces the
  /// delivery branch: if the delivery branch lacks commits, both are merged.
  ///
  /// A commit is ours if the ledger contains this commit in a delivery for this branch, in any state. If the ledger is lost, our own
  /// commits are protected like other people's commits, because their translations exist nowhere else. In a merge, `OwnCommits` recognizes
  /// our commits.
  static func find(for head: Run, _ context: PipelineContext) async throws -> DeliveryBase {
    let mirror = context.mirror
    let target = context.definition.deliver.target(for: head.branch)
    let remote = try await mirror.branches().first { $0.name == target }?.commit
    var tip = remote
    var changes: [LedgerChange] = []
    var open: [Delivery] = []
    for delivery in try await context.store.openDeliveries(of: context.name, branch: head.branch) {
      if delivery.target != target {
        // The pipeline now delivers to another branch, and the units are delivered there too.
        changes.append(.delivery(delivery.id, .abandoned))
      } else if delivery.state == .planned, delivery.expected == tip, try await mirror.holds(delivery.tip),
        // The watched branch must still have the commit for which the delivery was made. Otherwise, a push would restore commits that a
        // force-push dropped.
        try await mirror.isAncestor(delivery.source, of: head.commit)
      {
        tip = delivery.tip
        open.append(delivery)
      } else if try await mirror.isAncestor(delivery.tip, of: head.commit) {
        changes.append(.delivery(delivery.id, .settled))
      } else if let tip, try await mirror.isAncestor(delivery.tip, of: tip) {
        if delivery.state == .planned { changes.append(.delivery(delivery.id, .pushed)) }
        open.append(delivery)
      } else {
        changes.append(.delivery(delivery.id, .abandoned))
      }
    }
    let isMerged: Bool = if let tip { try await mirror.isAncestor(tip, of: head.commit) } else { true }
    guard let tip, !isMerged else {
      return DeliveryBase(place: .commit(head.commit), expected: tip, replaced: [], changes: changes)
    }
    let own = try await context.store.ownCommits(of: context.name, target: target)
    let lacking = try await mirror.history(of: tip, excluding: head.commit, limit: 1000)
    let foreign = Set(lacking.map(\.id)).subtracting(own)
    let isReplaceable = context.definition.deliver.mode != .push && lacking.count < 1000
    var dropped: Set<CommitID> = []
    if isReplaceable, !foreign.isEmpty {
      dropped = try await self.dropped(by: head, below: lacking.filter { own.contains($0.id) }, context)
    }
    if isReplaceable, !foreign.isEmpty, foreign.isSubset(of: dropped) {
      return DeliveryBase(
        place: .commit(head.commit), expected: remote, replaced: open.map(\.id), changes: changes, isStale: true)
    }
    if let clean = LackingCommits(lacking).newest(keeping: foreign, without: dropped) {
      var changes = changes
      for delivery in open where try await !mirror.isAncestor(delivery.tip, of: clean) {
        changes.append(.delivery(delivery.id, .abandoned))
      }
      let isComplete = try await mirror.isAncestor(head.commit, of: clean)
      return DeliveryBase(
        place: isComplete ? .commit(clean) : .merge(deliveryBranch: clean, head: head.commit), expected: remote,
        replaced: [], changes: changes, isStale: true,
        lacking: try await mirror.history(of: clean, excluding: head.commit, limit: 1000), dropped: dropped,
        isSetBack: true)
    }
    if try await mirror.isAncestor(head.commit, of: tip) {
      return DeliveryBase(
        place: .commit(tip), expected: tip, replaced: [], changes: changes, hasForeignCommits: !foreign.isEmpty)
    }
    if isReplaceable, foreign.isEmpty {
      // Planned deliveries are replaced too. They are not pushed yet, so they have not moved the remote's branch.
      return DeliveryBase(
        place: .commit(head.commit), expected: remote, replaced: open.map(\.id), changes: changes)
    }
    return DeliveryBase(
      place: .merge(deliveryBranch: tip, head: head.commit), expected: tip, replaced: [], changes: changes,
      hasForeignCommits: !foreign.isEmpty, lacking: lacking, dropped: dropped)
  }
}

extension DeliveryBase {
  /// Returns the commits that the watched branch had when deliveries were made for it, and that it no longer has.
  /// - Parameter own: our commits of the delivery branch that the watched branch lacks. Their trailers contain the commits for which they
  ///   were made.
  private static func dropped(
    by head: Run, below own: [CommitInfo], _ context: PipelineContext
  ) async throws -> Set<CommitID> {
    let sources = Set(own.compactMap { CommitTrailers(message: $0.message)?.source })
    var dropped: Set<CommitID> = []
    for source in sources.sorted() where try await context.mirror.holds(source) {
      dropped.formUnion(
        try await context.mirror.history(of: source, excluding: head.commit, limit: 1000).map(\.id))
    }
    return dropped
  }
}

extension RepositoryMirror {
  /// Returns whether `old` is `new` or one of its ancestors; `false` if `old` is not in the mirror.
  func isAncestor(_ old: CommitID, of new: CommitID) async throws -> Bool {
    guard old != new else { return true }
    guard try await holds(old) else { return false }
    return try await mergeBase(old, new) == old
  }
}
