package import FoundationEssentials
package import Localization
package import Pipeline

/// A current problem of a pipeline, for display.
package struct PipelineProblem: Hashable, Sendable, Codable, CustomStringConvertible {
  /// When the failed operation is retried without a person's request.
  package enum Retry: String, Hashable, Sendable, Codable {
    /// Retried at the next poll, or when the job is due.
    case soon
    /// Retried every 15 minutes, and when something changes.
    case often = "every 15 min"
    /// Not retried until something changes, such as a file or the pause of the pipeline.
    case change
  }

  package var pipeline: String
  package var stage: Stage
  /// The branch or vendor; empty for the stages watch, diff and review.
  package var scope: String
  package var severity: Diagnostic.Severity
  package var message: String
  /// The time since which the repository cannot be read, the file has the fault, or the pipeline is paused; for a failed job, the time at which
  /// it failed; `nil` for a finding of a job.
  package var since: Date?
  package var retry: Retry

  package init(
    pipeline: String, stage: Stage, scope: String, severity: Diagnostic.Severity, message: String, since: Date?,
    retry: Retry
  ) {
    (self.pipeline, self.stage, self.scope, self.severity) = (pipeline, stage, scope, severity)
    (self.message, self.since, self.retry) = (message, since, retry)
  }

  /// Describes a pause. A person requested it, so its severity is only a note.
  package init(pipeline: String, _ pause: PipelinePause) {
    let reason = pause.reason.map { " (\($0))" } ?? ""
    self.init(
      pipeline: pipeline, stage: .watch, scope: "", severity: .note,
      message: "paused by \(pause.by)\(reason); resume it with `dragoman pipelines resume \(pipeline)`",
      since: pause.since,
      retry: .change)
  }

  package init(pipeline: String, stage: Stage, scope: String, _ failure: FailureRecord, retry: Retry) {
    (self.pipeline, self.stage, self.scope) = (pipeline, stage, scope)
    (severity, message, since, self.retry) = (.error, failure.message, failure.at, retry)
  }

  /// Describes a finding of a job. The path of a finding about the whole pipeline is the pipeline's name.
  package init(pipeline: String, _ job: Job, _ finding: Diagnostic) {
    (self.pipeline, stage, scope, severity) = (pipeline, job.stage, job.scope, finding.severity)
    let place = finding.path == pipeline ? "" : finding.place + ": "
    message = place + finding.message + (finding.hint.map { "; " + $0 } ?? "")
    retry = job.state.name == .queued ? .soon : .change
  }

  /// The problem as one line, such as `birds deliver main: error: the server refused: … (2026-11-22T12:03:04Z; retried every 15 min)`.
  package var description: String {
    let place = [pipeline, stage.rawValue, scope].filter { !$0.isEmpty }.joined(separator: " ")
    let time = since.map { $0.formatted(.iso8601) }
    let next: String? =
      switch retry {
      case .soon: "will be retried"
      case .often: "retried every 15 min"
      case .change: nil
      }
    let rest = [time, next].compactMap(\.self).joined(separator: "; ")
    return ("\(place): \(severity.rawValue): \(message)" + (rest.isEmpty ? "" : " (\(rest))")).withVisibleControls
  }
}
