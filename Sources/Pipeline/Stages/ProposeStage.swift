import FoundationEssentials
import Localization

/// Opens the pull request of a delivery branch, or updates its text.
enum ProposeStage {
  /// The interval of the next attempts while the forge cannot turn on automatic merging yet, or is merging the pull request.
  static let mergeInterval = Duration.seconds(60)
  /// The time for which these attempts are repeated after the inputs of the job last changed, for example because the delivery branch moved.
  static let mergePatience = Duration.seconds(3600)

  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge else { return StageOutcome(detail: "no pull requests") }
    let target = context.definition.deliver.target(for: head.branch)
    let pushed = try await context.store.openDeliveries(of: context.name, branch: head.branch)
      .filter { $0.target == target && $0.state == .pushed }
    let nothing = StageOutcome(detail: "nothing to propose", hasChangedNothing: true)
    guard let tip = try await context.mirror.branches().first(where: { $0.name == target })?.commit,
      try await !context.mirror.isAncestor(tip, of: head.commit)
    else { return nothing }
    let unrecorded = try await UnrecordedTexts.find(
      on: tip, of: target, besides: pushed, for: head, context)
    guard !pushed.isEmpty || unrecorded != nil else { return nothing }
    let proposal = try await Proposal.load(
      for: head, deliveries: pushed, unrecorded: unrecorded ?? UnrecordedTexts(), tip: tip, context)
    let known = try await context.store.proposedContent(of: context.name, target: target)
    var retired: Int?
    if let known, known.isRetired, let found = try await forge.pullRequest(from: target, into: head.branch),
      known.retires(found)
    {
      retired = found.number
    }
    let wanted = WantedPullRequest(
      branch: target, base: head.branch, tip: tip, title: proposal.title(limit: forge.traits.titleLimit),
      body: proposal.body(limit: forge.traits.bodyLimit), beginning: Proposal.beginning, lastLine: Proposal.lastLine,
      ending: Proposal.ending, mark: proposal.mark,
      earlier: known.flatMap { proposal.parts.allSatisfy($0.contains) ? $0.number : nil },
      retired: retired, isDraft: context.definition.deliver.isDraft, extras: context.definition.deliver.extras)
    if let known, known.mark != proposal.mark, proposal.parts.allSatisfy(known.contains),
      let closed = try await forge.pullRequest(from: target, into: head.branch), proposal.isRefused(by: closed, known)
    {
      let withheld = Self.findings(withholding: proposal, by: closed, into: head, context)
      return StageOutcome(
        detail: leftClosed(closed), diagnostics: withheld, lasting: withheld, hasChangedNothing: true)
    }
    var findings: [Diagnostic] = []
    var later: String?
    let isLate = try await context.store.now().timeIntervalSince(job.armed) > mergePatience.seconds
    let found = try await forge.ensure(wanted) { words in
      findings.append(
        Diagnostic(
          path: context.name, severity: .warning,
          message: "the forge refused a property of the pull request for \(head.branch): \(words)".withVisibleControls,
          hint: "correct deliver.labels, deliver.reviewers or deliver.auto_merge, or set the property by hand"))
    } merging: { words in
      guard isLate else {
        later = words
        return true
      }
      findings.append(
        Diagnostic(
          path: context.name, severity: .warning,
          message: "the forge does not merge the pull request for \(head.branch) automatically: \(words)"
            .withVisibleControls,
          hint: """
            merge it by hand. It may be a draft, conflict with \(head.branch) or have failed checks; GitHub needs a rule \
            for \(head.branch) that requires a check or a review
            """))
      return false
    }
    let record = proposal.record(of: found)
    let withheld =
      found.state == .closed
      ? Self.findings(withholding: proposal, by: found, into: head, context) : []
    if found.state == .open, known?.isRetired != false || known?.number != found.number {
      findings += try await FormerTargets.findings(of: head, context)
    }
    let detail =
      switch found.state {
      case .open:
        "pull request \(found.number): \(found.url)" + (later.map { "; automatic merging is set later: \($0)" } ?? "")
      case .merging: "pull request \(found.number) is being merged: \(found.url)"
      case .merged: "pull request \(found.number) is merged"
      case .closed: leftClosed(found)
      }
    return StageOutcome(
      later != nil || found.state == .merging && !isLate ? .wait(for: mergeInterval) : .done,
      changes: found.state == .open && known != record ? [.proposed(record, target: target)] : [],
      detail: detail.withVisibleControls, diagnostics: findings + withheld, lasting: withheld,
      hasChangedNothing: true)
  }

  private static func leftClosed(_ found: PullRequest) -> String {
    "pull request \(found.number) was closed; a new one is opened when there is new content"
  }

  /// Returns the finding that translations on the delivery branch are not proposed because a person closed their pull request; none if
  /// there is nothing to propose.
  private static func findings(
    withholding proposal: Proposal, by closed: PullRequest, into head: Run, _ context: PipelineContext
  ) -> [Diagnostic] {
    guard !proposal.parts.isEmpty else { return [] }
    return [
      Diagnostic(
        path: context.name, severity: .note,
        message: "pull request \(closed.number) was closed, so its translations are not proposed again",
        hint: "to propose them, reopen it. New translations open a new pull request with all of them")
    ]
  }

  /// Returns the pull request with the content of these deliveries if a person closed it and the delivery branch no longer exists. In that
  /// case, the branch is not created again.
  static func closed(
    with planned: [Delivery], of head: Run, _ context: PipelineContext
  ) async throws -> PullRequest? {
    guard context.definition.deliver.mode == .pullRequest, let forge = context.forge, let first = planned.first,
      let last = planned.last, first.expected == nil,
      let found = try await forge.pullRequest(from: first.target, into: head.branch), found.state == .closed,
      try await context.mirror.holds(last.tip)
    else { return nil }
    let proposal = try await Proposal.load(for: head, deliveries: planned, tip: last.tip, context)
    let known = try await context.store.proposedContent(of: context.name, target: first.target)
    return proposal.isRefused(by: found, known) ? found : nil
  }
}
