import Localization

/// Sets the status at the forge of the newest commits of a branch and of its delivery branch, which a pull request would merge.
enum ReportStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge, context.definition.deliver.statuses.contains(.completeness) else {
      return StageOutcome(detail: "no statuses")
    }
    let requirements = context.definition.requirements(on: head.branch)
    guard !requirements.isEmpty else { return StageOutcome(detail: "nothing is required of \(head.branch)") }
    var commits = [(branch: head.branch, commit: head.commit)]
    let target = context.definition.deliver.target(for: head.branch)
    if target != head.branch, let tip = try await context.mirror.branches().first(where: { $0.name == target })?.commit,
      tip != head.commit
    {
      commits.append((target, tip))
    }
    var told: [String] = []
    for (branch, commit) in commits {
      let verdict = try await verdict(on: commit, requirements, context)
      // The line begins with PASS or FAIL, which the forge shows by itself.
      let status = CommitStatus(
        name: DeliverSettings.Status.completeness.name, isGood: verdict.isMet, text: String(verdict.line.dropFirst(5)))
      try await forge.set(status, of: commit, on: branch)
      told.append(branch == head.branch ? verdict.line : "\(branch): \(verdict.line)")
    }
    return StageOutcome(detail: told.joined(separator: "; "), hasChangedNothing: true)
  }

  /// A commit that cannot be read fails what is required of it.
  private static func verdict(
    on commit: CommitID, _ requirements: [CompletionRequirement], _ context: PipelineContext
  ) async throws -> CompletionVerdict {
    let nothing = CompletionReport(sourceLanguage: "en", languages: [], catalogs: [])
    let unread = CompletionVerdict(
      nothing, requirements: requirements, obstacles: ["commit \(commit.short) is unreadable"])
    do {
      return try await context.snapshots.snapshot(of: commit).verdict(requirements) ?? unread
    } catch is InputFault {
      return unread
    }
  }
}
