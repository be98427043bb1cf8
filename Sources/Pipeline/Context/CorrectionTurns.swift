package import FoundationEssentials
internal import Synchronization

/// The schedule of checking each vendor for corrections: at the first poll of a process, once a day, after a webhook, and at the poll after a
/// check that failed. After a webhook, the check starts only if the pause since the last check is at least nine times as long as that check
/// took.
package final class CorrectionTurns: Sendable {
  private struct Turn {
    var began: Date?
    var ended: Date?
    var isRequested = false
  }

  private let turns = Mutex<[String: Turn]>([:])

  package init() {}

  /// Records that a webhook reported an unspecified change at the vendor.
  package func request(_ vendor: String) { turns.withLock { $0[vendor, default: Turn()].isRequested = true } }

  /// Returns whether to request a vendor's corrections now. If so, this call records the beginning of the check and removes the webhook's
  /// request.
  package func begin(_ vendor: String, at now: Date) -> Bool {
    turns.withLock { turns in
      var turn = turns[vendor] ?? Turn()
      // If the clock was set back, corrections are requested immediately.
      if let began = turn.began, let ended = turn.ended, ended <= now, now.timeIntervalSince(began) < 86400 {
        let isRested = now.timeIntervalSince(ended) >= 9 * ended.timeIntervalSince(began)
        guard turn.isRequested, isRested else { return false }
      }
      turn = Turn(began: now, ended: nil, isRequested: false)
      turns[vendor] = turn
      return true
    }
  }

  /// Records that all corrections were requested from the vendor. Without this call, corrections are requested again at the next poll.
  package func end(_ vendor: String, at now: Date) {
    turns.withLock { turns in
      guard let began = turns[vendor]?.began else { return }
      turns[vendor]?.ended = max(began, now)
    }
  }
}
