import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about refused units and failing vendors, and about reading returned and held units.
extension StoreConformance {
  static let routeChecks: [Check] = [
    ("a refused unit is withdrawn without a notice, and is reported for planning", refused),
    ("a unit that is not outstanding is not refused", refusedTooLate),
    ("a job counts as failing from its first failure until an attempt succeeds or waits", failingSince),
    ("a failing vendor is reported for planning", failingVendors),
    ("returns are read with their vendor, and with the return whose text is on the branch", standing),
    ("returns that are or were on a branch are read for the translation memory", takenReturns),
    ("units whose newest return is held are read with their shipment", heldShipments),
    ("returned units are read with their shipment and their newest texts", returnedShipments),
  ]

  @Sendable static func refused(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let before = try await store.pendingWork(of: pipeline)
    let shipments = try await store.unsentShipments(of: pipeline, vendor: "v")
    let shipment = try #require(shipments.first { $0.language == "de" })
    let unit = UnitID(catalog: "L.xcstrings", key: "a")
    try await store.record([.refused(shipment.id, [unit: "no such language"])], of: pipeline)
    let total = try await total(store)
    #expect(total.withdrawn == 1 && total.outstanding == 3 && total.sent == 4)
    let after = try await store.pendingWork(of: pipeline)
    #expect(after.decisions > before.decisions && after.vendors["v"]?.toNotify == 0)
    let ledger = try await store.sentLedger(of: pipeline, includingReturned: false)
    let refused = ledger.units.filter(\.isRefused)
    #expect(refused.map(\.language) == ["de"] && refused.map(\.state) == [.withdrawn])
    #expect(ledger.sources.first { $0.id == refused.first?.source }?.unit == unit)
    #expect(ledger.units.count == 4)
    // Recording the refusal again changes nothing.
    try await store.record([.refused(shipment.id, [unit: "again"])], of: pipeline)
    #expect(try await store.pendingWork(of: pipeline) == after)
    // The unit can now be sent to another vendor.
    try await store.record([.plan(german(["a"], vendor: "w"))], of: pipeline)
    #expect(try await counts(store)["w"] == VendorWork(unsent: 1))
  }

  private static func german(_ keys: [UnitKey], vendor: String) -> PlannedRound {
    var round = round(keys, vendor: vendor)
    round.shipments.removeAll { $0.language != "de" }
    return round
  }

  @Sendable static func refusedTooLate(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let shipment = try #require(
      try await store.unsentShipments(of: pipeline, vendor: "v").first { $0.language == "de" })
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    let unit = UnitID(catalog: "L.xcstrings", key: "a")
    try await store.record([.refused(shipment.id, [unit: "late"])], of: pipeline)
    #expect(try await total(store).returned == 1)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: true).units.allSatisfy { !$0.isRefused })
  }

  @Sendable static func failingSince(_ store: any Store, _ clock: TestClock) async throws {
    func since() async throws -> Date? { try await store.jobs(of: pipeline).first?.failingSince }
    try await arm(store, plan(.pull, "v"))
    #expect(try await since() == nil)
    let began = clock.now
    for _ in 0..<2 {
      let job = try #require(try await claim(store).first)
      try await store.move(job, by: .retry(due: clock.now), changes: [])
      clock.advance(by: 600)
    }
    #expect(try await since() == began)
    let third = try #require(try await claim(store).first)
    try await store.move(third, by: .fail(FailureRecord(message: "down", at: clock.now)), changes: [])
    // New inputs arm the job again, but are no evidence that the vendor works.
    try await arm(store, plan(.pull, "v", inputs: "2"))
    #expect(try await since() == began)
    let fourth = try #require(try await claim(store).first)
    try await store.move(fourth, by: .snooze(until: clock.now), changes: [])
    #expect(try await since() == nil)
    // If the clock is set back, the beginning of a failure is not in the future.
    let fifth = try #require(try await claim(store).first)
    try await store.move(fifth, by: .retry(due: clock.now), changes: [])
    clock.advance(by: -300)
    try await store.wake(pipeline, stage: nil, scope: nil)
    let sixth = try #require(try await claim(store).first)
    try await store.move(sixth, by: .retry(due: clock.now), changes: [])
    #expect(try await since() == clock.now)
    try await store.wake(pipeline, stage: nil, scope: nil)
    let seventh = try #require(try await claim(store).first)
    try await store.move(seventh, by: .succeed, changes: [])
    #expect(try await since() == nil)
  }

  @Sendable static func failingVendors(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.push, "v"), plan(.pull, "v"), plan(.pull, "w"), plan(.extract, "main"))
    for job in try await claim(store) {
      guard job.scope != "w" else {
        try await store.move(job, by: .snooze(until: clock.now + 900), changes: [])
        continue
      }
      clock.advance(by: 1)
      try await store.move(job, by: .retry(due: clock.now + 900), changes: [])
    }
    let jobs = try await store.jobs(of: pipeline)
    let first = jobs.filter { $0.scope == "v" }.compactMap(\.failingSince).min()
    let failing = try await basis(store).failing
    #expect(first != nil && failing.keys.sorted() == ["v"] && failing["v"] == first)
  }

  @Sendable static func standing(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    let first = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    let settled = BranchOutcome(
      returnedUnit: first.id, state: .settled, reviewed: commit("a"), reason: nil, translation: "t")
    try await store.record([.outcomes([settled], branch: "main")], of: pipeline)
    try await store.record([.plan(german(["a"], vendor: "w"))], of: pipeline)
    let source = try #require(first.source)
    let record = try #require(
      try await store.sentUnits(of: pipeline, vendor: "w", language: "de", keys: ["a"]).first)
    var second = try await bundle(store, keys: ["a"], digest: "d2")
    second.vendor = "w"
    second.returnedUnits[0].sentUnit = record.id
    try await store.record([.receive(second)], of: pipeline)
    let unit = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    #expect(unit.vendor == "w" && unit.standing == "t")
    #expect(unit.standingVendor == "v" && unit.standingPin != nil && unit.standingPin == first.pin)
    #expect(first.standingVendor == nil && first.standingPin == nil)
    #expect(unit.standingReturn == first.id && first.standingReturn == nil)
    #expect(try await store.returns(of: pipeline, for: [source]).map(\.vendor) == ["v", "w"])
    let earlier = try await store.earlierReturns(of: pipeline, for: [source])
    #expect(earlier.map(\.vendor) == ["v", "w"] && earlier.map(\.id) == [first.id, unit.id])
    #expect(earlier.map(\.units) == [first.units, unit.units] && earlier.allSatisfy { $0.language == unit.language })
  }

  @Sendable static func heldShipments(_ store: any Store, _ clock: TestClock) async throws {
    func held() async throws -> [HeldShipment] { try await store.heldShipments(of: pipeline, vendor: "v") }
    func place(_ unit: ReturnedUnit, _ state: BranchOutcome.State, _ reason: HoldReason?, on branch: String)
      async throws
    {
      let outcome = BranchOutcome(returnedUnit: unit.id, state: state, reviewed: commit("a"), reason: reason)
      try await store.record([.outcomes([outcome], branch: branch)], of: pipeline)
    }
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let shipment = try #require(try await store.unsentShipments(of: pipeline, vendor: "v").first)
    let receipt = ShipmentReceipt(reference: "x", units: 2, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a", "b"]))], of: pipeline)
    let units = try await store.returnedUnits(of: pipeline, branch: "main")
    #expect(try await held().isEmpty, "nothing was reviewed")
    try await place(units[0], .held, .tooLong("x"), on: "main")
    try await place(units[0], .held, .placeholdersDiffer("y"), on: "next")
    try await place(units[1], .held, .tooLong("x"), on: "main")
    try await place(units[1], .delivered, nil, on: "next")
    let found = try await held()
    #expect(found.map(\.receipt) == [receipt] && found.map(\.record.id) == [shipment.id])
    #expect(found[0].record.units.map(\.unit.key) == ["a"] && found[0].record.units.map(\.pin) == [units[0].pin])
    #expect(found[0].record.language == "de" && found[0].reasons == [[.tooLong("x"), .placeholdersDiffer("y")]])
    #expect(try await store.heldShipments(of: pipeline, vendor: "w").isEmpty)
    // The next return for the same unit replaces the held return.
    try await store.record([.receive(bundle(store, keys: ["a"], digest: "d2"))], of: pipeline)
    #expect(try await held().isEmpty)
  }

  @Sendable static func returnedShipments(_ store: any Store, _ clock: TestClock) async throws {
    func returned(_ vendor: String = "v", _ language: LocaleIdentifier = "de") async throws -> [ReturnedShipment] {
      try await store.returnedShipments(of: pipeline, vendor: vendor, language: language)
    }
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let shipment = try #require(
      try await store.unsentShipments(of: pipeline, vendor: "v").first { $0.language == "de" })
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    #expect(try await returned().isEmpty, "the vendor has not confirmed the shipment")
    let receipt = ShipmentReceipt(reference: "x", units: 2, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    let first = try await returned()
    #expect(first.map(\.receipt) == [receipt] && first.map(\.record.id) == [shipment.id])
    #expect(first[0].record.units.map(\.unit) == [UnitID(catalog: "L.xcstrings", key: "a")])
    #expect(first[0].record.round == 1 && first[0].record.language == "de" && first[0].record.sourceLanguage == "en")
    let unit = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    #expect(first[0].record.units.map(\.pin) == [unit.pin])
    try await store.record([.receive(bundle(store, keys: ["b", "a"], digest: "d2"))], of: pipeline)
    let second = try await returned()
    #expect(second.count == 1 && second[0].record.units.map(\.unit.key) == ["a", "b"])
    #expect(try await returned("w").isEmpty)
    #expect(try await returned("v", "uk").isEmpty)
    // The newest return of each unit counts.
    var third = try await bundle(store, keys: ["a"], digest: "d3")
    third.returnedUnits[0].units[0].target = ExchangeTarget(.text("Ä"))
    try await store.record([.receive(third)], of: pipeline)
    let texts = try await store.newestReturns(of: pipeline, for: second[0].sentUnits)
    #expect(second[0].sentUnits.map { texts[$0]?.map(\.target?.text) } == [[.text("Ä")], [.text("Ü")]])
    #expect(try await store.newestReturns(of: "other", for: second[0].sentUnits).isEmpty)
    #expect(try await store.newestReturns(of: pipeline, for: []).isEmpty)
  }

  @Sendable static func takenReturns(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a", "b"]))], of: pipeline)
    #expect(try await store.takenReturns(of: pipeline, in: ["de"]).isEmpty)
    let units = try await store.returnedUnits(of: pipeline, branch: "main")
    try await store.record(
      [
        .outcomes(
          [
            BranchOutcome(returnedUnit: units[0].id, state: .settled, reviewed: commit("a"), translation: "t"),
            BranchOutcome(
              returnedUnit: units[1].id, state: .held, reviewed: commit("a"), reason: .placeholdersDiffer("%@")),
          ], branch: "main")
      ], of: pipeline)
    let taken = try await store.takenReturns(of: pipeline, in: ["de", "fr"])
    #expect(taken == [TakenReturn(unit: units[0].unit, language: "de", units: units[0].units)])
    #expect(try await store.takenReturns(of: pipeline, in: ["uk"]).isEmpty)
  }
}
