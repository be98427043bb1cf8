import Foundation
import Localization
import Testing

@testable import Pipeline

struct UnitHistoryTests {
  private func returned(
    _ text: String, at seconds: Double, delivered: Double? = nil, on branch: String = "main",
    _ state: BranchOutcome.State = .settled, language: LocaleIdentifier = "de"
  ) -> UnitHistory.Returned {
    let carrier = delivered.map {
      UnitHistory.Carrier(
        target: branch, commit: Made.id("a"), state: .settled, created: Date(timeIntervalSince1970: $0))
    }
    return UnitHistory.Returned(
      vendor: "v", language: language, bundle: "b", received: Date(timeIntervalSince1970: seconds), text: text,
      outcomes: [UnitHistory.Outcome(branch: branch, state: state, reason: nil, delivery: carrier)])
  }

  /// Returns for each of these texts whether it is replaced. The first text was returned for another source text than the others.
  private func replaced(_ all: UnitHistory.Returned...) -> [Bool] {
    func version(_ returned: ArraySlice<UnitHistory.Returned>) -> UnitHistory.Version {
      UnitHistory.Version(
        text: "", commit: Made.id("a"), author: "", provenance: nil, returned: Array(returned))
    }
    let history = UnitHistory(
      pipeline: "p", unit: UnitID(catalog: "L.xcstrings", key: "a"),
      versions: [version(all.prefix(1)), version(all.dropFirst())])
    return all.map { history.isReplaced($0, with: $0.outcomes[0]) }
  }

  @Test("only the last text that a branch received counts as current")
  func last() {
    #expect(replaced(returned("A", at: 1), returned("B", at: 2), returned("C", at: 3)) == [true, true, false])
    // The first text was delivered again after its source text was restored.
    #expect(replaced(returned("A", at: 1, delivered: 9), returned("B", at: 2, delivered: 3)) == [false, true])
  }

  @Test("an equal text, a text of another branch or language, and an undelivered text replace no earlier text")
  func others() {
    #expect(replaced(returned("A", at: 1), returned("A", at: 2)) == [false, false])
    #expect(replaced(returned("A", at: 1), returned("B", at: 2, on: "next")) == [false, false])
    #expect(replaced(returned("A", at: 1), returned("B", at: 2, language: "uk")) == [false, false])
    #expect(replaced(returned("A", at: 1), returned("B", at: 2, .held)) == [false, false])
    #expect(replaced(returned("A", at: 1), returned("B", at: 2, .delivered)) == [false, false])
  }
}
