package import FoundationEssentials
internal import Synchronization

/// Decides when vendors are asked for corrections: at the first poll of a process, once a day, and after a request by a webhook. Requested
/// checks wait nine times as long as the last one took.
package final class CorrectionTurns: Sendable {
  private struct Turn {
    var began: Date?
    var ended: Date?
    var isRequested = false
  }

  private let turns = Mutex<[String: Turn]>([:])

  package init() {}

  /// Records that the vendor reported a change, without details.
  package func request(_ vendor: String) { turns.withLock { $0[vendor, default: Turn()].isRequested = true } }

  /// Returns whether to ask a vendor now, and removes its request, if there is one.
  package func begin(_ vendor: String, at now: Date) -> Bool {
    turns.withLock { turns in
      var turn = turns[vendor] ?? Turn()
      // If the clock was set back, ask immediately.
      if let began = turn.began, let ended = turn.ended, ended <= now, now.timeIntervalSince(began) < 86400 {
        let isRested = now.timeIntervalSince(ended) >= 9 * ended.timeIntervalSince(began)
        guard turn.isRequested, isRested else { return false }
      }
      turn = Turn(began: now, ended: nil, isRequested: false)
      turns[vendor] = turn
      return true
    }
  }

  /// Records that the vendor was asked for all corrections. Otherwise it is asked again at the next poll.
  package func end(_ vendor: String, at now: Date) {
    turns.withLock { turns in
      guard let began = turns[vendor]?.began else { return }
      turns[vendor]?.ended = max(began, now)
    }
  }
}
