import Localization

/// Where the next commit of a branch's translations stands, and which earlier ones of ours are in it.
struct DeliveryBase: Sendable {
  var commit: CommitID
  /// Where the remote's branch stands, or will once what is planned is pushed; `nil`: it does not exist.
  var expected: CommitID?
  /// Earlier deliveries that are made anew; the others that are open are in the base.
  var replaced: [DeliveryID]
  /// What the look at git told of earlier deliveries.
  var changes: [LedgerChange]
}

extension DeliveryBase {
  /// - The delivery branch is absent, or merged: the watched head.
  /// - It stands on the watched head: on top of it.
  /// - The watched branch went on, and all that it lacks is ours: anew from the watched head, with everything not merged yet.
  /// - The watched branch went on, and a person committed to the delivery branch: on top of that.
  static func find(for run: Run, _ context: PipelineContext) async throws -> DeliveryBase {
    let mirror = context.mirror
    let target = context.definition.deliver.target(for: run.branch)
    let isPush = context.definition.deliver.mode == .push
    let remote = try await mirror.branches().first { $0.name == target }?.commit
    var tip = remote
    var changes: [LedgerChange] = []
    var open: [Delivery] = []
    for delivery in try await context.store.openDeliveries(of: context.name, branch: run.branch) {
      if delivery.state == .planned, delivery.target == target, delivery.expected == tip {
        tip = delivery.tip
        open.append(delivery)
      } else if try await isAncestor(delivery.tip, of: run.commit, mirror) {
        changes.append(.delivery(delivery.id, .settled))
      } else if let tip, try await isAncestor(delivery.tip, of: tip, mirror) {
        if delivery.state == .planned { changes.append(.delivery(delivery.id, .pushed)) }
        open.append(delivery)
      } else {
        changes.append(.delivery(delivery.id, .abandoned))
      }
    }
    guard let tip else {
      return DeliveryBase(commit: run.commit, expected: nil, replaced: [], changes: changes)
    }
    if try await isAncestor(tip, of: run.commit, mirror) {
      return DeliveryBase(
        commit: run.commit, expected: tip, replaced: [], changes: changes)
    }
    let top = DeliveryBase(commit: tip, expected: tip, replaced: [], changes: changes)
    guard try await !isAncestor(run.commit, of: tip, mirror), !isPush else { return top }
    // Only what the ledger can bring again is made anew; after a loss of the ledger ours are as precious as a person's.
    let lacking = try await mirror.history(of: tip, excluding: run.commit, limit: 1000)
    let known = Set(open.flatMap(\.commits))
    guard lacking.count < 1000, lacking.allSatisfy({ $0.isOurs && known.contains($0.id) }) else { return top }
    // What is planned and not pushed yet is replaced as well, so the remote still stands where it stood.
    return DeliveryBase(commit: run.commit, expected: remote, replaced: open.map(\.id), changes: changes)
  }

  static func isAncestor(_ old: CommitID, of new: CommitID, _ mirror: any RepositoryMirror) async throws -> Bool {
    guard old != new else { return true }
    return try await mirror.mergeBase(old, new) == old
  }
}
