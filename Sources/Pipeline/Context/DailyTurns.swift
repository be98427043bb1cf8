package import FoundationEssentials
internal import Synchronization

/// Reports once a day that something is due. The first day begins with the first call, so nothing is due after a restart.
package final class DailyTurns: Sendable {
  private let last = Mutex<[String: Date]>([:])

  package init() {}

  /// Whether this is the first call for this name.
  package func isFirst(_ name: String, at now: Date) -> Bool {
    last.withLock { last in
      defer { last[name] = now }
      return last[name] == nil
    }
  }

  /// Whether a day has passed since this was last due.
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
