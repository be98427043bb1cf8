import Localization

/// Opens the pull request of a delivery branch, or updates its text.
enum ProposeStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge else { return StageOutcome(detail: "no pull requests") }
    let target = context.definition.deliver.target(for: head.branch)
    let pushed = try await context.store.openDeliveries(of: context.name, branch: head.branch)
      .filter { $0.target == target && $0.state == .pushed }
    guard !pushed.isEmpty, let tip = try await context.mirror.branches().first(where: { $0.name == target })?.commit,
      try await !context.mirror.isAncestor(tip, of: head.commit)
    else { return StageOutcome(detail: "nothing to propose", hasChangedNothing: true) }
    let proposal = try await Proposal.load(for: head, deliveries: pushed, tip: tip, context)
    let wanted = WantedPullRequest(
      branch: target, base: head.branch, tip: tip, title: proposal.title, body: proposal.body(limit: forge.bodyLimit),
      beginning: Proposal.beginning, ending: Proposal.ending, mark: proposal.mark,
      isDraft: context.definition.deliver.isDraft, extras: context.definition.deliver.extras)
    var refused: [Diagnostic] = []
    let found = try await forge.ensure(wanted) { words in
      refused.append(
        Diagnostic(
          path: context.name, severity: .warning,
          message: "the forge refused a part of the pull request for \(head.branch): \(words)".withVisibleControls,
          hint: "correct deliver.labels, deliver.reviewers or deliver.auto_merge, or set it by hand"))
    }
    let detail =
      switch found.state {
      case .open: "pull request \(found.number): \(found.url)"
      case .merged: "pull request \(found.number) is merged"
      case .closed: "pull request \(found.number) was closed; a new one is opened when something new comes"
      }
    return StageOutcome(detail: detail.withVisibleControls, diagnostics: refused, hasChangedNothing: true)
  }

  /// The pull request that a person closed with exactly these deliveries, if there is one. Their branch is then not created again.
  static func closed(
    with planned: [Delivery], of head: Run, _ context: PipelineContext
  ) async throws -> PullRequest? {
    guard context.definition.deliver.mode == .pullRequest, let forge = context.forge, let first = planned.first,
      let last = planned.last, first.expected == nil,
      let found = try await forge.pullRequest(from: first.target, into: head.branch), found.state == .closed,
      try await context.mirror.holds(last.tip)
    else { return nil }
    let proposal = try await Proposal.load(for: head, deliveries: planned, tip: last.tip, context)
    return found.bears(proposal.mark) ? found : nil
  }
}
