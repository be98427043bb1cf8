import FoundationEssentials
import Localization
import Testing

@testable import Pipeline

struct AnsweredUnitsTests {
  private static let digest = Translation("A").digest

  /// Sorts the units of a branch with one return.
  /// - Parameter outcome: the outcome of the return on main; `nil` if the return is not reviewed there yet.
  private func sort(
    _ text: String, outcome: (BranchOutcome.State, String?)?, isReturned: Bool = true, isUnfinished: Bool = false,
    isSent: Bool = true
  ) -> AnsweredUnits.Result {
    var outcomes: [String: ReturnRecord.Standing] = [:]
    if let outcome {
      outcomes["main"] = ReturnRecord.Standing(state: outcome.0, translation: outcome.1, isUnfinished: isUnfinished)
    }
    let record = ReturnRecord(
      id: ReturnedUnitID(rawValue: 1), source: SourceID(rawValue: isReturned ? 7 : 8), language: "de", vendor: "v",
      outcomes: outcomes)
    return sort(text, [record], isSent: isSent)
  }

  private func sort(
    _ text: String, _ records: [ReturnRecord], isSent: Bool = true, steps: [[String]] = [["v"]],
    renewed: Set<RoundPlanner.Place> = []
  ) -> AnsweredUnits.Result {
    let candidate = RoundPlanner.Candidate(
      head: 0, unit: UnitID(catalog: Made.catalog, key: "a"), pin: PinDigest(Made.pin("a")), language: "de",
      vendor: "v", source: SourceID(rawValue: 7), route: VendorRoute(steps: steps))
    return AnsweredUnits(heads: [Made.head("main", Made.snapshot(["a": text]))], returns: records, renewed: renewed)
      .sort(
        isSent ? [candidate] : [], lacking: isSent ? [] : [candidate])
  }

  @Test("units that were never returned are sent")
  func unanswered() {
    let result = sort("", outcome: nil, isReturned: false)
    #expect(result.unanswered.count == 1 && result.reopened.isEmpty)
  }

  @Test("returned units that wait for a merge, are delivered or are held are not sent")
  func underWay() {
    let outcomes: [(BranchOutcome.State, String?)?] = [nil, (.delivered, Self.digest), (.held, nil)]
    for outcome in outcomes {
      let result = sort("", outcome: outcome)
      #expect(result.unanswered.isEmpty && result.reopened.isEmpty)
    }
  }

  @Test("units that the branch had and lost are merged and not sent again")
  func dropped() {
    let result = sort("", outcome: (.settled, Self.digest))
    #expect(result.unanswered.isEmpty)
    #expect(result.reopened == ["main": [ReturnedUnitID(rawValue: 1)]])
  }

  @Test(
    "units that a branch dropped again are merged, even if they are outstanding or missing on another branch"
  )
  func lacking() {
    let dropped = sort("", outcome: (.settled, Self.digest), isSent: false)
    #expect(dropped.unanswered.isEmpty && dropped.reopened == ["main": [ReturnedUnitID(rawValue: 1)]])
    for result in [
      sort("", outcome: nil, isReturned: false, isSent: false), sort("", outcome: (.delivered, nil), isSent: false),
    ] {
      #expect(result.unanswered.isEmpty && result.reopened.isEmpty)
    }
  }

  @Test("a unit whose returned text is on the branch is not sent")
  func stands() {
    let result = sort("A", outcome: (.settled, Self.digest))
    #expect(result.unanswered.isEmpty && result.reopened.isEmpty)
  }

  @Test("a return is merged again, without sending, if the branch has a different text or the unit was replaced")
  func changed() {
    for result in [sort("B", outcome: (.settled, Self.digest)), sort("B", outcome: (.passedOver, nil))] {
      #expect(result.unanswered.isEmpty)
      #expect(result.reopened == ["main": [ReturnedUnitID(rawValue: 1)]])
    }
  }

  @Test(
    "a draft on the branch does not hide the next step's answer that the branch dropped; an answer hides a draft")
  func draftBesideAnswer() {
    func reopened(_ standing: String, _ dropped: String, state: BranchOutcome.State = .settled) -> [ReturnedUnitID]? {
      let records = [(standing, state), (dropped, .passedOver)].enumerated().map { number, record in
        ReturnRecord(
          id: ReturnedUnitID(rawValue: Int64(number + 1)), source: SourceID(rawValue: 7), language: "de",
          vendor: record.0, outcomes: ["main": ReturnRecord.Standing(state: record.1, translation: Self.digest)])
      }
      let result = sort("A", records, steps: [["mt"], ["v"]])
      #expect(result.unanswered.isEmpty)
      return result.reopened["main"]
    }
    #expect(reopened("mt", "v") == [ReturnedUnitID(rawValue: 2)])
    #expect(reopened("mt", "v", state: .delivered) == [ReturnedUnitID(rawValue: 2)])
    #expect(reopened("v", "mt") == nil && reopened("v", "v") == nil)
  }

  @Test(
    "a correction that a branch lost is restored although the earlier text is there; a correction it never had is not"
  )
  func correction() {
    let digests = ["A", "B"].map { Translation($0).digest }
    func reopened(
      _ standing: String, newer: BranchOutcome.State = .settled, isOfGoneString: Bool = false
    ) -> [ReturnedUnitID]? {
      let records = zip(digests, [.settled, newer]).enumerated().map { number, record in
        ReturnRecord(
          id: ReturnedUnitID(rawValue: Int64(number + 1)), source: SourceID(rawValue: 7), language: "de", vendor: "v",
          outcomes: [
            "main": ReturnRecord.Standing(
              state: record.1, translation: record.0, isOfGoneString: isOfGoneString && number == 1)
          ])
      }
      let result = sort(standing, records)
      #expect(result.unanswered.isEmpty)
      return result.reopened["main"]
    }
    #expect(reopened("A") == [ReturnedUnitID(rawValue: 2)])
    #expect(reopened("A", newer: .passedOver) == nil && reopened("B") == nil)
    #expect(
      reopened("A", newer: .passedOver, isOfGoneString: true) == [ReturnedUnitID(rawValue: 2)],
      "it came while the branch did not have the string")
  }

  @Test("a return held because of an outdated translation is reviewed again once the translation is known as outdated")
  func renewed() {
    let record = ReturnRecord(
      id: ReturnedUnitID(rawValue: 1), source: SourceID(rawValue: 7), language: "de", vendor: "v",
      outcomes: ["main": ReturnRecord.Standing(state: .held, translation: nil)])
    #expect(sort("B", [record]).reopened.isEmpty)
    let unit = UnitID(catalog: Made.catalog, key: "a")
    let place = RoundPlanner.Place(head: 0, unit: unit, language: "de")
    #expect(sort("B", [record], renewed: [place]).reopened == ["main": [record.id]])
  }

  @Test("an unfinished return does not answer a unit")
  func unfinished() {
    #expect(sort("", outcome: (.held, nil), isUnfinished: true).unanswered.count == 1)
  }

  @Test("if the newest return is held, the branch gets back its former text, but no text that it never had")
  func heldOverDropped() {
    func reopened(_ older: BranchOutcome.State, vendors: [String] = ["v", "v"], steps: [[String]]) -> [ReturnedUnitID]?
    {
      let records = zip([older, .held], vendors).enumerated().map { number, record in
        ReturnRecord(
          id: ReturnedUnitID(rawValue: Int64(number + 1)), source: SourceID(rawValue: 7), language: "de",
          vendor: record.1, outcomes: ["main": ReturnRecord.Standing(state: record.0, translation: Self.digest)])
      }
      let result = sort("", records, steps: steps)
      #expect(result.unanswered.isEmpty)
      return result.reopened["main"]
    }
    #expect(reopened(.settled, steps: [["v"]]) == [ReturnedUnitID(rawValue: 1)])
    #expect(reopened(.passedOver, steps: [["v"]]) == nil)
    // A machine's draft is delivered again if the translator's text that replaced it is held.
    #expect(reopened(.settled, vendors: ["mt", "v"], steps: [["mt"], ["v"]]) == [ReturnedUnitID(rawValue: 1)])
  }
}

extension AnsweredUnits.Result {
  fileprivate var reopened: [String: [ReturnedUnitID]] {
    Dictionary(grouping: dropped, by: \.branch).mapValues { $0.map(\.id) }
  }
}
