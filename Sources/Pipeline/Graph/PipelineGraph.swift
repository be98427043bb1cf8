package import FoundationEssentials
import Localization

/// The whole graph of a pipeline: which stage follows which, what makes a stage due, and in which lane it runs. Only this makes jobs.
///
/// ```
///  watch ──► extract ──► diff ──► push ──► pull ──► merge ──► deliver
///            branch      all      vendor   vendor   branch    branch
/// ```
///
/// A stage is due when its inputs are other than those it last succeeded with. Inputs are what *is*: the definition, the heads, the
/// remote's branches, the ledger. Who woke the pipeline does not matter, so a changed pipeline file, a deleted branch and a closed pull
/// request are differences like a new commit.
package struct PipelineGraph: Sendable {
  package let state: PipelineState

  package init(_ state: PipelineState) { self.state = state }

  /// Every job that the pipeline has now. Jobs that are not among them are not wanted any more.
  package var jobs: [JobPlan] {
    state.heads.map(extract) + diff + state.vendors.flatMap { push($0) + [pull($0)] }
      + state.heads.flatMap { [merge($0)] + deliver($0) }
  }

  // MARK: Stages

  /// Reads a head: due when the branch has another commit, or the pipeline reads sources in another way.
  private func extract(_ head: Run) -> JobPlan {
    JobPlan(
      stage: .extract, scope: head.branch, lane: Self.lane(ofBranch: head.branch),
      inputs: digest(.extract, state.definition.extractionText, head.commit.rawValue), due: state.now)
  }

  /// Plans rounds: due when a head, the set of branches, the definition, or what a person decided about rounds changed.
  private var diff: [JobPlan] {
    guard !state.heads.isEmpty else { return [] }
    var inputs = [state.definition.planningText, String(state.work.decisions)]
    for head in state.heads {
      inputs += [head.branch, head.commit.rawValue, isRead(head) ? "read" : "unread"]
      // What stands on a delivery branch and is not ours need not be sent.
      if let tip = tip(for: head), tip != state.ownTips[head.branch] { inputs.append(tip.rawValue) }
    }
    return [
      JobPlan(
        stage: .diff, scope: "", lane: "rounds", waitsFor: [.extract], inputs: digest(.diff, inputs), due: roundDue)
    ]
  }

  /// Hands over what is written down for a vendor: due while something is.
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

  /// Looks at a vendor, again and again: the stage itself says when next. New work for the vendor brings the next look forward.
  private func pull(_ vendor: String) -> JobPlan {
    let work = state.work.vendors[vendor] ?? VendorWork()
    return JobPlan(
      stage: .pull, scope: vendor, lane: Self.lane(ofVendor: vendor), waitsFor: [.extract, .diff, .push],
      inputs: digest(.pull, state.definition.vendorText(vendor), String(work.outstanding)), due: state.now)
  }

  /// Puts what came back into a branch: due when something came, the branch or its delivery branch moved, or the definition changed.
  private func merge(_ head: Run) -> JobPlan {
    let inputs =
      [state.definition.deliveryText, head.commit.rawValue, isRead(head) ? "read" : "unread"]
      + [tip(for: head)?.rawValue ?? "", String(state.work.revision)] + state.heads.map(\.branch)
    return JobPlan(
      stage: .merge, scope: head.branch, lane: Self.lane(ofBranch: head.branch),
      // `run --once` makes one commit of all that its vendors return.
      waitsFor: state.isOnce ? [.extract, .diff, .push, .pull] : [.extract], inputs: digest(.merge, inputs),
      due: state.now)
  }

  /// Pushes what is written down for a branch: due while something is.
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

  // MARK: Parts

  package static func lane(ofBranch branch: String) -> String { "branch \(branch)" }
  package static func lane(ofVendor vendor: String) -> String { "vendor \(vendor)" }

  /// Whether the head was extracted in the way that the definition asks for now.
  private func isRead(_ head: Run) -> Bool { state.extracted[head.branch] == extract(head).inputs }

  private func tip(for head: Run) -> CommitID? {
    state.remote[state.definition.deliver.target(for: head.branch)]
  }

  /// When the next round may go out: as soon as the first of the branches that have something new has been quiet long enough.
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
  /// When a branch's round may go out: when no commit came for `quiet`, at the latest after `latest`. A branch that is seen for the
  /// first time waits for nothing. An instant in the future tells that the clock was set back since; the wait begins anew then.
  package func due(for run: Run, now: Date) -> Date {
    guard let since = run.pendingSince else { return now }
    let quietEnd = min(run.created, now).addingTimeInterval(quiet.seconds)
    return max(now, min(quietEnd, min(since, now).addingTimeInterval(latest.seconds)))
  }
}
