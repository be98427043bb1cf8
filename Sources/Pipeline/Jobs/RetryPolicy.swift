package import FoundationEssentials
import Localization

/// When a job that met a passing fault is tried again, and when it is given up.
package struct RetryPolicy: Hashable, Sendable {
  package var attempts: Int
  package var first: Duration
  package var longest: Duration

  /// - Parameters:
  ///   - attempts: how often a job is claimed before it fails for good.
  ///   - first: the wait after the first attempt; each further one waits twice as long, up to `longest`.
  package init(attempts: Int = 8, first: Duration = .seconds(5), longest: Duration = .seconds(900)) {
    self.attempts = attempts
    self.first = first
    self.longest = longest
  }

  /// The wait after so many attempts.
  package func delay(after attempts: Int) -> Duration {
    let doublings = min(max(attempts - 1, 0), 20)
    return min(first * (1 << doublings), longest)
  }

  /// What an error does to a running job. Errors that say nothing about themselves are ours, and permanent.
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
