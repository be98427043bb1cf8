internal import Foundation
internal import Localization
internal import Synchronization

/// Remembers what earlier pulls saw in `translated/`, to recognize bundles that are still being written.
///
/// A bundle can be taken if the storage reports no change for the given time, or if pulls have seen no change for that time. For a
/// directory, moving a bundle in counts as a change, so one pull is enough.
final class SettleTracker: Sendable {
  private struct Look {
    var tags: [String]
    var since: Date
  }

  private let looks = Mutex<[TreePath: Look]>([:])

  /// - Parameters:
  ///   - entries: the bundle and everything below it.
  /// - storageNow: the storage's clock, if it has its own.
  /// - Returns: the remaining time; `nil` if the bundle can be taken.
  func wait(_ path: TreePath, _ entries: [DropEntry], settle: Duration, now: Date, storageNow: Date?) -> Duration? {
    let settle = TimeInterval(settle.components.seconds) + TimeInterval(settle.components.attoseconds) / 1e18
    let tags = entries.map { "\($0.path.text)\n\($0.tag)" }
    let since = looks.withLock { looks in
      // After the clock was set back, the time starts again, so the bundle does not wait until the clock has caught up.
      if let look = looks[path], look.tags == tags, look.since <= now { return look.since }
      looks[path] = Look(tags: tags, since: now)
      return now
    }
    guard settle > 0 else { return nil }
    let times = entries.compactMap(\.modified)
    let age = times.count == entries.count ? times.max().map { (storageNow ?? now).timeIntervalSince($0) } : nil
    let left = settle - max(age ?? 0, now.timeIntervalSince(since))
    return left <= 0 ? nil : .milliseconds(Int64((min(left, settle) * 1000).rounded(.up)))
  }

  /// Forgets paths that no longer exist.
  func keep(only paths: Set<TreePath>) { looks.withLock { $0 = $0.filter { paths.contains($0.key) } } }
}
