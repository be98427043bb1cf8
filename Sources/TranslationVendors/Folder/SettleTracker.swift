internal import Foundation
internal import Localization
internal import Synchronization

/// What earlier looks at `translated/` saw, to tell what is still being written.
///
/// A bundle has settled when the storage says that nothing in it changed for the time asked (a directory counts moving in as a change,
/// so one look is enough), or when we saw the same for that long.
final class SettleTracker: Sendable {
  private struct Look {
    var tags: [String]
    var since: Date
  }

  private let looks = Mutex<[TreePath: Look]>([:])

  /// - Parameters:
  ///   - entries: the bundle and everything below it.
  ///   - storageNow: the storage's clock, where it has its own.
  /// - Returns: how long until it has settled; `nil` where it has.
  func wait(_ path: TreePath, _ entries: [DropEntry], settle: Duration, now: Date, storageNow: Date?) -> Duration? {
    let settle = TimeInterval(settle.components.seconds) + TimeInterval(settle.components.attoseconds) / 1e18
    let tags = entries.map { "\($0.path.text)\n\($0.tag)" }
    let since = looks.withLock { looks in
      // A clock that was set back must not make the bundle wait until it has caught up: the time begins anew.
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

  /// Forgets what is no longer there.
  func keep(only paths: Set<TreePath>) { looks.withLock { $0 = $0.filter { paths.contains($0.key) } } }
}
