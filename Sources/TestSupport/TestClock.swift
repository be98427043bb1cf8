package import FoundationEssentials
import Localization
package import Pipeline
import Synchronization

/// A clock that a test sets.
package final class TestClock: Sendable {
  private let instant: Mutex<Date>

  package init(_ start: Date = Date(timeIntervalSince1970: 1_700_000_000)) { instant = Mutex(start) }

  package var now: Date { instant.withLock { $0 } }

  /// Advances the clock.
  /// - Parameter seconds: the number of seconds; negative to set the clock back.
  package func advance(by seconds: Double) { instant.withLock { $0 += seconds } }

  /// A time source with this clock. A wait ends immediately and advances the clock.
  package var time: TimeSource {
    TimeSource(now: { self.now }, sleep: { self.advance(by: $0.seconds) })
  }
}
