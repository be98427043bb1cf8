package import FoundationEssentials
internal import Synchronization

/// The times at which daily tasks were last due. The first day of a task begins with the first call for its name, so
/// `isDue` is never `true` directly after a restart.
package final class DailyTurns: Sendable {
  private let last = Mutex<[String: Date]>([:])

  package init() {}

  /// Returns whether this is the first call for this name. Every call begins a new day of the task with this name.
  package func isFirst(_ name: String, at now: Date) -> Bool {
    last.withLock { last in
      defer { last[name] = now }
      return last[name] == nil
    }
  }

  /// Returns whether a day has passed since the task with this name was last due, or since the first call for this name. If so, the task's
  /// next day begins with this call.
  package func isDue(_ name: String, at now: Date) -> Bool {
    last.withLock { last in
      guard let before = last[name] else {
        last[name] = now
        return false
      }
      guard now.timeIntervalSince(before) >= 86400 else { return false }
      last[name] = now
      return true
    }
  }
}
