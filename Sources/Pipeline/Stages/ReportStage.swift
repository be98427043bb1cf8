import Localization

/// Sets commit statuses at the forge: whether the newest commits of a branch and of its delivery branch (which a pull request would merge)
/// meet the pipeline's requirements, and whether a frozen branch has new strings.
enum ReportStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge else { return StageOutcome(detail: "no statuses") }
    let told = try await completeness(of: head, forge, context) + freeze(of: head, forge, context)
    return StageOutcome(
      detail: told.isEmpty ? "nothing is required of \(head.branch)" : told.joined(separator: "; "),
      hasChangedNothing: true)
  }

  private static func completeness(
    of head: Run, _ forge: any Forge, _ context: PipelineContext
  ) async throws -> [String] {
    let requirements = context.definition.requirements(on: head.branch)
    guard context.definition.deliver.statuses.contains(.completeness), !requirements.isEmpty else { return [] }
    var commits = [(branch: head.branch, commit: head.commit)]
    let target = context.definition.deliver.target(for: head.branch)
    if target != head.branch, let tip = try await context.mirror.branches().first(where: { $0.name == target })?.commit,
      tip != head.commit
    {
      commits.append((target, tip))
    }
    var told: [String] = []
    for (branch, commit) in commits {
      let (verdict, annotations) = try await verdict(on: commit, requirements, context)
      // Without PASS or FAIL at the beginning, which the forge shows itself.
      let status = CommitStatus(
        name: DeliverSettings.Status.completeness.name, isGood: verdict.isMet, text: String(verdict.line.dropFirst(5)),
        annotations: annotations)
      try await forge.set(status, of: commit, on: branch)
      told.append(branch == head.branch ? verdict.line : "\(branch): \(verdict.line)")
    }
    return told
  }

  /// A commit that cannot be read does not meet the requirements.
  private static func verdict(
    on commit: CommitID, _ requirements: [CompletionRequirement], _ context: PipelineContext
  ) async throws -> (CompletionVerdict, [StatusAnnotation]) {
    let nothing = CompletionReport(sourceLanguage: "en", languages: [], catalogs: [])
    let unread = CompletionVerdict(
      nothing, requirements: requirements, obstacles: ["commit \(commit.short) is unreadable"])
    do {
      let snapshot = try await context.snapshots.snapshot(of: commit)
      guard let verdict = snapshot.verdict(requirements, fallbacks: context.definition.fallbacks) else {
        return (unread, [])
      }
      guard context.definition.deliver.annotates, !verdict.unmet.isEmpty else { return (verdict, []) }
      let index = try await context.snapshots.index(of: snapshot)
      return (verdict, index.annotations(of: snapshot, in: Set(verdict.unmet.map(\.completion.language))))
    } catch is InputFault {
      return (unread, [])
    }
  }

  private static func freeze(
    of head: Run, _ forge: any Forge, _ context: PipelineContext
  ) async throws -> [String] {
    guard context.definition.deliver.statuses.contains(.freeze), let history = context.history else { return [] }
    let known = try await history.freezePoint(of: head.branch, of: context.name)
    guard context.definition.rounds.freeze.contains(where: { $0.matches(head.branch) }) else {
      if known != nil { try await history.setFreezePoint(nil, of: head.branch, of: context.name) }
      return []
    }
    var point = known ?? head.commit
    // A rewritten branch may have lost the commit. The freeze then starts at its current commit.
    if try await !context.mirror.holds(point) { point = head.commit }
    if point != known { try await history.setFreezePoint(point, of: head.branch, of: context.name) }
    let new = try await context.snapshots.snapshot(of: head.commit)
    let old = point == head.commit ? new : try await context.snapshots.snapshot(of: point)
    var comparison = CommitComparison(old: old, new: new)
    for change in try await context.mirror.changes(from: point, to: head.commit) {
      if case .renamed(let origin) = change.kind, old.synced[origin] != nil { comparison.renames[change.path] = origin }
    }
    let status = FreezeVerdict(record: comparison.record(), since: point).status(of: head.branch)
    try await forge.set(status, of: head.commit, on: head.branch)
    return [status.text]
  }
}

extension CommitIndex {
  /// The places in code of the strings that lack a translation, sorted by place.
  func annotations(of snapshot: Snapshot, in languages: Set<LocaleIdentifier>) -> [StatusAnnotation] {
    let sites = Dictionary(
      snapshot.found.compactMap { string in
        string.sites.min().map { (UnitID(catalog: string.catalog, key: string.key), $0) }
      }, uniquingKeysWith: { first, _ in first })
    let found = units.compactMap { unit -> (ExtractionSite, StatusAnnotation)? in
      let missing = unit.missing.map { self.languages[$0] }.filter(languages.contains)
      guard !missing.isEmpty, let site = sites[unit.unit], !snapshot.isInSubmodule(site.path) else { return nil }
      let names = missing.count > 6 ? "\(missing.count) languages" : missing.map(\.rawValue).joined(separator: ", ")
      return (
        site,
        StatusAnnotation(
          path: site.path, line: site.line,
          text: "\(unit.unit.key.text.debugDescription) is not translated into \(names)".withVisibleControls)
      )
    }
    return found.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
