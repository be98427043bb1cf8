package import FoundationEssentials

/// The seven stations of a commit's way.
package enum Stage: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  case watch, extract, diff, push, pull, merge, deliver

  /// The order on the way; a pipeline's later stages wait until its earlier ones have nothing to do now.
  package var rank: Int {
    switch self {
    case .watch: 0
    case .extract: 1
    case .diff: 2
    case .push: 3
    case .pull: 4
    case .merge: 5
    case .deliver: 6
    }
  }

  package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }

  /// Whether the stage belongs to one branch's commit, so that a newer commit of the branch replaces its unfinished jobs. Push and pull
  /// serve the whole pipeline.
  package var isOfBranch: Bool {
    switch self {
    case .extract, .diff, .merge, .deliver: true
    case .watch, .push, .pull: false
    }
  }
}

package struct JobID: RawRepresentable, Hashable, Comparable, Sendable, Codable {
  package let rawValue: Int64
  package init(rawValue: Int64) { self.rawValue = rawValue }
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// One stage of a run: unique on run, stage and scope, so that inserting it again is nothing.
package struct Job: Hashable, Sendable {
  package var id: JobID
  package var run: RunID
  package var pipeline: String
  package var stage: Stage
  /// What of the stage: the vendor of a push, the vendor and round of a pull, the cause of a merge.
  package var scope: String
  package var state: JobState
  package var attempts: Int
  /// Counts the moves; whoever writes compares it.
  package var version: Int
  package var created: Date

  package init(
    id: JobID, run: RunID, pipeline: String, stage: Stage, scope: String, state: JobState, attempts: Int, version: Int,
    created: Date
  ) {
    self.id = id
    self.run = run
    self.pipeline = pipeline
    self.stage = stage
    self.scope = scope
    self.state = state
    self.attempts = attempts
    self.version = version
    self.created = created
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

/// A job to be inserted where there is none on the same run, stage and scope.
package struct NewJob: Hashable, Sendable {
  package var run: RunID
  package var stage: Stage
  package var scope: String
  /// Jobs of one pipeline and lane never run at the same time.
  package var lane: String
  package var due: Date

  package init(run: RunID, stage: Stage, scope: String = "", lane: String, due: Date) {
    self.run = run
    self.stage = stage
    self.scope = scope
    self.lane = lane
    self.due = due
  }
}
