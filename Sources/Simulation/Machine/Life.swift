import Localization
package import Pipeline
internal import Synchronization

/// The error of a call after the process has died. From then on, the calls of the process have no effect.
package struct ProcessKilled: Error {}

/// The life of one daemon process, from its start to its end. Each call of a port calls `pass`, and the process can die at any of these calls, or
/// when the disk dies.
package final class Life: Sendable {
  private struct State {
    var isDead = false
    /// The number of calls that are left; `nil` for no limit.
    var callsLeft: Int?
    var deadCalls = 0
  }

  private let state = Mutex(State())
  private let disk: SimulatedDisk
  private let time: VirtualTime

  package init(disk: SimulatedDisk, time: VirtualTime) {
    self.disk = disk
    self.time = time
  }

  package var isDead: Bool { state.withLock { $0.isDead } || disk.isDead }

  package func end() { state.withLock { $0.isDead = true } }

  /// Kills the process after a number of further calls of `pass`. Each call of a port calls `pass` at its beginning and its end, so the process may
  /// die before or after the call has its effect.
  package func end(afterCalls calls: Int) { state.withLock { $0.callsLeft = calls } }

  /// Records that a call of a port begins or ends.
  /// - Throws: `ProcessKilled` if the process is dead, or dies now.
  package func pass() throws {
    let isDiskDead = disk.isDead
    let isDead = state.withLock { state in
      if isDiskDead { state.isDead = true }
      if !state.isDead, let left = state.callsLeft {
        state.callsLeft = left - 1
        if left <= 0 { state.isDead = true }
      }
      if state.isDead { state.deadCalls += 1 }
      precondition(state.deadCalls < 100_000, "a loop does not end after its process died")
      return state.isDead
    }
    if isDead { throw ProcessKilled() }
  }

  /// The time source of this process.
  package var timeSource: TimeSource {
    TimeSource(
      now: { self.time.now },
      sleep: { duration in
        try self.pass()
        await self.time.sleep(duration)
        try Task.checkCancellation()
        try self.pass()
      })
  }
}
