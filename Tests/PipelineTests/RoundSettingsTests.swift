import Foundation
import Pipeline
import Testing

struct RoundSettingsTests {
  private let start = Date(timeIntervalSince1970: 1_700_000_000)
  private let settings = RoundSettings(quiet: .seconds(600), latest: .seconds(7200))

  private func run(created: Double, pendingSince: Double?) -> Run {
    Run(
      id: RunID(rawValue: 1), pipeline: "p", branch: "main", commit: CommitID(rawValue: "c"), created: start + created,
      pendingSince: pendingSince.map { start + $0 })
  }

  @Test("a round is sent after a quiet period")
  func quiet() {
    #expect(settings.due(for: run(created: 100, pendingSince: 0), now: start + 100) == start + 700)
    #expect(settings.due(for: run(created: 100, pendingSince: 0), now: start + 900) == start + 900)
  }

  @Test("continuous commits delay a round only up to the maximum")
  func latest() {
    #expect(settings.due(for: run(created: 7000, pendingSince: 0), now: start + 7000) == start + 7200)
  }

  @Test("after the clock was set back, the quiet period of a branch is measured by the new time")
  func clockSetBack() {
    #expect(settings.due(for: run(created: 100, pendingSince: 0), now: start - 86_400) == start - 86_400 + 600)
  }

  @Test("the first round of a new branch is not delayed")
  func first() {
    #expect(settings.due(for: run(created: 0, pendingSince: nil), now: start) == start)
  }
}
