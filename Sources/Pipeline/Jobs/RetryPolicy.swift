package import FoundationEssentials
import Localization

/// The rules for trying jobs again after temporary errors, and for permanent failure.
package struct RetryPolicy: Hashable, Sendable {
  package var attempts: Int
  package var first: Duration
  package var longest: Duration

  /// - Parameters:
  ///   - attempts: the number of attempts after which a job fails permanently.
  ///   - first: the wait after the first attempt. Each further wait is twice as long, up to `longest`.
  package init(attempts: Int = 8, first: Duration = .seconds(5), longest: Duration = .seconds(900)) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
  }

  /// Returns the wait after this number of attempts.
  package func delay(after attempts: Int) -> Duration {
    let doublings = min(max(attempts - 1, 0), 20)
    return min(first * (1 << doublings), longest)
  }

  /// Returns the event for a job that threw `error`. Errors without a disposition are bugs in Dragoman, and permanent.
  package func event(for error: any Error, attempts: Int, now: Date) -> JobEvent {
    let failure = FailureRecord(message: String(describing: error), at: now)
    let wait: Duration
    switch (error as? any DisposableError)?.disposition ?? .permanent {
    case .retry: wait = delay(after: attempts)
    case .retryAfter(let told): wait = max(told, .zero)
    case .permanent, .askPerson: return .fail(failure)
    }
    return attempts >= self.attempts ? .fail(failure) : .retry(due: now.addingTimeInterval(wait.seconds))
  }
}
