package import FoundationEssentials
import Localization

/// The vendors that are failing, with the time when each began to fail. Fallbacks replace vendors that fail for too long.
package struct FailingVendors: Sendable {
  /// The time at which each failing vendor began to fail.
  package let since: [String: Date]
  package let now: Date

  package init(_ since: [String: Date], now: Date) {
    self.since = since
    self.now = now
  }

  /// Finds the failing vendors. A vendor is failing if pushing to it or pulling from it fails.
  /// - Parameter jobs: the jobs of one pipeline.
  package init(_ jobs: [Job], now: Date) {
    var since: [String: Date] = [:]
    for job in jobs where job.stage == .push || job.stage == .pull {
      guard let instant = job.failingSince else { continue }
      since[job.scope] = min(since[job.scope] ?? instant, instant)
    }
    self.init(since, now: now)
  }

  /// Returns the vendors that have a fallback and have failed for at least their `patience`.
  package func absent(among vendors: [(name: String, definition: VendorDefinition)]) -> Set<String> {
    Set(
      vendors.filter { name, definition in
        guard definition.fallback != nil, let instant = since[name] else { return false }
        return now.timeIntervalSince(instant) >= definition.patience.seconds
      }.map(\.name))
  }
}
