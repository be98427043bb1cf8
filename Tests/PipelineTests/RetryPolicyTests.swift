import Foundation
import Localization
import Pipeline
import Testing

private struct Fault: DisposableError {
  var disposition: Disposition
}

struct RetryPolicyTests {
  private let now = Date(timeIntervalSince1970: 1000)

  @Test(
    "each wait is twice as long as the previous one, up to the maximum",
    arguments: zip([1, 2, 3, 8, 100], [5, 10, 20, 640, 900]))
  func delays(attempts: Int, seconds: Int) {
    #expect(RetryPolicy().delay(after: attempts) == .seconds(seconds))
  }

  @Test("the disposition of an error determines whether the job is retried")
  func events() {
    let policy = RetryPolicy()
    #expect(policy.event(for: Fault(disposition: .retry), attempts: 1, now: now) == .retry(due: now + 5))
    #expect(
      policy.event(for: Fault(disposition: .retryAfter(.seconds(60))), attempts: 1, now: now) == .retry(due: now + 60))
    for disposition in [Disposition.permanent, .askPerson] {
      #expect(policy.event(for: Fault(disposition: disposition), attempts: 1, now: now).name == .fail)
    }
    #expect(policy.event(for: Fault(disposition: .retry), attempts: 8, now: now).name == .fail)
  }
}
