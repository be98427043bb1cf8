import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about rounds, books, returned units and deliveries.
extension StoreConformance {
  static let ledgerChecks: [Check] = [
    ("a round's books balance at every step", books),
    ("the same unit is never outstanding twice", neverTwice),
    ("a bundle that arrives a second time changes nothing", bundleTwice),
    ("a return that a person accepted answers the unit of one source", answered),
    ("withdrawn units are reported once, and only if their shipment was sent", withdrawal),
    (
      "the units of an abandoned delivery can be delivered again, and those of a settled delivery are settled",
      deliveries
    ),
    ("the units of a renamed catalog move with it", rename),
    ("a unit keeps its provenance, and its round returns it", provenance),
    ("the proposal of a pull request is kept for each delivery branch until it changes", proposals),
    ("a cancelled round is ignored until it is retried", cancelledRound),
  ]

  @Sendable static func books(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a", "b", "c", "d"]))], of: pipeline)
    #expect(try await total(store).sent == 8)
    try await store.record([.receive(bundle(store, keys: ["a", "b"]))], of: pipeline)
    let ledger = try await store.sentLedger(of: pipeline, includingReturned: false)
    #expect(ledger.units.count == 6)
    try await store.record(
      [.close([ledger.units[0].id], as: .withdrawn), .close([ledger.units[1].id], as: .superseded)], of: pipeline)
    // Closing a closed unit again changes nothing.
    try await store.record([.close([ledger.units[0].id], as: .superseded)], of: pipeline)
    let sum = try await total(store)
    #expect([sum.sent, sum.returned, sum.outstanding, sum.withdrawn, sum.superseded] == [8, 2, 4, 1, 1])
    #expect(try await counts(store)["v"]?.unsent == 4)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: true).units.count == 6)
  }

  @Sendable static func proposals(_ store: any Store, _ clock: TestClock) async throws {
    let first = ProposedContent(mark: "content `1`", parts: ["a", "b"], number: 7)
    let second = ProposedContent(mark: "content `2`", parts: [], isRetired: true)
    #expect(try await store.proposedContent(of: pipeline, target: "l10n/main") == nil)
    try await store.record(
      [.proposed(second, target: "l10n/main"), .proposed(first, target: "l10n/main")], of: pipeline)
    try await store.record([.proposed(second, target: "l10n/release")], of: pipeline)
    #expect(try await store.proposedContent(of: pipeline, target: "l10n/main") == first)
    #expect(try await store.proposedContent(of: pipeline, target: "l10n/release") == second)
    #expect(try await store.proposedContent(of: "other", target: "l10n/main") == nil)
  }

  @Sendable static func provenance(_ store: any Store, _ clock: TestClock) async throws {
    let origin = Provenance(commit: commit("b"), author: "Ann", seconds: 1_700_000_000)
    var first = round(["a", "b"])
    for index in first.shipments.indices { first.shipments[index].sentUnits[0].provenance = origin }
    try await store.record([.plan(first)], of: pipeline)
    // The same unit is sent to another vendor; its provenance is not looked up again.
    var second = round(["a"], vendor: "w")
    second.shipments = second.shipments.map { shipment in
      var shipment = shipment
      shipment.language = "fr"
      return shipment
    }
    try await store.record([.plan(PlannedRound(created: now, shipments: [second.shipments[0]]))], of: pipeline)
    let rounds = try await store.rounds(of: pipeline).map(\.id)
    let units = try await store.units(of: #require(rounds.first))
    #expect(units.map(\.source.unit.key) == ["a", "b"])
    #expect(units.map(\.provenance) == [origin, nil])
    #expect(units.map(\.sentFrom) == [commit("a"), commit("a")])
    #expect(try await store.units(of: #require(rounds.last)).map(\.provenance) == [origin])
  }

  @Sendable static func neverTwice(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["é"]))], of: pipeline)
    await #expect(throws: (any Error).self) { try await store.record([.plan(round(["é"]))], of: pipeline) }
    // A different source text, or a different spelling of the key, makes a different unit.
    try await store.record([.plan(round(["é"], text: "2")), .plan(round(["e\u{301}"]))], of: pipeline)
    #expect(try await total(store).outstanding == 6)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: false).sources.count == 3)
  }

  @Sendable static func bundleTwice(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let bundle = try await bundle(store, keys: ["a", "unknown"])
    #expect(try await store.bundle(of: pipeline, vendor: "v", digest: "d1") == nil)
    for _ in 1...2 { try await store.record([.receive(bundle)], of: pipeline) }
    let returnedUnits = try await store.returnedUnits(of: pipeline, branch: "main")
    #expect(returnedUnits.map(\.unit.key) == ["a", "unknown"])
    #expect(returnedUnits.first?.export?.translation == Translation("alt", state: .needsReview))
    #expect(returnedUnits.first?.round == 1)
    #expect(returnedUnits.last?.export == nil)
    #expect(try await total(store).returned == 1)
    let kept = try await store.returnedUnits(of: pipeline, vendor: "v", retired: false)
    #expect(kept.keys.map(\.key) == ["a"])
    #expect(try await store.returnedUnits(of: pipeline, vendor: "other", retired: false).isEmpty)
    #expect(try await store.returnedUnits(of: pipeline, vendor: "v", retired: true).isEmpty)
    for isRetired in [true, false, true] {
      let ids = kept.values.flatMap(\.self)
      try await store.record([isRetired ? .notified(ids) : .recalled(ids)], of: pipeline)
      #expect(try await store.returnedUnits(of: pipeline, vendor: "v", retired: isRetired) == kept)
      #expect(try await store.returnedUnits(of: pipeline, vendor: "v", retired: !isRetired).isEmpty)
    }
    #expect(try await total(store).returned == 1)
    try await store.record([.acknowledged(vendor: "v", digest: "d1")], of: pipeline)
    #expect(
      try await store.bundle(of: pipeline, vendor: "v", digest: "d1")
        == BundleRecord(review: nil, isAcknowledged: true))
    // After the return of an unfinished translation, the unit is still outstanding.
    try await store.record([.plan(round(["c"]))], of: pipeline)
    try await store.record(
      [.receive(Self.bundle(store, keys: ["c"], digest: "d2", isFinished: false))], of: pipeline)
    #expect(try await total(store).returned == 1)
  }

  @Sendable static func answered(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"], text: "1")), .plan(round(["a"], text: "2"))], of: pipeline)
    var bundle = try await bundle(store, keys: ["a"])
    (bundle.returnedUnits[0].sentUnit, bundle.returnedUnits[0].source) = (nil, nil)
    try await store.record([.receive(bundle)], of: pipeline)
    let returned = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    #expect(returned.source == nil)
    let source = try #require(try await store.sentLedger(of: pipeline, includingReturned: false).sources.first)
    // The same decision may be recorded again.
    for _ in 1...2 { try await store.record([.answered([returned.id: source.pin])], of: pipeline) }
    let sum = try await total(store)
    #expect(sum.returned == 1 && sum.outstanding == 3)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.source) == [source.id])
    let left = try await store.sentLedger(of: pipeline, includingReturned: false).units
    #expect(left.filter { $0.language == "de" }.allSatisfy { $0.source != source.id })
  }

  @Sendable static func withdrawal(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let shipments = try await store.unsentShipments(of: pipeline, vendor: "v")
    #expect(shipments.map(\.language) == ["de", "uk"])
    #expect(shipments.first?.units.map(\.unit.key) == ["a", "b"])
    let receipt = ShipmentReceipt(reference: "x", units: 2, wasThere: false)
    try await store.record([.shipped(shipments[0].id, receipt, at: now)], of: pipeline)
    #expect(try await store.unsentShipments(of: pipeline, vendor: "v").map(\.language) == ["uk"])
    let units = try await store.sentLedger(of: pipeline, includingReturned: false).units
    try await store.record([.close(units.map(\.id), as: .withdrawn)], of: pipeline)
    let notices = try await store.withdrawalNotices(of: pipeline, vendor: "v")
    #expect(notices.map(\.receipt) == [receipt])
    #expect(notices.first?.units.map(\.unit.key) == ["a", "b"])
    let unwanted = try await store.unsentShipments(of: pipeline, vendor: "v")
    #expect(unwanted.map(\.isWanted) == [false] && unwanted.first?.units.map(\.unit.key) == ["a", "b"])
    for shipment in unwanted { try await store.record([.neverArrived(shipment.id)], of: pipeline) }
    #expect(try await store.unsentShipments(of: pipeline, vendor: "v").isEmpty)
    try await store.record([.notified(notices.flatMap { $0.units.map(\.id) })], of: pipeline)
    #expect(try await store.withdrawalNotices(of: pipeline, vendor: "v").isEmpty)
  }

  @Sendable static func deliveries(_ store: any Store, _ clock: TestClock) async throws {
    try await store.adopt([head()], of: pipeline)
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a", "b"]))], of: pipeline)
    let returnedUnits = try await store.returnedUnits(of: pipeline, branch: "main")
    let outcomes = [
      BranchOutcome(returnedUnit: returnedUnits[0].id, state: .delivered, reviewed: commit("a"), translation: "t"),
      BranchOutcome(
        returnedUnit: returnedUnits[1].id, state: .held, reviewed: commit("a"), reason: .placeholdersDiffer("%@")),
    ]
    func delivery(replaces: [DeliveryID] = []) -> NewDelivery {
      NewDelivery(
        source: commit("a"), target: "l10n/main", expected: nil, base: commit("a"),
        commits: [commit("c"), commit("d")],
        units: 1, created: now, replaces: replaces, outcomes: [outcomes[0]], bringsCatalogs: replaces.isEmpty)
    }
    try await store.record(
      [.outcomes([outcomes[1]], branch: "main"), .deliver(delivery(), branch: "main")], of: pipeline)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.outcome) == outcomes)
    #expect(try await store.returnedUnits(of: pipeline, branch: "other").map(\.outcome) == [nil, nil])
    let held = try await store.heldUnits(of: nil)
    #expect(held.map(\.reason) == [.placeholdersDiffer("%@")])
    #expect(held.map(\.text) == ["Ü"])

    let first = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first)
    #expect(first.tip == commit("d") && first.bringsCatalogs)
    try await store.record([.delivery(first.id, .abandoned)], of: pipeline)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.outcome) == [nil, outcomes[1]])

    try await store.record([.deliver(delivery(), branch: "main")], of: pipeline)
    let second = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first)
    try await store.record([.deliver(delivery(replaces: [second.id]), branch: "main")], of: pipeline)
    let third = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first)
    #expect(third.id != second.id)
    try await store.record([.delivery(third.id, .pushed), .delivery(third.id, .settled)], of: pipeline)
    #expect(try await store.openDeliveries(of: pipeline, branch: "main").isEmpty)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.unit.key) == ["b"])
    let source = try #require(returnedUnits[0].source)
    let returns = try await store.returns(of: pipeline, for: [source])
    #expect(
      returns == [
        ReturnRecord(
          id: returnedUnits[0].id, source: source, language: "de", vendor: "v",
          outcomes: ["main": ReturnRecord.Standing(state: .settled, translation: "t")])
      ])
  }

  @Sendable static func rename(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await store.record([.rename("L.xcstrings", to: "App/L.xcstrings")], of: pipeline)
    let ledger = try await store.sentLedger(of: pipeline, includingReturned: false)
    #expect(ledger.sources.map(\.unit.catalog) == ["App/L.xcstrings"])
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.unit.catalog) == ["App/L.xcstrings"])
    #expect(try await store.renames(of: pipeline) == ["L.xcstrings": "App/L.xcstrings"])
    let sentUnits = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: ["a"])
    #expect(sentUnits.map(\.unit.catalog) == ["App/L.xcstrings"] && sentUnits.map(\.sentCatalog) == ["L.xcstrings"])
    // A shipment contains the name that the catalog had in the sent commit.
    let shipments = try await store.unsentShipments(of: pipeline, vendor: "v")
    #expect(shipments.flatMap(\.units).map(\.unit.catalog) == ["L.xcstrings"])
    for shipment in shipments {
      let receipt = ShipmentReceipt(reference: "x", units: 1, wasThere: false)
      try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    }
    try await store.record([.close(ledger.units.map(\.id), as: .withdrawn)], of: pipeline)
    let notices = try await store.withdrawalNotices(of: pipeline, vendor: "v")
    #expect(notices.flatMap(\.units).map(\.unit.catalog) == ["L.xcstrings"])
    // Units that are held because their catalog was unknown are reviewed again after a rename.
    let held = try await store.returnedUnits(of: pipeline, branch: "main").map {
      BranchOutcome(returnedUnit: $0.id, state: .held, reviewed: commit("a"), reason: .unknownCatalog)
    }
    try await store.record([.outcomes(held, branch: "main")], of: pipeline)
    try await store.record([.rename("App/L.xcstrings", to: "L.xcstrings")], of: pipeline)
    #expect(try await store.renames(of: pipeline) == ["App/L.xcstrings": "L.xcstrings"])
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").allSatisfy { $0.outcome == nil })
  }

  @Sendable static func cancelledRound(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let id = try #require(try await store.rounds(of: nil).first?.id)
    try await store.cancelRound(id)
    #expect(try await total(store).withdrawn == 2)
    // The ledger still lists withdrawn units, so they are not sent again.
    #expect(
      try await store.sentLedger(of: pipeline, includingReturned: false).units.map(\.state) == [.withdrawn, .withdrawn])
    try await store.retryRound(id)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: false).units.isEmpty)
    await #expect(throws: PipelineError.self) { try await store.cancelRound(RoundID(rawValue: 99)) }
  }
}
