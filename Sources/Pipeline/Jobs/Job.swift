package import FoundationEssentials
package import Localization

/// The stages of a pipeline.
package enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
  case watch, extract, diff, push, pull, merge, deliver
  /// This stage exists only with `mode: pull-request`.
  case propose
  /// This stage exists only with `deliver.statuses`.
  case report
  /// This stage exists only with `deliver.comments` or the status `freeze`.
  case review
}

package struct JobID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// One stage for one branch, one vendor or a whole pipeline. Each such combination has at most one job, which is armed again when its
/// inputs differ from those of its last success. New commits do not add jobs, so finished jobs do not pile up.
package struct Job: Hashable, Sendable {
  package var id: JobID
  package var pipeline: String
  package var stage: Stage
  /// The branch of an extract, merge, deliver, propose or report job; the vendor of a push or pull job; empty for other stages.
  package var scope: String
  package var state: JobState
  /// The number of attempts with the current inputs.
  package var attempts: Int
  /// The number of state changes. Writers compare it (optimistic locking).
  package var version: Int
  /// The time at which the job was armed with its current inputs. Commits use this time, so repeating the job makes the same commit.
  package var armed: Date
  /// A digest of the current inputs.
  package var inputs: String
  /// The digest of the inputs of the job's last success; `nil` if it never succeeded.
  package var done: String?
  /// The problems that the last successful run found, or the error of an attempt that is tried again. A later run replaces them; a permanent failure
  /// keeps them.
  package var findings: [Diagnostic]
  /// The time since which every attempt has failed; `nil` if the last completed attempt did not fail.
  package var failingSince: Date?

  package init(
    id: JobID, pipeline: String, stage: Stage, scope: String, state: JobState, attempts: Int, version: Int,
    armed: Date, inputs: String, done: String? = nil, findings: [Diagnostic] = [], failingSince: Date? = nil
  ) {
    self.failingSince = failingSince
    self.id = id
    self.pipeline = pipeline
    self.stage = stage
    self.scope = scope
    self.state = state
    self.attempts = attempts
    self.version = version
    self.armed = armed
    self.inputs = inputs
    self.done = done
    self.findings = findings
  }

  /// Returns the job after an event, with its version incremented.
  /// - Parameter now: the time when the attempt ended, for `failingSince`.
  package func applying(_ event: JobEvent, at now: Date) throws(IllegalTransition) -> Job {
    var moved = try applying(event)
    switch event.name {
    case .fail, .retry: moved.failingSince = min(failingSince ?? now, now)
    case .succeed, .snooze: moved.failingSince = nil
    case .claim, .heartbeat, .interrupt, .leaseExpired, .due, .arm: break
    }
    return moved
  }

  /// Returns the job after an event, with its version incremented. `failingSince` is not updated.
  package func applying(_ event: JobEvent) throws(IllegalTransition) -> Job {
    var moved = self
    moved.state = try state.applying(event)
    moved.attempts = max(0, attempts + event.attempts)
    moved.version += 1
    return moved
  }
}

/// A job that `PipelineGraph` plans.
package struct JobPlan: Hashable, Sendable {
  package var stage: Stage
  package var scope: String
  /// Jobs of one pipeline and lane never run at the same time.
  package var lane: String
  /// The job waits while a job of one of these stages in the same pipeline is due or running.
  package var waitsFor: Set<Stage>
  package var inputs: String
  /// The job does not start before this instant.
  package var due: Date

  package init(stage: Stage, scope: String, lane: String, waitsFor: Set<Stage> = [], inputs: String, due: Date) {
    self.stage = stage
    self.scope = scope
    self.lane = lane
    self.waitsFor = waitsFor
    self.inputs = inputs
    self.due = due
  }
}

extension Stage {
  /// Whether the stage has one job for each branch.
  package var hasBranch: Bool {
    switch self {
    case .extract, .merge, .deliver, .propose, .report: true
    case .watch, .diff, .push, .pull, .review: false
    }
  }
}
