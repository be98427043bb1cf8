package import FoundationEssentials
package import Localization

/// The seven stages of a commit's way.
package enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
  case watch, extract, diff, push, pull, merge, deliver
}

package struct JobID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// One stage for one branch, one vendor or a whole pipeline. There is one job for each, however many commits pass: it is armed again
/// whenever its inputs are other than those it last succeeded with, so that finished jobs never pile up.
package struct Job: Hashable, Sendable {
  package var id: JobID
  package var pipeline: String
  package var stage: Stage
  /// The branch of an extract, merge or deliver job, the vendor of a push or pull job, empty for diff.
  package var scope: String
  package var state: JobState
  /// How often it was claimed for its present inputs.
  package var attempts: Int
  /// Counts the moves; whoever writes compares it.
  package var version: Int
  /// When it was armed with its present inputs. Commits say this time, so that doing the job again makes the same commit.
  package var armed: Date
  /// A digest of the inputs it is wanted for.
  package var inputs: String
  /// The digest of the inputs it last succeeded with.
  package var done: String?
  /// What it found when it last succeeded, and what is wrong until it is done again.
  package var findings: [Diagnostic]

  package init(
    id: JobID, pipeline: String, stage: Stage, scope: String, state: JobState, attempts: Int, version: Int,
    armed: Date, inputs: String, done: String? = nil, findings: [Diagnostic] = []
  ) {
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

  /// The job after an event, its version one higher.
  package func applying(_ event: JobEvent) throws(IllegalTransition) -> Job {
    var moved = self
    moved.state = try state.applying(event)
    moved.attempts = max(0, attempts + event.attempts)
    moved.version += 1
    return moved
  }
}

/// A job as `PipelineGraph` wants it.
package struct JobPlan: Hashable, Sendable {
  package var stage: Stage
  package var scope: String
  /// Jobs of one pipeline and lane never run at the same time.
  package var lane: String
  /// The job waits while a job of these stages and the same pipeline is due or running.
  package var waitsFor: Set<Stage>
  package var inputs: String
  /// Not before this instant.
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
