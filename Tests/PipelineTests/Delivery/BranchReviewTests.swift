import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

struct BranchReviewTests {
  /// Makes a returned unit with a German text. If the unit was sent, `baseline` is the translation that the catalog had at that time.
  func returned(
    _ number: Int64, _ key: UnitKey, _ text: String, source: String? = nil, sentWith baseline: String? = nil,
    wasSent: Bool = true, vendor: String = "v", outcome: BranchOutcome? = nil, standing: String? = nil
  ) -> ReturnedUnit {
    let pin = Made.pin(key, source: source)
    return ReturnedUnit(
      id: ReturnedUnitID(rawValue: number), unit: UnitID(catalog: Made.catalog, key: key), language: "de",
      units: [Made.unit(key, text, source: source)], pin: wasSent ? PinDigest(pin) : nil, source: nil, vendor: vendor,
      bundle: "b", received: Date(timeIntervalSince1970: 0), round: 1,
      export: wasSent ? ExportRecord(pin: pin, translation: baseline.map { Translation($0) }) : nil, outcome: outcome,
      standing: standing)
  }

  func review(
    _ units: [ReturnedUnit], on snapshot: Snapshot, others: [WatchedHead] = [], withheld: Set<LocaleIdentifier> = []
  ) -> BranchReview.Result {
    BranchReview(snapshot: snapshot, others: others, withheld: withheld, policy: Made.policy).review(units)
  }

  private func text(_ result: BranchReview.Result, _ key: UnitKey) -> Translation? {
    result.catalogs[Made.catalog]?.entries[key]?.translations["de"]
  }

  @Test("a translation for an empty entry is delivered with the digest of the new text")
  func delivered() throws {
    let result = review([returned(1, "a", "A")], on: Made.snapshot(["a": ""]))
    let outcome = try #require(result.outcomes.first)
    #expect(outcome.state == .delivered && outcome.reviewed == Made.id("a"))
    #expect(text(result, "a") == Translation("A"))
    #expect(outcome.translation == text(result, "a")?.digest)
    #expect(result.taken.map(\.id.rawValue) == [1])
  }

  @Test("a text that the catalog already has is settled without a change")
  func settled() {
    let result = review([returned(1, "a", "A", sentWith: "A")], on: Made.snapshot(["a": "A"]))
    #expect(result.outcomes.map(\.state) == [.settled] && result.taken.isEmpty)
  }

  @Test(
    "the newest return for the current source text is used and all others are passed over, whatever their order",
    arguments: [false, true])
  func rivals(isReversed: Bool) {
    let snapshot = Made.snapshot(["a": ""], source: ["a": "New"])
    let units = [
      returned(1, "a", "Eins", source: "New"), returned(2, "a", "Zwei", source: "New"),
      returned(3, "a", "Alt", source: "Old"),
    ]
    let result = review(isReversed ? units.reversed() : units, on: snapshot)
    #expect(text(result, "a") == Translation("Zwei"))
    let states = Dictionary(uniqueKeysWithValues: result.outcomes.map { ($0.returnedUnit.rawValue, $0.state) })
    #expect(states == [1: .passedOver, 2: .delivered, 3: .passedOver])
  }

  @Test("a held newer return does not replace an older delivered return, which is delivered again")
  func heldRival() {
    func rivals(_ newer: BranchOutcome?) -> [ReturnedUnit] {
      let delivered = BranchOutcome(
        returnedUnit: ReturnedUnitID(rawValue: 1), state: .delivered, reviewed: Made.id("b"),
        translation: Translation("Eins %lld").digest)
      return [
        returned(1, "%lld a", "Eins %lld", outcome: delivered), returned(2, "%lld a", "Zwei", outcome: newer),
      ]
    }
    let heldHere = BranchOutcome(
      returnedUnit: ReturnedUnitID(rawValue: 2), state: .held, reviewed: Made.id("a"), reason: .emptyTarget)
    for newer in [nil, heldHere] {
      let result = review(rivals(newer), on: Made.snapshot(["%lld a": ""]))
      #expect(text(result, "%lld a") == Translation("Eins %lld"))
      #expect(result.taken.map(\.id.rawValue) == [1])
      let states = Dictionary(uniqueKeysWithValues: result.outcomes.map { ($0.returnedUnit.rawValue, $0.state) })
      #expect(states[1] == .delivered)
      // The held return is already reported for this commit.
      #expect(states[2] == (newer == nil ? .held : nil))
    }
  }

  @Test("if the newest return is held, the next older one for the same source text is used")
  func heldOverOthers() {
    let snapshot = Made.snapshot(["a": ""], source: ["a": "New"])
    func states(_ units: ReturnedUnit...) -> [Int: BranchOutcome.State] {
      let result = review(units, on: snapshot)
      return Dictionary(uniqueKeysWithValues: result.outcomes.map { (Int($0.returnedUnit.rawValue), $0.state) })
    }
    let empty = returned(5, "a", "", source: "New")
    #expect(states(returned(1, "a", "Eins", source: "New"), empty) == [1: .delivered, 5: .held])
    #expect(states(returned(1, "a", "Eins", source: "Old"), empty) == [1: .passedOver, 5: .held])
    // The return was held but can be delivered now, for example because a force-push dropped a person's text.
    let changed = BranchOutcome(
      returnedUnit: ReturnedUnitID(rawValue: 1), state: .held, reviewed: Made.id("b"),
      reason: .changedInRepository("Person"))
    #expect(states(returned(1, "a", "Eins", source: "New", outcome: changed), empty) == [1: .delivered, 5: .held])
  }

  @Test("a held return does not hide another held return unless their texts are the same")
  func heldTogether() {
    let result = review(
      [returned(1, "%lld a", "Eins"), returned(2, "%lld a", "Zwei"), returned(3, "%lld a", "Eins")],
      on: Made.snapshot(["%lld a": ""]))
    let states = Dictionary(uniqueKeysWithValues: result.outcomes.map { (Int($0.returnedUnit.rawValue), $0.state) })
    #expect(states == [1: .passedOver, 2: .held, 3: .held])
  }

  @Test("an earlier return is replaced however it reached the branch; a text that was never returned is kept")
  func earlier() {
    let source = SourceID(rawValue: 7)
    func states(_ number: Int64, over text: String, from returned: ExchangeTarget) -> [BranchOutcome.State] {
      var unit = self.returned(number, "a", "Neu")
      unit.source = source
      var exchange = Made.unit("a", "Alt")
      exchange.target = returned
      var review = BranchReview(
        snapshot: Made.snapshot(["a": text]), others: [], withheld: [], policy: Made.policy)
      review.earlier = EarlierReturns([
        EarlierReturn(
          id: ReturnedUnitID(rawValue: 4), source: source, language: "de", vendor: "v", units: [exchange])
      ])
      return review.review([unit]).outcomes.map(\.state)
    }
    let finished = ExchangeTarget(.text("Alt"), state: "translated")
    let draft = ExchangeTarget(
      .text("Alt"), state: "needs-review-translation", stateQualifier: ExchangeTarget.takenForReview)
    #expect(states(5, over: "Alt", from: finished) == [.delivered])
    // The return is older than the text on the branch, a person wrote the text, or a person finished the draft.
    #expect(states(3, over: "Alt", from: finished) == [.held])
    #expect(states(5, over: "Person", from: finished) == [.held])
    #expect(states(5, over: "Alt", from: draft) == [.held])
  }

  @Test("an older return that is repeated after a newer one for the same source text is passed over")
  func overtaken() {
    var unit = returned(1, "a", "Alt", standing: Translation("Neu").digest)
    (unit.standingPin, unit.standingVendor, unit.standingReturn) = (unit.pin, "v", ReturnedUnitID(rawValue: 2))
    #expect(review([unit], on: Made.snapshot(["a": "Neu"])).outcomes.map(\.state) == [.passedOver])
    unit.id = ReturnedUnitID(rawValue: 3)
    #expect(review([unit], on: Made.snapshot(["a": "Neu"])).outcomes.map(\.state) == [.delivered])
  }

  @Test("if the route has no preference, another vendor's text replaces a draft but no finished text")
  func formerVendors() {
    var unit = returned(5, "a", "Entwurf", vendor: "machine", standing: Translation("Fertig").digest)
    (unit.standingPin, unit.standingVendor, unit.standingReturn) = (unit.pin, "agency", ReturnedUnitID(rawValue: 2))
    #expect(review([unit], on: Made.snapshot(["a": "Fertig"])).outcomes.map(\.state) == [.passedOver])
    // The text on the branch was returned for another source text, or is not finished.
    unit.standingPin = PinDigest(Made.pin("a", source: "Before"))
    #expect(review([unit], on: Made.snapshot(["a": "Fertig"])).outcomes.map(\.state) == [.delivered])
    unit.standingPin = unit.pin
    unit.standing = Translation("Fertig").inState(.needsReview).digest
    let unfinished = Made.snapshot(["a": "Fertig"], states: ["a": .needsReview])
    #expect(review([unit], on: unfinished).outcomes.map(\.state) == [.delivered])
  }

  @Test("a draft does not replace a finished return that was never requested")
  func neverSentRival() {
    let policy = ReturnPolicy(
      routes: VendorRoutes([
        ("machine", VendorDefinition(kind: "memory", languages: ["de"], then: "agency")),
        ("agency", VendorDefinition(kind: "memory", languages: ["de"])),
      ]))
    func states(_ vendor: String) -> [BranchOutcome.State] {
      var unit = returned(5, "a", "Neu", vendor: vendor, standing: Translation("Fertig").digest)
      (unit.standingVendor, unit.standingReturn) = ("agency", ReturnedUnitID(rawValue: 2))
      let snapshot = Made.snapshot(["a": "Fertig"])
      return BranchReview(snapshot: snapshot, others: [], withheld: [], policy: policy).review([unit]).outcomes
        .map(\.state)
    }
    #expect(states("machine") == [.passedOver] && states("agency") == [.delivered])
  }

  @Test("an unfinished text never replaces a finished one, even if it is newer")
  func unfinishedRival() {
    var unfinished = returned(2, "a", "Zwei")
    unfinished.units[0].target?.state = "needs-translation"
    let result = review([returned(1, "a", "Eins"), unfinished], on: Made.snapshot(["a": ""]))
    #expect(text(result, "a") == Translation("Eins"))
    let outcome = result.outcomes.first { $0.returnedUnit.rawValue == 2 }
    #expect(outcome?.state == .passedOver && outcome?.reason == .noTarget)
  }

  @Test("a return for a renamed catalog is delivered under the former name if a branch has that name again")
  func olderName() {
    let newer: TreePath = "New.xcstrings"
    var unit = returned(1, "a", "A")
    unit.unit = UnitID(catalog: newer, key: "a")
    let other = Made.head("release/1", Made.snapshot(["a": ""], commit: "b", at: newer))
    let result = BranchReview(
      snapshot: Made.snapshot(["a": ""]), others: [other], withheld: [], policy: Made.policy,
      renames: [Made.catalog: newer]
    ).review([unit])
    #expect(result.outcomes.map(\.state) == [.delivered] && text(result, "a") == Translation("A"))
  }

  @Test("a translation of a different source text is held")
  func sourceChanged() {
    let result = review([returned(1, "a", "Alt", source: "Old")], on: Made.snapshot(["a": ""], source: ["a": "New"]))
    #expect(result.outcomes.map(\.reason) == [.sourceChanged("New")] && result.taken.isEmpty)
  }

  @Test("a unit is held if a person changed its text after sending, but not if our own earlier return did")
  func changedInRepository() throws {
    let snapshot = Made.snapshot(["a": "Früher"])
    let held = review([returned(1, "a", "A")], on: snapshot)
    #expect(held.outcomes.map(\.reason) == [.changedInRepository("Früher")])
    let taken = review([returned(1, "a", "A", standing: Translation("Früher").digest)], on: snapshot)
    #expect(taken.outcomes.map(\.state) == [.delivered] && text(taken, "a") == Translation("A"))
  }

  @Test("a text that a person emptied after sending is filled with the return")
  func emptied() throws {
    var snapshot = Made.snapshot(["a": "Früher"])
    snapshot.synced[Made.catalog]?.entries["a"]?.translations["de"] = Translation("")
    let result = review([returned(1, "a", "A", sentWith: "Früher")], on: snapshot)
    #expect(result.outcomes.map(\.state) == [.delivered] && text(result, "a") == Translation("A"))
  }

  @Test("a unit that was never sent fills an empty entry but never replaces a translation")
  func neverSent() {
    let result = review(
      [returned(1, "a", "Alt", wasSent: false), returned(2, "b", "B", wasSent: false)],
      on: Made.snapshot(["a": "Neu", "b": ""]))
    let reasons = Dictionary(uniqueKeysWithValues: result.outcomes.map { ($0.returnedUnit.rawValue, $0.reason) })
    #expect(reasons == [1: .neverSent("Neu"), 2: nil])
    #expect(result.taken.map(\.id.rawValue) == [2])
  }

  @Test("a return is held if its language is routed to another vendor, even for an empty entry")
  func notRouted() {
    let result = review([returned(1, "a", "A", wasSent: false, vendor: "other")], on: Made.snapshot(["a": ""]))
    #expect(result.outcomes.map(\.reason) == [.notRouted] && result.catalogs[Made.catalog]?.entries["a"] == nil)
  }

  @Test("a held unit is not reviewed again for the same commit, unless the pipeline file has a decision")
  func heldBefore() {
    func held(_ reason: HoldReason, against commit: Character = "a") -> BranchOutcome {
      BranchOutcome(
        returnedUnit: ReturnedUnitID(rawValue: 1), state: .held, reviewed: Made.id(commit), reason: reason)
    }
    let snapshot = Made.snapshot(["a": ""])
    #expect(review([returned(1, "a", "A", outcome: held(.unknownKey))], on: snapshot).outcomes.isEmpty)
    for outcome in [held(.unknownKey, against: "b"), held(.notRouted), held(.unknownLanguage(["fr"]))] {
      #expect(review([returned(1, "a", "A", outcome: outcome)], on: snapshot).outcomes.map(\.state) == [.delivered])
    }
  }

  @Test("a language that is withheld until it is complete is not reviewed")
  func withheld() {
    let result = review([returned(1, "a", "A")], on: Made.snapshot(["a": ""]), withheld: ["de"])
    #expect(result.outcomes.isEmpty && result.taken.isEmpty)
  }

  @Test("a key that only another branch has is passed over; a key that no branch has is held")
  func otherBranch() {
    let release = Made.head("release/1", Made.snapshot(["b": ""], commit: "b"))
    let main = Made.snapshot(["a": ""])
    #expect(review([returned(1, "b", "B")], on: main, others: [release]).outcomes.isEmpty)
    #expect(review([returned(1, "b", "B")], on: main).outcomes.map(\.reason) == [.unknownKey])
  }

  @Test("no outcome is recorded for strings of a catalog that cannot be read")
  func broken() {
    var snapshot = Made.snapshot([:])
    snapshot.broken[Made.catalog] = InputFault(Diagnostic(path: "x", severity: .error, message: "odd"))
    #expect(review([returned(1, "a", "A")], on: snapshot).outcomes.isEmpty)
  }

  @Test("a text that a person removed stays held until a person accepts it or the branch has the whole text again")
  func removed() {
    let reason = HoldReason.removed(HoldReason.Removal(commit: "c", author: "Ada"))
    let unit = returned(
      1, "a", "A",
      outcome: BranchOutcome(
        returnedUnit: ReturnedUnitID(rawValue: 1), state: .held, reviewed: Made.id("b"), reason: reason))
    func outcome(_ text: String, taken: Bool = false) -> BranchOutcome? {
      var review = BranchReview(snapshot: Made.snapshot(["a": text]), others: [], withheld: [], policy: Made.policy)
      review.removed = [RemovedReturn(unit: unit, reason: reason)]
      if taken { review.overruled = [unit.id: ["removed"]] }
      return review.review([unit]).outcomes.first
    }
    #expect(outcome("")?.reason == reason)
    #expect(outcome("", taken: true)?.state == .delivered)
    #expect(outcome("A")?.state == .settled)
    #expect(outcome("Anders")?.reason == reason)
    #expect(outcome("Anders", taken: true)?.reason == .changedInRepository("Anders"))
  }
}
