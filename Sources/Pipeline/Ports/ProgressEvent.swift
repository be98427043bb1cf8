/// A stage of a job began or ended: a line of `--progress json`.
package struct ProgressEvent: Hashable, Sendable, Codable {
  package enum State: String, Hashable, Sendable, Codable {
    case began, ended
  }

  package var pipeline: String
  /// The rounds that the stage is about, comma-separated numbers, where it is about any.
  package var round: String?
  package var branch: String?
  package var commit: String?
  package var stage: Stage
  /// What of the stage: a vendor.
  package var scope: String?
  package var state: State
  /// How it ended: `succeeded`, `waiting`, `queued` (tried again later), `failed`, `superseded` (no longer wanted).
  package var outcome: String?
  /// What people may want to know: counts, a commit, a failure.
  package var detail: String?

  package init(
    pipeline: String, round: String? = nil, branch: String? = nil, commit: String? = nil, stage: Stage,
    scope: String? = nil, state: State, outcome: String? = nil, detail: String? = nil
  ) {
    self.pipeline = pipeline
    self.round = round
    self.branch = branch
    self.commit = commit
    self.stage = stage
    self.scope = scope
    self.state = state
    self.outcome = outcome
    self.detail = detail
  }
}
