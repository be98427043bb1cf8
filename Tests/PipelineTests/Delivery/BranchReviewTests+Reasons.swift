import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

extension BranchReviewTests {
  @Test(
    "a replaced return keeps the reason for which it was held, unless the reason would mean something else for a replaced return"
  )
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

  @Test("a return that is older than a text that a person removed is not delivered, but a newer return is")
  func olderThanRemoved() {
    func texts(_ removed: Int64, wasHeldHere: Bool = false) -> [Int: BranchOutcome.State] {
      var units = [returned(1, "a", "Eins"), returned(2, "a", "Zwei")]
      let reason = HoldReason.removed(HoldReason.Removal(commit: "c", author: "Ada"))
      let index = Int(removed) - 1
      if wasHeldHere {
        units[index].outcome = BranchOutcome(
          returnedUnit: units[index].id, state: .held, reviewed: Made.id("a"), reason: reason)
      }
      var review = BranchReview(snapshot: Made.snapshot(["a": ""]), others: [], withheld: [], policy: Made.policy)
      review.removed = [RemovedReturn(unit: units[index], reason: reason)]
      let outcomes = review.review(units).outcomes
      return Dictionary(uniqueKeysWithValues: outcomes.map { (Int($0.returnedUnit.rawValue), $0.state) })
    }
    #expect(texts(2) == [1: .passedOver, 2: .held])
    // The newer return is already reported as held for this commit.
    #expect(texts(2, wasHeldHere: true) == [1: .passedOver])
    #expect(texts(1) == [1: .passedOver, 2: .delivered])
  }

  @Test("a return that its format cannot write is held once, and only on the branch under review")
  func unwritable() {
    var review = BranchReview(
      snapshot: Made.snapshot(["a": "", "b": ""]), others: [], withheld: [], policy: Made.policy)
    review.unwritable = [ReturnedUnitID(rawValue: 1): "no room", ReturnedUnitID(rawValue: 9): "no room"]
    let outcomes = review.review([returned(1, "a", "Eins"), returned(2, "b", "Zwei")]).outcomes
    #expect(outcomes.map { Int($0.returnedUnit.rawValue) } == [1, 2])
    #expect(outcomes.map(\.state) == [.held, .delivered] && outcomes[0].reason == .notWritable("no room"))
  }

  @Test(
    "a translation with substitutions equals a return although the catalog writes its arguments differently")
  func substitutions() {
    let one = VariationPath([.substitution("n"), .plural(.other)])
    func returned(_ form: String) -> EarlierReturn {
      var units = [Made.unit("a", "%1$#@n@ hier"), Made.unit("a", form)]
      units[1].path = one
      return EarlierReturn(
        id: ReturnedUnitID(rawValue: 4), source: SourceID(rawValue: 7), language: "de", vendor: "v", units: units)
    }
    let translation = Translation(
      text: .text(StringUnit(state: .translated, value: "%#@n@ hier")),
      substitutions: [
        "n": Substitution(
          argumentNumber: 1, formatSpecifier: "lld",
          forms: .plural([.other: .text(StringUnit(state: .translated, value: "%arg Vögel"))]))
      ])
    #expect(returned("%1$lld Vögel").hasWords(of: translation))
    #expect(!returned("%1$lld Enten").hasWords(of: translation))
  }

  @Test(
    "of several held returns, the one that a person accepts is delivered, and later ones are still reviewed",
    arguments: [1, 2])
  func takenOfSeveral(taken: Int64) {
    func held(_ number: Int64, _ text: String) -> ReturnedUnit {
      var unit = returned(number, "a", text, sentWith: "Alt")
      guard number != taken else { return unit }
      unit.outcome = BranchOutcome(
        returnedUnit: unit.id, state: .held, reviewed: Made.id("b"), reason: .changedInRepository("Person"))
      return unit
    }
    func states(_ units: [ReturnedUnit]) -> [Int64: BranchOutcome.State] {
      var review = BranchReview(snapshot: Made.snapshot(["a": "Person"]), others: [], withheld: [], policy: Made.policy)
      review.overruled = [ReturnedUnitID(rawValue: taken): ["changedInRepository"]]
      let outcomes = review.review(units).outcomes
      return Dictionary(uniqueKeysWithValues: outcomes.map { ($0.returnedUnit.rawValue, $0.state) })
    }
    let both = [held(1, "Eins"), held(2, "Zwei")]
    #expect(states(both) == [taken: .delivered, 3 - taken: .passedOver])
    let newer = returned(3, "a", "Drei", sentWith: "Alt")
    #expect(states(both + [newer]) == [taken: .delivered, 3 - taken: .passedOver, 3: .held])
  }

  @Test(
    "a return for a deleted catalog waits while its key is reviewed in another catalog, to which the key may have moved"
  )
  func formerCatalog() {
    var former = returned(1, "a", "Alt")
    former.unit = UnitID(catalog: "Old/Localizable.xcstrings", key: "a")
    let snapshot = Made.snapshot(["a": ""])
    let both = review([former, returned(2, "a", "Neu")], on: snapshot)
    #expect(both.outcomes.map(\.returnedUnit.rawValue) == [2] && both.outcomes.map(\.state) == [.delivered])
    #expect(review([former], on: snapshot).outcomes.map(\.returnedUnit.rawValue) == [1])
  }
}
