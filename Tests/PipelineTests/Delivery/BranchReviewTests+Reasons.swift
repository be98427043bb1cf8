import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

extension BranchReviewTests {
  @Test("a held return that another one replaces keeps its reason, unless the reason would mean something else")
  func formerReason() {
    func passedOver(_ reason: HoldReason) -> BranchOutcome? {
      let held = BranchOutcome(
        returnedUnit: ReturnedUnitID(rawValue: 1), state: .held, reviewed: Made.id("b"), reason: reason)
      return review([returned(1, "a", "Eins", outcome: held), returned(2, "a", "Zwei")], on: Made.snapshot(["a": ""]))
        .outcomes.first { $0.returnedUnit.rawValue == 1 }
    }
    for reason in [HoldReason.emptyTarget, .changedInRepository("Person")] {
      #expect(passedOver(reason)?.state == .passedOver && passedOver(reason)?.reason == reason)
    }
    for reason in [HoldReason.unfinishedState("new"), .skipped, .unknownKey] {
      #expect(passedOver(reason)?.state == .passedOver && passedOver(reason)?.reason == nil, "\(reason)")
    }
  }
}
