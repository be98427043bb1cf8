package import FoundationEssentials
package import Localization
internal import Synchronization

/// The limits for the rate of requests to a vendor or forge.
package struct PaceSettings: Hashable, Sendable {
  /// The average number of requests per second.
  package var perSecond: Double
  /// The number of requests that may be sent at once after a pause.
  package var burst: Int
  /// The maximum number of concurrent requests.
  package var concurrent: Int

  package init(perSecond: Double, burst: Int, concurrent: Int) {
    self.perSecond = perSecond
    self.burst = burst
    self.concurrent = concurrent
  }
}

/// The limiter of the requests to one server with one token. It combines a token bucket for the rate, a limit of concurrent requests, the pauses that
/// the server requires, and a circuit breaker.
///
/// After ``breakAfter`` consecutive failures, requests fail immediately for some time, so stages do not wait for a server that is down.
package final class RequestPace: Sendable {
  private struct State {
    var tokens: Double
    var filled: Date
    var running = 0
    var pausedUntil: Date?
    var failures = 0
    var openUntil: Date?
    /// The description of the last failure.
    var fault = ""
  }

  package static let breakAfter = 5
  private let settings: PaceSettings
  private let state: Mutex<State>

  package init(_ settings: PaceSettings, now: Date) {
    self.settings = settings
    state = Mutex(State(tokens: Double(settings.burst), filled: now))
  }

  /// The decision whether a request may be sent now.
  package enum Turn: Hashable, Sendable {
    case go
    case wait(Duration)
    /// The circuit is open. The server has failed several times, and no request is sent for the given time. The text describes the last failure.
    case refused(Duration, because: String)
  }

  /// Decides whether a request may be sent at this time. After `.go`, the caller must report the end of the request with ``end(_:at:)``.
  package func turn(at now: Date) -> Turn {
    state.withLock { state in
      if let open = state.openUntil, open > now {
        return .refused(.seconds(open.timeIntervalSince(now)), because: state.fault)
      }
      if let paused = state.pausedUntil, paused > now { return .wait(.seconds(paused.timeIntervalSince(now))) }
      guard state.running < settings.concurrent else { return .wait(.milliseconds(50)) }
      let gained = max(0, now.timeIntervalSince(state.filled)) * settings.perSecond
      state.tokens = min(Double(settings.burst), state.tokens + gained)
      state.filled = now
      guard state.tokens >= 1 else {
        // The wait is rounded up, because a wait that is shorter than the clock's steps would be repeated forever.
        return .wait(.milliseconds(Int(((1 - state.tokens) / settings.perSecond * 1000).rounded(.up)) + 1))
      }
      state.tokens -= 1
      state.running += 1
      return .go
    }
  }

  package enum Ending: Hashable, Sendable {
    case responded
    /// The server requires a pause. The request does not count as a failure.
    case pause(Duration)
    /// The request failed. The text describes the failure, without secrets.
    case failed(String)
    /// The request ended with an error that does not show whether the server works, such as a cancellation, a refusal by the transport or a response
    /// that is too large. It counts neither as a response nor as a failure.
    case notSent
  }

  package func end(_ ending: Ending, at now: Date) {
    state.withLock { state in
      state.running -= 1
      switch ending {
      case .responded:
        state.failures = 0
        state.openUntil = nil
      case .pause(let pause):
        state.pausedUntil = max(state.pausedUntil ?? now, now.addingTimeInterval(pause.seconds))
      case .notSent: break
      case .failed(let fault):
        state.fault = fault
        state.failures += 1
        guard state.failures >= Self.breakAfter else { return }
        let doublings = min(state.failures - Self.breakAfter, 5)
        state.openUntil = now.addingTimeInterval(Double(10 << doublings))
      }
    }
  }
}

/// The limiters of this process. All requests to the same server with the same token share one limiter.
package final class RequestPaces: Sendable {
  package static let shared = RequestPaces()
  private let paces = Mutex<[String: RequestPace]>([:])

  package init() {}

  package func pace(_ settings: PaceSettings, host: String, token: Secret?, now: Date) -> RequestPace {
    let key = host + " " + ContentDigest.hexadecimal(of: Array((token?.reveal() ?? "").utf8))
    return paces.withLock { paces in
      if let known = paces[key] { return known }
      let made = RequestPace(settings, now: now)
      paces[key] = made
      return made
    }
  }
}
