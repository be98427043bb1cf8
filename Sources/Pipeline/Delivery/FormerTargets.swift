import Localization

/// The delivery branches that a pipeline no longer delivers to, because `deliver.branch` or `deliver.mode` changed.
enum FormerTargets {
  /// Returns a finding for each former delivery branch that still exists, with the number of other people's commits on it. Dragoman does
  /// not delete these branches. This function must be called before the deliveries to them are abandoned.
  static func findings(of head: Run, _ context: PipelineContext) async throws -> [Diagnostic] {
    let target = context.definition.deliver.target(for: head.branch)
    let open = try await context.store.openDeliveries(of: context.name, branch: head.branch)
    let former = Set(open.map(\.target)).subtracting([target]).sorted()
    guard !former.isEmpty else { return [] }
    let branches = try await context.mirror.branches()
    var found: [Diagnostic] = []
    for name in former {
      guard let tip = branches.first(where: { $0.name == name })?.commit else { continue }
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
}
