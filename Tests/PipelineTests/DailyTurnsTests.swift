import Foundation
import Pipeline
import Testing

struct DailyTurnsTests {
  @Test("a name becomes due a day after its first check, and once a day from then on")
  func turns() {
    let turns = DailyTurns()
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    #expect(!turns.isDue("a", at: start))
    #expect(!turns.isDue("a", at: start + 86399))
    #expect(turns.isDue("a", at: start + 86400))
    #expect(!turns.isDue("a", at: start + 86401))
    #expect(turns.isDue("a", at: start + 172800))
    #expect(!turns.isDue("b", at: start + 172800))
  }
}
