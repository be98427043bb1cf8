import FoundationEssentials
import Localization

/// The delivery branches that a pipeline no longer delivers to, because `deliver.branch` or `deliver.mode` changed, or the watched branch no
/// longer exists.
enum FormerTargets {
  /// Returns a finding for each former delivery branch that still exists and is not merged, with the number of other people's commits on it.
  /// Dragoman does not delete these branches. This function must be called only when the current delivery branch has the translations, because
  /// people are asked to delete the former branches.
  /// - Parameter delivered: the deliveries that were pushed just now. If others were pushed to the current delivery branch before, the former
  ///   branches are already reported, and nothing is returned. `nil` returns all findings.
  static func findings(
    of head: Run, after delivered: [Delivery]? = nil, _ context: PipelineContext
  ) async throws -> [Diagnostic] {
    let target = context.definition.deliver.target(for: head.branch)
    let targets = try await context.store.deliveryTargets(of: context.name, branch: head.branch)
    guard targets.contains(where: { $0 != target }) else { return [] }
    let all = try await context.store.deliveries(of: context.name, since: .distantPast)
    let own = all.filter { $0.branch == head.branch }
    guard let place = own.lastIndex(where: { $0.target != target }) else { return [] }
    if let delivered {
      let new = Set(delivered.map(\.id))
      let isReported = own[(place + 1)...].contains { delivery in
        (delivery.state == .pushed || delivery.state == .settled) && !new.contains(delivery.id)
      }
      guard !isReported else { return [] }
    }
    // If the last delivery to a branch is not abandoned, it was merged.
    var former = Set(
      Dictionary(own.map { ($0.target, $0.state) }) { $1 }.filter { $0.value == .abandoned }.keys)
    // Other watched branches may use the branch now.
    former.subtract(all.filter { $0.state == .planned || $0.state == .pushed }.map(\.target))
    former.subtract(try await context.store.heads(of: context.name).map(\.branch))
    former.remove(target)
    guard !former.isEmpty else { return [] }
    let tips = try await context.branchTips()
    var found: [Diagnostic] = []
    for name in former.sorted() {
      guard let tip = tips[name], try await !context.mirror.isAncestor(tip, of: head.commit) else { continue }
      let others = try await context.unknownCommits(on: tip, of: name, lackedBy: head.commit).count
      let commits = others == 1 ? "1 commit by somebody else" : "\(others) commits by other people"
      found.append(
        Diagnostic(
          path: context.name, severity: .warning,
          message: "the translations of \(head.branch) are now delivered to \(target); \(name) still exists"
            + (others > 0 ? ", with \(commits), which \(target) lacks" : ""),
          hint: (others > 0 ? "merge it, or cherry-pick people's changes; then " : "")
            + "close its pull request and delete it"))
    }
    return found
  }

  /// Returns the change that retires the pull request of the current delivery branch if the last delivery for the watched branch went to
  /// another branch. The pull request may have been closed while the pipeline delivered there.
  static func retirement(for head: Run, _ context: PipelineContext) async throws -> [LedgerChange] {
    let target = context.definition.deliver.target(for: head.branch)
    guard context.definition.deliver.mode == .pullRequest,
      let known = try await context.store.proposedContent(of: context.name, target: target), !known.isRetired,
      let last = try await context.store.deliveryTargets(of: context.name, branch: head.branch).last, last != target
    else { return [] }
    return [.proposed(known.retired, target: target)]
  }

  /// Retires the pull requests into branches that are no longer watched. If such a branch is watched again later, its pull request may have
  /// been closed because the branch did not exist, for example while the default branch had another name.
  static func retire(
    pullRequestsInto gone: Set<String>, whileWatching watched: Set<String>, _ context: PipelineContext
  ) async throws {
    let deliver = context.definition.deliver
    guard deliver.mode == .pullRequest, !gone.isEmpty else { return }
    let targets = Set(gone.map { deliver.target(for: $0) }).subtracting(watched.map { deliver.target(for: $0) })
    var changes: [LedgerChange] = []
    for target in targets.sorted() {
      guard let known = try await context.store.proposedContent(of: context.name, target: target), !known.isRetired
      else { continue }
      changes.append(.proposed(known.retired, target: target))
    }
    if !changes.isEmpty { try await context.store.record(changes, of: context.name) }
  }
}
