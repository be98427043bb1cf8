import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about renaming and about pruning old rows.
extension StoreConformance {
  static let upkeepChecks: [Check] = [
    ("a renamed pipeline keeps its entries", renamedPipeline),
    ("a renamed vendor keeps its entries", renamedVendor),
    (
      "a late rename of a vendor merges the old and new entries, unless both got units in the same round",
      joinedVendor
    ),
    ("renaming to a name that has entries is refused", takenNames),
    ("pruning keeps heads and history", pruning),
  ]

  @Sendable static func renamedPipeline(_ store: any Store, _ clock: TestClock) async throws {
    let run = try #require(try await store.adopt([head()], of: pipeline).first)
    try await arm(store, plan(.extract, "main"))
    try await store.record(
      [.plan(round(["a", "b"])), .rename("old.xcstrings", to: "L.xcstrings")], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await store.record([.deliver(delivery(commits: [commit("c")]), branch: "main")], of: pipeline)
    let before = try await store.pendingWork(of: pipeline)
    try await store.takeOver(["unknown"], by: pipeline)
    try await store.takeOver([pipeline], by: "finches")
    #expect(try await store.pendingWork(of: "finches") == before)
    #expect(try await store.pendingWork(of: pipeline) == PendingWork())
    #expect(try await store.heads(of: "finches").map(\.id) == [run.id])
    #expect(try await store.jobs(of: "finches").map(\.scope) == ["main"])
    #expect(try await store.rounds(of: "finches").flatMap(\.books).map(\.outstanding) == [1, 2])
    #expect(try await store.renames(of: "finches").count == 1)
    #expect(try await store.returnedUnits(of: "finches", branch: "main").count == 1)
    #expect(try await store.ownCommits(of: "finches", target: "l10n/main") == [commit("c")])
    #expect(try await store.rounds(of: pipeline).isEmpty)
    // The outstanding units are recorded under the new name, so no unit is sent twice.
    await #expect(throws: (any Error).self) { try await store.record([.plan(round(["b"]))], of: "finches") }
  }

  @Sendable static func renamedVendor(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.push, "v"), plan(.extract, "main"))
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    try await store.record([.plan(round(["a"]))], of: "other")
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await store.renameVendor("unknown", to: "v", joining: false, of: pipeline)
    try await store.renameVendor("v", to: "agency", joining: false, of: pipeline)
    #expect(try await counts(store) == ["agency": VendorWork(unsent: 3)])
    #expect(try await counts(store, of: "other") == ["v": VendorWork(unsent: 2)])
    #expect(try await store.unsentShipments(of: pipeline, vendor: "agency").count == 2)
    #expect(try await store.bundle(of: pipeline, vendor: "agency", digest: "d1") != nil)
    // The vendor's job is removed, because it is planned again under the new name.
    #expect(try await store.jobs(of: pipeline).map(\.stage) == [.extract])
    #expect(
      try await store.sentUnits(of: pipeline, vendor: "agency", language: "de", keys: ["a", "b"]).count == 2)
    // The books continue under the new name.
    let units = try await store.sentLedger(of: pipeline, includingReturned: false).units
    try await store.record([.close(units.map(\.id), as: .withdrawn)], of: pipeline)
    #expect(try await total(store).withdrawn == 3)
    #expect(try await store.rounds(of: pipeline).flatMap(\.books).map(\.vendor) == ["agency", "agency"])
  }

  @Sendable static func joinedVendor(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a", "b"])), .plan(round(["x"], vendor: "w"))], of: pipeline)
    for shipment in try await store.unsentShipments(of: pipeline, vendor: "v") {
      let receipt = ShipmentReceipt(reference: "\(shipment.id)", units: 2, wasThere: false)
      try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    }
    let sent = try await store.sentLedger(of: pipeline, includingReturned: false).units.filter { $0.vendor == "v" }
    try await store.record([.close(sent.map(\.id), as: .withdrawn)], of: pipeline)
    try await store.record([.plan(round(["a"], vendor: "agency"))], of: pipeline)
    try await store.renameVendor("v", to: "agency", joining: true, of: pipeline)
    let books = try await store.rounds(of: pipeline).flatMap(\.books)
    #expect(!books.contains { !$0.isBalanced })
    #expect(books.map(\.vendor).sorted() == ["agency", "agency", "agency", "agency", "w", "w"])
    // The vendor must still be notified of withdrawn units, except those that were sent again.
    #expect(try await counts(store)["agency"] == VendorWork(unsent: 2, toNotify: 2))

    var both = round(["c"])
    both.shipments = round(["c"], vendor: "agency").shipments + round(["d"], vendor: "w").shipments
    try await store.record([.plan(both)], of: pipeline)
    await #expect(throws: PipelineError.self) {
      try await store.renameVendor("w", to: "agency", joining: true, of: pipeline)
    }
  }

  @Sendable static func takenNames(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"])), .plan(round(["b"], vendor: "w"))], of: pipeline)
    try await store.record([.plan(round(["a"]))], of: "other")
    let shipment = try #require(try await store.unsentShipments(of: "other", vendor: "v").first)
    let receipt = ShipmentReceipt(reference: "r", units: 1, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: now)], of: "other")
    await #expect(throws: PipelineError.self) { try await store.takeOver([pipeline], by: "other") }
    await #expect(throws: PipelineError.self) {
      try await store.renameVendor("v", to: "w", joining: false, of: pipeline)
    }
    #expect(try await store.rounds(of: pipeline).flatMap(\.books).map(\.vendor) == ["v", "v", "w", "w"])
    try await store.takeOver([pipeline], by: pipeline)
    try await store.renameVendor("v", to: "v", joining: false, of: pipeline)
    // A new name is free if no unit was sent under it, because the vendor only had the old name. The entries of the new name are replaced.
    try await store.adopt([head("main", "b")], of: "begun")
    try await store.record([.plan(round(["z"]))], of: "begun")
    let rounds = try await store.rounds(of: pipeline).map(\.books)
    try await store.takeOver([pipeline], by: "begun")
    #expect(try await store.rounds(of: "begun").map(\.books) == rounds)
    #expect(try await store.rounds(of: pipeline).isEmpty)
  }

  @Sendable static func pruning(_ store: any Store, _ clock: TestClock) async throws {
    let old = try await store.adopt([head("main", "b")], of: pipeline)
    try await store.record([.compared(old.map(\.id))], of: pipeline)
    try await store.adopt([head("main", "c")], of: pipeline)
    let run = try #require(try await store.adopt([head()], of: pipeline).first)
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    let rounds = try await store.rounds(of: pipeline)
    try await store.prune(of: pipeline, olderThan: now + 1000)
    #expect(try await store.heads(of: pipeline).map(\.id) == [run.id])
    #expect(try await store.rounds(of: pipeline) == rounds)
    #expect(try await store.bundle(of: pipeline, vendor: "v", digest: "d1") != nil)
    #expect(try await store.lastCompared(of: pipeline, branch: "main", except: commit("a")) == commit("b"))
  }
}
