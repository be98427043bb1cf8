import FoundationEssentials
import Localization
internal import Synchronization

/// The time of the last comparison of screenshots with each vendor, and the heads that were compared. Both are kept only in memory, so the
/// screenshots are compared once after a start.
package final class ToldScreenshots: Sendable {
  private struct Last {
    var heads: Set<CommitID>
    var time: Date
  }

  /// The minimum time between two comparisons of screenshots that can change without a commit, in seconds.
  private static let pause: Double = 600
  private let last = Mutex<[String: Last]>([:])

  package init() {}

  /// Returns whether the screenshots must be compared with a vendor's now.
  /// - Parameter readsFolder: whether pictures can change without a commit.
  func isDue(_ heads: Set<CommitID>, readsFolder: Bool, at now: Date, for vendor: String) -> Bool {
    guard !heads.isEmpty else { return false }
    guard let last = last.withLock({ $0[vendor] }), last.heads == heads else { return true }
    return readsFolder && now.timeIntervalSince(last.time) >= Self.pause
  }

  func note(_ heads: Set<CommitID>, at now: Date, for vendor: String) {
    last.withLock { $0[vendor] = Last(heads: heads, time: now) }
  }
}
