package import FoundationEssentials
internal import Synchronization

/// When vendors are asked for corrections: at the first look of a process, once a day, and after a webhook's request. Looks that requests
/// cause spend at most a tenth of the time on it.
package final class CorrectionTurns: Sendable {
  private struct Turn {
    var began: Date?
    var ended: Date?
    var isRequested = false
  }

  private let turns = Mutex<[String: Turn]>([:])

  package init() {}

  /// The vendor reported a change. What changed is not known.
  package func request(_ vendor: String) { turns.withLock { $0[vendor, default: Turn()].isRequested = true } }

  /// Whether a vendor is to be asked now. The request, if there is one, is taken.
  package func begin(_ vendor: String, at now: Date) -> Bool {
    turns.withLock { turns in
      var turn = turns[vendor] ?? Turn()
      // A clock that was set back delays nothing.
      if let began = turn.began, let ended = turn.ended, ended <= now, now.timeIntervalSince(began) < 86400 {
        let isRested = now.timeIntervalSince(ended) >= 9 * ended.timeIntervalSince(began)
        guard turn.isRequested, isRested else { return false }
      }
      turn = Turn(began: now, ended: nil, isRequested: false)
      turns[vendor] = turn
      return true
    }
  }

  /// The vendor was asked for all corrections. Without this, it is asked again at the next look.
  package func end(_ vendor: String, at now: Date) {
    turns.withLock { turns in
      guard let began = turns[vendor]?.began else { return }
      turns[vendor]?.ended = max(began, now)
    }
  }
}
