import Localization
import Workspace

/// Comments on people's open pull requests to show their changes for translators, and sets the status `freeze`. Each pull request gets at
/// most one comment, which is updated in place.
///
/// The content of a pull request is untrusted: it is read like any tree, within the same limits, on the background thread. The content
/// never affects what is sent, merged or delivered.
enum ReviewStage {
  /// The interval of requests to the forge if no branch moved and no webhook event arrived.
  static let interval = Duration.seconds(300)
  /// The maximum number of pull requests that are read per branch.
  static let limit = 100

  static func run(_ job: Job, _ context: PipelineContext) async throws -> StageOutcome {
    guard let forge = context.forge else { return StageOutcome(detail: "no pull requests") }
    var findings: [Diagnostic] = []
    var requests = ReviewRequests()
    var open: Set<Int> = []
    var (seen, changed) = (0, 0)
    for head in try await context.store.heads(of: context.name) {
      for pull in try await forge.openPullRequests(into: head.branch, limit: limit) {
        guard pull.isFork || !isDelivery(pull.branch, into: head.branch, context) else { continue }
        open.insert(pull.number)
        try Task.checkCancellation()
        do {
          guard let commit = try await commit(of: pull, context) else { continue }
          let subject = ReviewMemory.Subject(head: commit, base: head.commit)
          guard context.reviews.isNew(subject, of: pull.number) else { continue }
          seen += 1
          let outcome = try await review(pull, at: commit, over: head, by: forge, &requests, context)
          if outcome.isChanged { changed += 1 }
          if outcome.isComplete { context.reviews.note(subject, of: pull.number) }
        } catch let fault where isOfPullRequest(fault) {
          findings.append(
            Diagnostic(
              path: context.name, severity: .warning,
              message:
                "pull request \(pull.number) cannot be read: \("\(fault)".prefix(300).description.withVisibleControls)")
          )
        }
      }
    }
    context.reviews.keep(only: open)
    if let fault = requests.fault { throw fault }
    findings += requests.findings(of: context.name)
    let refused = requests.count == 0 ? "" : ", \(requests.count) refused"
    return StageOutcome(
      .wait(for: interval), detail: "\(open.count) open, \(seen) reviewed, \(changed) changed\(refused)",
      diagnostics: findings, lasting: findings, hasChangedNothing: true,
      hasEffect: changed > 0)
  }

  /// Returns whether an error is about the content of a single pull request, so the others can still be reviewed.
  private static func isOfPullRequest(_ error: any Error) -> Bool {
    // The last condition covers a submodule whose commit is missing or whose declaration is invalid.
    error is InputFault || error is TreeError || (error as? PipelineError)?.kind == .unreadableInput
  }

  private static func isDelivery(_ branch: String, into base: String, _ context: PipelineContext) -> Bool {
    context.definition.deliver.mode != .push && branch == context.definition.deliver.target(for: base)
  }

  /// Returns the newest commit of a pull request, after fetching it if needed.
  /// - Returns: `nil` if the forge does not offer the commit, or if it names only the beginning of the commit's id and the pull request's branch
  ///   is not at that commit, for example because the branch got another commit in the meantime, which the next poll detects.
  private static func commit(of pull: OpenPullRequest, _ context: PipelineContext) async throws -> CommitID? {
    let isWhole = pull.head.rawValue.count == 40
    if isWhole, try await context.mirror.holds(pull.head) { return pull.head }
    if !pull.isFork, pull.head.rawValue.count >= 7,
      let tip = try await context.mirror.branches().first(where: { $0.name == pull.branch })?.commit,
      tip.rawValue.hasPrefix(pull.head.rawValue)
    {
      return tip
    }
    guard isWhole else { return nil }
    if let reference = pull.reference, try await context.mirror.fetch(reference) != nil,
      try await context.mirror.holds(pull.head)
    {
      return pull.head
    }
    return try await context.mirror.fetch(pull.head) ? pull.head : nil
  }

  /// Reviews a pull request: sets its freeze status and its comment.
  /// - Returns: whether the comment was added or changed, and whether the review is complete: all objects existed and the forge accepted
  ///   everything, so another review would find nothing new.
  private static func review(
    _ pull: OpenPullRequest, at commit: CommitID, over head: Run, by forge: any Forge,
    _ requests: inout ReviewRequests, _ context: PipelineContext
  ) async throws -> (isChanged: Bool, isComplete: Bool) {
    // A branch without a common history is compared with the head of the base branch.
    let base = try await context.mirror.mergeBase(head.commit, commit) ?? head.commit
    let isFrozen = context.isFrozen(head.branch)
    let isGated = isFrozen && context.definition.deliver.statuses.contains(.freeze) && !pull.isFork
    var verdict = FreezeVerdict(subject: .pullRequest(into: head.branch), since: base)
    let old: Snapshot
    let new: Snapshot
    let record: CommitRecord
    do {
      let changes = try await context.mirror.changes(from: base, to: commit)
      try check(changes, of: pull, context)
      old = try await context.backgroundSnapshot(of: base)
      new = try await context.backgroundSnapshot(of: commit)
      var comparison = CommitComparison(old: old, new: new)
      for change in changes {
        if case .renamed(let origin) = change.kind, old.synced[origin] != nil {
          comparison.renames[change.path] = origin
        }
      }
      record = comparison.record()
    } catch let fault where isOfPullRequest(fault) {
      if isGated {
        verdict.unread = ["\(fault)"]
        _ = try await set(verdict.status, of: commit, of: pull, by: forge, &requests, context)
      }
      throw fault
    }
    var isComplete = !old.lacksObjects && !new.lacksObjects
    if isGated {
      (verdict.record, verdict.unread, verdict.unreadBefore) = (record, new.unread, old.unread)
      let isSet = try await set(verdict.status, of: commit, of: pull, by: forge, &requests, context)
      isComplete = isComplete && isSet
    }
    guard context.definition.deliver.comments else { return (false, isComplete) }
    let review = PullRequestReview(
      pipeline: context.name, formerly: context.definition.formerly, base: head.branch, head: commit, record: record,
      findings: try await newFindings(from: base, to: commit, context),
      missing: missing(record, in: new), languages: new.languages, unread: new.unread, unreadBase: old.unread,
      isFrozen: isFrozen, routes: context.routes,
      prices: context.vendors.reduce(into: [:]) { $0[$1.name] = $1.definition.wordPrice })
    let isChanged = try await requests.send(about: pull.number) {
      try await forge.ensure(review.comment(limit: forge.traits.bodyLimit), on: pull.number)
    }
    return (isChanged ?? false, isComplete && isChanged != nil)
  }

  /// Sets the freeze status of a pull request. If the forge keeps one status per commit, this status is combined with those of other pull
  /// requests and frozen branches at the same commit.
  /// - Returns: whether the forge accepted the status.
  private static func set(
    _ own: CommitStatus, of commit: CommitID, of pull: OpenPullRequest, by forge: any Forge,
    _ requests: inout ReviewRequests, _ context: PipelineContext
  ) async throws -> Bool {
    context.reviews.note(own, of: commit, of: pull.number)
    guard !forge.traits.keepsStatusesByBranch else {
      return try await requests.send(about: pull.number) { try await forge.set(own, of: commit, on: pull.branch) }
        != nil
    }
    var status = SharedStatus()
    for (number, ofPullRequest) in context.reviews.statuses(of: commit) {
      status.add(ofPullRequest, of: "pull request \(number)")
    }
    if let history = context.history {
      let heads = try await context.store.heads(of: context.name)
      try await ReportStage.addFreeze(at: commit, among: heads, to: &status, history, context)
    }
    guard let combined = status.combined(isNamed: false) else { return true }
    return try await requests.send(about: pull.number) { try await forge.set(combined, of: commit, on: pull.branch) }
      != nil
  }

  /// Rejects pull requests from forks that change a submodule. A fork could set the submodule to another repository that our credentials
  /// can read, and the comment would show the strings of that repository.
  private static func check(
    _ changes: [TreeChange], of pull: OpenPullRequest, _ context: PipelineContext
  ) throws(TreeError) {
    guard pull.isFork, !context.definition.submodules.isEmpty else { return }
    let guarded = Set(context.definition.submodules.map(\.path) + [".gitmodules"])
    guard let change = changes.first(where: { guarded.contains($0.path) }) else { return }
    throw TreeError(
      path: change.path, kind: .unreadable,
      detail: "the pull request comes from a fork and changes a submodule, so it gets no comment")
  }

  private static func newFindings(
    from base: CommitID, to commit: CommitID, _ context: PipelineContext
  ) async throws -> [AdviceFinding] {
    let loader = context.background ?? context.snapshots
    let known = Set(try await loader.advice(on: base).map(\.identity))
    return try await loader.advice(on: commit).filter { !known.contains($0.identity) }
  }

  /// Returns the languages without a finished translation, for each new or changed string.
  private static func missing(_ record: CommitRecord, in snapshot: Snapshot) -> [UnitID: [LocaleIdentifier]] {
    let asked = Set(record.changes.filter { $0.kind == .added || $0.kind == .changed }.map(\.unit))
    guard !asked.isEmpty else { return [:] }
    let index = CommitIndex(snapshot)
    return Dictionary(
      index.units.lazy.filter { asked.contains($0.unit) }.map { ($0.unit, $0.missing.map { index.languages[$0] }) },
      uniquingKeysWith: { first, _ in first })
  }
}
