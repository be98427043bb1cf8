import Pipeline
import Testing

struct PollIntervalTests {
  @Test("a repository is looked at ever rarer, from 15 s to 15 min, and soon again after a commit")
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

  @Test("an interval of the pipeline file stays")
  func fixed() {
    var interval = PollInterval(fixed: .seconds(120))
    interval.looked(foundSomething: false)
    #expect(interval.current == .seconds(120))
  }
}
