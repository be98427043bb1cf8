import Localization
import Pipeline
import Testing

struct PollIntervalTests {
  @Test("the poll interval grows from 15 s to 15 min, and becomes shorter again after a commit")
  func adaptive() {
    var interval = PollInterval(fixed: nil)
    #expect(interval.current == .seconds(15))
    var last = interval.current
    for _ in 1...30 {
      interval.looked(foundSomething: false)
      #expect(interval.current >= last)
      last = interval.current
    }
    #expect(last == .seconds(900))
    interval.looked(foundSomething: true)
    #expect(interval.current == .seconds(15))
  }

  @Test("polls are rare while webhooks arrive, and become frequent after a commit without a webhook")
  func webhooks() {
    var interval = PollInterval(fixed: nil)
    var results: [String] = []
    for (foundSomething, afterEvent) in [
      (true, true), (false, false),
      // A poll finds a commit before its webhook arrives.
      (true, false), (false, true),
      // The webhook does not arrive.
      (true, false), (false, false), (true, false), (false, false),
    ] {
      let hasStopped = interval.looked(foundSomething: foundSomething, afterEvent: afterEvent)
      results.append("\(interval.current.seconds)\(hasStopped ? " stopped" : "")")
    }
    #expect(results == ["900.0", "900.0", "15.0", "900.0", "15.0", "22.5 stopped", "15.0", "22.5"])
  }

  @Test("a failed poll is repeated soon while webhooks arrive, then less and less often")
  func failures() {
    var interval = PollInterval(fixed: nil)
    interval.looked(foundSomething: true, afterEvent: true)
    interval.failed()
    #expect(interval.current == .seconds(15))
    interval.failed()
    #expect(interval.current == .seconds(22.5))
    interval.looked(foundSomething: false)
    #expect(interval.current == .seconds(900))
  }

  @Test("an interval from the pipeline file is never changed")
  func fixed() {
    var interval = PollInterval(fixed: .seconds(120))
    interval.looked(foundSomething: false)
    #expect(interval.current == .seconds(120))
  }
}
