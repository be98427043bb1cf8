import Localization

/// Sets commit statuses at the forge. They show whether the newest commits of a branch and of its delivery branch meet the pipeline's
/// requirements, and whether a frozen branch or its delivery branch has new strings.
enum ReportStage {
  static func run(_ job: Job, of head: Run, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge else { return StageOutcome(detail: "no statuses") }
    let heads = try await context.store.heads(of: context.name)
    let told =
      try await completeness(of: head, among: heads, forge, context)
      + freeze(of: head, among: heads, forge, context)
    return StageOutcome(
      detail: told.isEmpty ? "nothing is required of \(head.branch)" : told.joined(separator: "; "),
      hasChangedNothing: true)
  }

  // MARK: Completeness

  /// A branch of the remote whose newest commit must meet the requirements of a watched branch.
  private struct Judged {
    var branch: String
    var commit: CommitID
    var requirements: [CompletionRequirement]
  }

  private static func completeness(
    of head: Run, among heads: [Run], _ forge: any Forge, _ context: PipelineContext
  ) async throws -> [String] {
    guard context.definition.deliver.statuses.contains(.completeness) else { return [] }
    let tips = try await context.branchTips()
    let own = judged(for: head, tips, context)
    let others = heads.filter { $0.branch != head.branch }.flatMap { judged(for: $0, tips, context) }
    var told: [String] = []
    for place in own {
      var status = SharedStatus()
      for judged in [place] + (own + others).filter({ $0.commit == place.commit && $0.branch != place.branch })
      where judged.branch == place.branch || !forge.traits.keepsStatusesByBranch {
        let (verdict, annotations) = try await verdict(on: judged.commit, judged.requirements, context)
        status.add(
          // The text does not begin with PASS or FAIL, because the forge already shows that.
          CommitStatus(
            name: DeliverSettings.Status.completeness.name, isGood: verdict.isMet,
            text: String(verdict.line.dropFirst(5)), annotations: annotations), of: judged.branch)
        if judged.branch == place.branch {
          told.append(place.branch == head.branch ? verdict.line : "\(place.branch): \(verdict.line)")
        }
      }
      if let combined = status.combined(isNamed: true) {
        try await forge.set(combined, of: place.commit, on: place.branch)
      }
    }
    return told
  }

  /// Returns a watched branch, and its delivery branch if that exists and is at another commit; none if the watched branch has no
  /// requirements.
  private static func judged(
    for run: Run, _ tips: [String: CommitID], _ context: PipelineContext
  ) -> [Judged] {
    let requirements = context.definition.requirements(on: run.branch)
    guard !requirements.isEmpty else { return [] }
    let own = Judged(branch: run.branch, commit: run.commit, requirements: requirements)
    let target = context.definition.deliver.target(for: run.branch)
    guard target != run.branch, let tip = tips[target], tip != run.commit else { return [own] }
    return [own, Judged(branch: target, commit: tip, requirements: requirements)]
  }

  /// Returns the verdict on a commit. A commit that cannot be read does not meet the requirements.
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
}

extension CommitIndex {
  /// Returns annotations for the strings that have no finished translation into one of these languages, sorted by their places in the code.
  /// Strings without such a place, and strings in submodules, are left out.
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
