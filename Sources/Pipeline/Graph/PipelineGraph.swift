package import FoundationEssentials
import Localization

/// The graph of a pipeline: the order of the stages, the inputs that make a stage due, and the lane in which the stage runs. Only this type
/// plans jobs.
///
/// ```
///  watch ──► extract ──► diff ──► push ──► pull ──► merge ──► deliver ──► propose
///            branch      all      vendor   vendor   branch    branch      branch
///              └─────► report, review
///                      branch  all
/// ```
///
/// A stage is due when its inputs differ from those of its last success. The inputs are parts of the current state: the definition, the
/// heads, the remote's branches and the ledger. The inputs do not depend on the event that woke the pipeline. A changed pipeline file, a
/// deleted branch and a closed pull request are therefore handled like a new commit.
package struct PipelineGraph: Sendable {
  package let state: PipelineState

  package init(_ state: PipelineState) { self.state = state }

  /// All current jobs of the pipeline. Any other job is obsolete.
  package var jobs: [JobPlan] {
    state.heads.map(extract) + diff + review + state.vendors.flatMap { push($0) + [pull($0)] }
      + state.heads.flatMap { [merge($0)] + deliver($0) + propose($0) } + reports
  }

  // MARK: Stages

  /// Reads a head. Due when the branch has a new commit, or when the settings for reading sources or for counting change.
  private func extract(_ head: Run) -> JobPlan {
    JobPlan(
      stage: .extract, scope: head.branch, lane: Self.lane(ofBranch: head.branch),
      inputs: digest(
        .extract, [state.definition.extractionText, head.commit.rawValue] + state.definition.countingParts),
      due: state.now)
  }

  /// Plans rounds. Due when a head, the set of branches or the definition changes, when a head was read, when other people commit to a
  /// delivery branch, and when the ledger requires it, for example because a user decided about a round or a vendor refused units
  /// (`PendingWork.decisions`). Also due when a vendor has failed for so long that its fallback replaces it.
  private var diff: [JobPlan] {
    guard !state.heads.isEmpty else { return [] }
    var inputs = [state.definition.planningText, String(state.work.decisions)]
    for head in state.heads {
      inputs += [head.branch, head.commit.rawValue, isRead(head) ? "read" : "unread"]
      // Other people's commits on a delivery branch may contain translations that need not be sent.
      if let tip = tip(for: head), tip != state.ownTips[head.branch] { inputs.append(tip.rawValue) }
    }
    let absent = FailingVendors(state.failing, now: state.now).absent(
      among: zip(state.vendors, state.definition.vendors).map { (name: $0, definition: $1) })
    if !absent.isEmpty { inputs += ["absent"] + absent.sorted() }
    return [
      JobPlan(
        stage: .diff, scope: "", lane: "rounds", waitsFor: [.extract], inputs: digest(.diff, inputs), due: roundDue)
    ]
  }

  /// Sends shipments and notices to a vendor. Due while some of them are not sent.
  private func push(_ vendor: String) -> [JobPlan] {
    let work = state.work.vendors[vendor] ?? VendorWork()
    guard work.unsent + work.toNotify > 0 else { return [] }
    return [
      JobPlan(
        stage: .push, scope: vendor, lane: Self.lane(ofVendor: vendor), waitsFor: [.extract, .diff],
        inputs: digest(
          .push, state.definition.vendorText(vendor), String(work.unsent), String(work.toNotify),
          String(work.newestShipment), String(work.newestNotice)),
        due: state.now)
    ]
  }

  /// Polls a vendor. The stage sets the time of the next poll. A change in the number of outstanding units, or in the vendors' settings,
  /// makes the poll due immediately.
  private func pull(_ vendor: String) -> JobPlan {
    let work = state.work.vendors[vendor] ?? VendorWork()
    return JobPlan(
      stage: .pull, scope: vendor, lane: Self.lane(ofVendor: vendor), waitsFor: [.extract, .diff, .push],
      inputs: digest(.pull, state.definition.vendorText(vendor), String(work.outstanding)), due: state.now)
  }

  /// Merges returned units into a branch. Due when the branch or its delivery branch moved, when the branch's head was read, when the set of watched
  /// branches or the definition changed, when units are held because of a glossary that changed, and when the ledger must be read again, for example
  /// because units were returned (`PendingWork.revision`).
  private func merge(_ head: Run) -> JobPlan {
    let inputs =
      [state.definition.deliveryText, head.commit.rawValue, isRead(head) ? "read" : "unread"]
      + [tip(for: head)?.rawValue ?? "", String(state.work.revision)] + state.heads.map(\.branch)
      // Included only if there is a digest. If it were always included, the update of Dragoman that added glossaries would have caused all merges
      // to run again.
      + (state.glossary.map { ["glossary", $0] } ?? [])
    return JobPlan(
      stage: .merge, scope: head.branch, lane: Self.lane(ofBranch: head.branch),
      // `run --once` makes one commit for the returns of all vendors.
      waitsFor: state.isOnce ? [.extract, .diff, .push, .pull] : [.extract], inputs: digest(.merge, inputs),
      due: state.now)
  }

  /// Pushes the planned deliveries of a branch. Due while the branch has planned deliveries.
  private func deliver(_ head: Run) -> [JobPlan] {
    guard let planned = state.work.planned[head.branch] else { return [] }
    return [
      JobPlan(
        stage: .deliver, scope: head.branch, lane: Self.lane(ofBranch: head.branch),
        waitsFor: state.isOnce ? [.merge] : [],
        inputs: digest(
          .deliver, state.definition.deliveryText, tip(for: head)?.rawValue ?? "", String(planned.rawValue)),
        due: state.now)
    ]
  }

  /// Opens or updates the pull request of a branch. Due when the watched branch or the delivery branch moved, when the settings changed, or
  /// when the data in the pull request's text may have changed.
  private func propose(_ head: Run) -> [JobPlan] {
    guard state.definition.deliver.mode == .pullRequest, let tip = tip(for: head) else { return [] }
    return [
      JobPlan(
        stage: .propose, scope: head.branch, lane: Self.lane(ofBranch: head.branch), waitsFor: [.merge, .deliver],
        inputs: digest(
          .propose, state.definition.proposalText, head.commit.rawValue, tip.rawValue, String(state.work.revision)),
        due: state.now)
    ]
  }

  /// Sets the statuses of the newest commits of each branch and of its delivery branch. A job is due when one of these branches moved, when the
  /// requirements or other settings of statuses changed, or when another watched branch moved to one of these commits or away from it: branches at
  /// the same commit share its statuses. A branch whose head is not read has no such job.
  private var reports: [JobPlan] {
    guard !state.definition.deliver.statuses.isEmpty else { return [] }
    var places: [CommitID: [Run]] = [:]
    for head in state.heads { for commit in commits(of: head) { places[commit, default: []].append(head) } }
    return state.heads.filter(isRead).map { report($0, among: places) }
  }

  /// Returns the report job of a branch.
  /// - Parameter places: for each commit, the watched branches for which it is the newest commit of the branch or of its delivery branch.
  private func report(_ head: Run, among places: [CommitID: [Run]]) -> JobPlan {
    let others = Dictionary(
      commits(of: head).flatMap { places[$0] ?? [] }.map { ($0.branch, $0) }, uniquingKeysWith: { first, _ in first })
    let inputs =
      [reportInputs(head)]
      + others.sorted { $0.key < $1.key }.filter { $0.key != head.branch }
      .map { ["beside", $0.key] + reportInputs($0.value) }
    return JobPlan(
      stage: .report, scope: head.branch, lane: Self.lane(ofReports: head.branch), waitsFor: [.extract, .deliver],
      inputs: digest(.report, Array(inputs.joined())), due: state.now)
  }

  private func reportInputs(_ head: Run) -> [String] {
    [state.definition.reportText(on: head.branch), head.commit.rawValue, tip(for: head)?.rawValue ?? ""]
  }

  /// Returns the newest commits of a branch and of its delivery branch.
  private func commits(of head: Run) -> Set<CommitID> { Set([head.commit, tip(for: head)].compactMap(\.self)) }

  /// Comments on people's pull requests, and sets the status `freeze` on their commits. Due when a branch of the remote moved or the
  /// settings changed; the stage itself sets the time of its next run.
  private var review: [JobPlan] {
    guard state.definition.reviewsPullRequests, !state.heads.isEmpty else { return [] }
    let branches = state.remote.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return [
      JobPlan(
        stage: .review, scope: "", lane: "reviews", waitsFor: [.extract],
        inputs: digest(.review, [state.definition.reviewText] + branches), due: state.now)
    ]
  }

  // MARK: Parts

  package static func lane(ofBranch branch: String) -> String { "branch \(branch)" }
  /// Returns a separate lane, because a forge that does not respond must not delay a branch's translations.
  private static func lane(ofReports branch: String) -> String { "reports \(branch)" }
  package static func lane(ofVendor vendor: String) -> String { "vendor \(vendor)" }

  /// Returns whether the head was extracted with the current settings.
  private func isRead(_ head: Run) -> Bool { state.extracted[head.branch] == extract(head).inputs }

  private func tip(for head: Run) -> CommitID? {
    state.remote[state.definition.deliver.target(for: head.branch)]
  }

  /// The time when the next round can be sent: the earliest time for any branch with changes (`RoundSettings.due`).
  private var roundDue: Date {
    guard !state.isOnce else { return state.now }
    let waiting = state.heads.filter { !$0.isCompared }
    guard !waiting.isEmpty else { return state.now }
    return waiting.map { state.definition.rounds.due(for: $0, now: state.now) }.min() ?? state.now
  }

  private func digest(_ stage: Stage, _ parts: String...) -> String { digest(stage, parts) }

  private func digest(_ stage: Stage, _ parts: [String]) -> String {
    var writer = ByteWriter()
    writer.write(stage.rawValue)
    writer.write(parts) { $0.write($1) }
    return ContentDigest.hexadecimal(of: writer.bytes, bytes: 16)
  }
}

extension RoundSettings {
  /// Returns the time when a branch's round can be sent: after `quiet` without a new commit, and at most `latest` after the first change. A
  /// branch that is seen for the first time does not wait. If a recorded time is in the future, the clock was set back, and the wait starts
  /// again from now.
  package func due(for run: Run, now: Date) -> Date {
    guard let since = run.pendingSince else { return now }
    let quietEnd = min(run.created, now).addingTimeInterval(quiet.seconds)
    return max(now, min(quietEnd, min(since, now).addingTimeInterval(latest.seconds)))
  }
}
