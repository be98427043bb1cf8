internal import Foundation
internal import Localization
internal import Synchronization

/// A record of the bundles that earlier pulls found in `translated/`. It is used to recognize bundles that are still being written.
///
/// A bundle can be read if it did not change for the time `settle`, according to the storage's times or to what pulls have observed. In a directory,
/// moving a bundle into the folder counts as a change of the bundle, so the first pull can already return a bundle whose last change is old enough.
final class SettleTracker: Sendable {
  private struct Look {
    var tags: [String]
    var since: Date
  }

  private let looks = Mutex<[TreePath: Look]>([:])

  /// Returns how long to wait before a bundle can be read, and records the bundle's current state.
  /// - Parameters:
  ///   - entries: the bundle and all entries below it.
  ///   - storageNow: the time by the storage's clock; `nil` if the storage uses this machine's clock.
  /// - Returns: the remaining time; `nil` if the bundle can be read.
  func wait(_ path: TreePath, _ entries: [DropEntry], settle: Duration, now: Date, storageNow: Date?) -> Duration? {
    let settle = TimeInterval(settle.components.seconds) + TimeInterval(settle.components.attoseconds) / 1e18
    let tags = entries.map { "\($0.path.text)\n\($0.tag)" }
    let since = looks.withLock { looks in
      // If the clock was set back, the waiting time starts again. Otherwise the bundle would wait until the clock has caught up.
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

  /// Forgets all bundles with other paths.
  func keep(only paths: Set<TreePath>) { looks.withLock { $0 = $0.filter { paths.contains($0.key) } } }
}
