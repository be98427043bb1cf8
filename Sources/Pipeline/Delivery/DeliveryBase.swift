import FoundationEssentials
import Localization

/// Where the next commit of a branch's translations stands, and which earlier ones of ours are in it.
struct DeliveryBase: Sendable {
  enum Place: Hashable, Sendable {
    case commit(CommitID)
    /// On a merge of the two: the delivery branch holds commits that are not ours, and lacks some of the watched branch.
    case merge(deliveryBranch: CommitID, head: CommitID)
  }

  var place: Place
  /// Where the remote's branch stands, or will once what is planned is pushed; `nil`: it does not exist.
  var expected: CommitID?
  /// Earlier deliveries that are made anew; the others that are open are in the base.
  var replaced: [DeliveryID]
  /// What git shows about earlier deliveries.
  var changes: [LedgerChange]
  /// Whether the delivery branch holds commits that the watched branch dropped, so that it must be made anew whatever changed since.
  var isStale = false
  /// Of a merge, the commits of the delivery branch that the watched branch lacks.
  var lacking: [CommitInfo] = []
  /// Commits of others on the delivery branch that the watched branch dropped: what they say of source texts is nobody's.
  var dropped: Set<CommitID> = []
}

extension DeliveryBase {
  /// | the delivery branch | the next commit stands on |
  /// | --- | --- |
  /// | is absent, or merged | the watched head |
  /// | contains the watched head | the delivery branch |
  /// | lacks a part of it, and everything beyond it is ours | the watched head, with everything that is not merged yet |
  /// | holds nothing of others but what the watched branch dropped by a force-push | the same |
  /// | lacks a part of it, and holds others' commits | a merge of both: nothing that is not ours is ever pushed over |
  ///
  /// Ours is what the ledger says we made for this branch, in whatever state that delivery is now. After a loss of the ledger our own
  /// commits are as precious as a person's.
  static func find(for head: Run, _ context: PipelineContext) async throws -> DeliveryBase {
    let mirror = context.mirror
    let target = context.definition.deliver.target(for: head.branch)
    let remote = try await mirror.branches().first { $0.name == target }?.commit
    var tip = remote
    var changes: [LedgerChange] = []
    var open: [Delivery] = []
    for delivery in try await context.store.openDeliveries(of: context.name, branch: head.branch) {
      if delivery.target != target {
        // The pipeline delivers elsewhere now; its units are delivered there too.
        changes.append(.delivery(delivery.id, .abandoned))
      } else if delivery.state == .planned, delivery.expected == tip, try await mirror.holds(delivery.tip) {
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
    if try await mirror.isAncestor(head.commit, of: tip) {
      return DeliveryBase(place: .commit(tip), expected: tip, replaced: [], changes: changes)
    }
    if isReplaceable, foreign.isEmpty {
      // What is planned and not pushed yet is replaced as well, so the remote still stands where it stood.
      return DeliveryBase(
        place: .commit(head.commit), expected: remote, replaced: open.map(\.id), changes: changes)
    }
    return DeliveryBase(
      place: .merge(deliveryBranch: tip, head: head.commit), expected: tip, replaced: [], changes: changes,
      lacking: lacking, dropped: dropped)
  }
}

extension DeliveryBase {
  /// The commits that the watched branch had when deliveries were made for it, and has no more.
  /// - Parameter own: our commits of the delivery branch that the watched branch lacks. Each says what it was made for.
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
  /// Whether a commit is another one or comes before it. One that is not in the mirror does not.
  func isAncestor(_ old: CommitID, of new: CommitID) async throws -> Bool {
    guard old != new else { return true }
    guard try await holds(old) else { return false }
    return try await mergeBase(old, new) == old
  }
}
