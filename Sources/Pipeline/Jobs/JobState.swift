package import FoundationEssentials

/// The right to work on a job until an instant, prolonged by heartbeats.
package struct Lease: Hashable, Sendable, Codable {
  /// Who holds it: the process and the slot of its worker.
  package var owner: String
  package var until: Date

  package init(owner: String, until: Date) {
    self.owner = owner
    self.until = until
  }
}

/// Why a job did not succeed, as people are told.
package struct FailureRecord: Hashable, Sendable, Codable {
  package var message: String
  package var at: Date

  package init(message: String, at: Date) {
    self.message = message
    self.at = at
  }
}

/// Where a job is in its life. Its moves are the table of docs/state-machine.md; a test compares the two.
package enum JobState: Hashable, Sendable {
  /// Waits to be claimed, not before `due`.
  case queued(due: Date)
  case running(Lease)
  /// Someone else must do something first: costs no attempt.
  case waiting(until: Date)
  case succeeded
  case failed(FailureRecord)

  /// The name of the state without what it carries, as the store keeps it.
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

  /// Whether the job is over until it is armed again.
  package var isFinal: Bool {
    switch self {
    case .succeeded, .failed: true
    case .queued, .running, .waiting: false
    }
  }
}

/// What can happen to a job.
package enum JobEvent: Hashable, Sendable {
  case claim(Lease)
  /// The owner still works on it.
  case heartbeat(until: Date)
  case succeed
  /// Fails for good, or has no attempt left.
  case fail(FailureRecord)
  /// A passing fault: tried again from `due` on.
  case retry(due: Date)
  /// The process is told to stop: the attempt is given back.
  case interrupt(at: Date)
  /// The owner died without a word.
  case leaseExpired(at: Date)
  case snooze(until: Date)
  /// The wait is over, or a person does not want to wait for it.
  case due(at: Date)
  /// Its inputs are other than those it last succeeded with: wanted from `due` on.
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

  /// What the event does to the number of attempts: claiming costs one, a snooze and an interruption give it back.
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
  /// The state after an event. Pure: the store only compares versions and writes the result.
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
