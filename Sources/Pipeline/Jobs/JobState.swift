package import FoundationEssentials

/// The exclusive right to work on a job until an instant. Heartbeats extend the lease.
package struct Lease: Hashable, Sendable, Codable {
  /// The name of the holder, unique to one run of its process.
  package var owner: String
  package var until: Date

  package init(owner: String, until: Date) {
    self.owner = owner
    self.until = until
  }
}

/// The reason why a job failed or a pipeline has a fault, as a text for users, and the time.
package struct FailureRecord: Hashable, Sendable, Codable {
  package var message: String
  package var at: Date

  package init(message: String, at: Date) {
    self.message = message
    self.at = at
  }
}

/// The state of a job. The table in docs/state-machine.md lists the transitions; a test compares it with this code.
package enum JobState: Hashable, Sendable {
  /// The job can be claimed from `due` on.
  case queued(due: Date)
  case running(Lease)
  /// The job waits until a set time, for example until the next poll. The run that set the time does not count as an attempt.
  case waiting(until: Date)
  case succeeded
  case failed(FailureRecord)

  /// The state without its payload, as the store saves it.
  package enum Name: String, Hashable, Sendable, Codable, CaseIterable {
    case queued, running, waiting, succeeded, failed
  }

  package var name: Name {
    switch self {
    case .queued: .queued
    case .running: .running
    case .waiting: .waiting
    case .succeeded: .succeeded
    case .failed: .failed
    }
  }

  /// Whether the job is finished until it is armed again.
  package var isFinal: Bool {
    switch self {
    case .succeeded, .failed: true
    case .queued, .running, .waiting: false
    }
  }
}

/// An event that can change the state of a job.
package enum JobEvent: Hashable, Sendable {
  case claim(Lease)
  /// The owner is still working on the job.
  case heartbeat(until: Date)
  case succeed
  /// The job fails permanently, or has no attempts left.
  case fail(FailureRecord)
  /// The job had a temporary error and is tried again at `due`.
  case retry(due: Date)
  /// The process is stopping or no longer runs the pipeline. The attempt does not count.
  case interrupt(at: Date)
  /// The owner no longer works on the job: it stopped sending heartbeats, for example because it crashed, or the pipeline has a new holder.
  case leaseExpired(at: Date)
  case snooze(until: Date)
  /// The wait is over, or was ended early, for example by a webhook or by `run --once`.
  case due(at: Date)
  /// The job must run, because its inputs changed or because it failed and is tried again. The job is due at `due`.
  case arm(due: Date)

  package enum Name: String, Hashable, Sendable, CaseIterable {
    case claim, heartbeat, succeed, fail, retry, interrupt, leaseExpired = "lease expired", snooze, due, arm
  }

  package var name: Name {
    switch self {
    case .claim: .claim
    case .heartbeat: .heartbeat
    case .succeed: .succeed
    case .fail: .fail
    case .retry: .retry
    case .interrupt: .interrupt
    case .leaseExpired: .leaseExpired
    case .snooze: .snooze
    case .due: .due
    case .arm: .arm
    }
  }

  /// The change in the number of attempts: a claim adds one, and a snooze or an interruption subtracts it again.
  package var attempts: Int {
    switch self {
    case .claim: 1
    case .snooze, .interrupt: -1
    case .heartbeat, .succeed, .fail, .retry, .leaseExpired, .due, .arm: 0
    }
  }
}

/// An event that a state does not allow.
package struct IllegalTransition: Error, Hashable, Sendable, CustomStringConvertible {
  package let state: JobState.Name
  package let event: JobEvent.Name

  package init(state: JobState.Name, event: JobEvent.Name) {
    self.state = state
    self.event = event
  }

  package var description: String { "a job in state \(state.rawValue) does not allow '\(event.rawValue)'" }
}

extension JobState {
  /// Returns the state after an event. This is a pure function: the store only compares versions and writes the result.
  package func applying(_ event: JobEvent) throws(IllegalTransition) -> JobState {
    switch (self, event) {
    case (.queued, .claim(let lease)): return .running(lease)
    case (.running(let lease), .heartbeat(let until)): return .running(Lease(owner: lease.owner, until: until))
    case (.running, .succeed): return .succeeded
    case (.running, .fail(let failure)): return .failed(failure)
    case (.running, .retry(let due)): return .queued(due: due)
    case (.running, .interrupt(let now)), (.running, .leaseExpired(let now)): return .queued(due: now)
    case (.running, .snooze(let until)): return .waiting(until: until)
    case (.waiting, .due(let now)), (.queued, .due(let now)): return .queued(due: now)
    case (.queued, .arm(let due)), (.waiting, .arm(let due)), (.succeeded, .arm(let due)), (.failed, .arm(let due)):
      return .queued(due: due)
    default: throw IllegalTransition(state: name, event: event.name)
    }
  }
}
