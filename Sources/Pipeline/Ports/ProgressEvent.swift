/// The start or end of a stage: one line of `--progress json`.
package struct ProgressEvent: Hashable, Sendable, Codable {
  package enum State: String, Hashable, Sendable, Codable {
    case began, ended
  }

  package var pipeline: String
  /// The job's number in the ledger; `nil` for a look at the repository, which is not a job.
  package var job: Int64?
  /// The numbers of the stage's rounds, comma-separated; `nil` if the stage has no round.
  package var round: String?
  package var branch: String?
  package var commit: String?
  package var stage: Stage
  /// The vendor, for stages with one job for each vendor.
  package var scope: String?
  package var state: State
  /// The result of the stage: `succeeded`, `waiting`, `queued` (tried again later), `failed` or `superseded` (no longer needed).
  package var outcome: String?
  /// Information for users: counts, a commit, or an error.
  package var detail: String?
  /// Whether the stage did something that the log always shows (`StageOutcome.hasEffect`). Not included in `--progress json`.
  package var hasEffect = false

  private enum CodingKeys: String, CodingKey {
    case pipeline, job, round, branch, commit, stage, scope, state, outcome, detail
  }

  package init(
    pipeline: String, job: Int64? = nil, round: String? = nil, branch: String? = nil, commit: String? = nil,
    stage: Stage,
    scope: String? = nil, state: State, outcome: String? = nil, detail: String? = nil
  ) {
    self.pipeline = pipeline
    self.job = job
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
