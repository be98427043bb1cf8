import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about the queries that stages repeat.
extension StoreConformance {
  static let pendingWorkChecks: [Check] = [
    ("pending work counts unsent, outstanding and to-be-notified units by vendor", pendingWork),
    ("the revision increases only if a merge should read the ledger again", revision),
    ("equal numbers of different units are distinguished", newestWork),
    ("a person's decisions about a round are counted", decisions),
    ("sent units are read by their keys", sentUnitsByKey),
    ("outdated translations are kept for each pipeline until they are no longer outdated", outdated),
    ("outstanding languages are those with outstanding units", outstandingLanguages),
    ("own commits are the commits of all deliveries to the branch, in any state", ownCommits),
    ("a settled return is processed again once it is reopened", reopened),
    (
      "a translation that a person removed stays held when its bundle arrives again and its round is resumed",
      removedByPerson
    ),
    ("a job changes the ledger only under its own lease and attempt", fencedRecord),
  ]

  @Sendable static func outdated(_ store: any Store, _ clock: TestClock) async throws {
    func row(_ key: String, _ language: LocaleIdentifier) -> OutdatedTranslation {
      OutdatedTranslation(
        unit: UnitID(catalog: "App/Localizable.xcstrings", key: UnitKey(key)), pin: PinDigest(rawValue: "1"),
        origin: PinDigest(rawValue: "0"), language: language, translation: "2")
    }
    let (feed, count, count2) = (row("Feed", "de"), row("%lld birds", "de"), row("%lld birds", "uk"))
    try await store.record([.outdated([feed, count, count2], gone: [])], of: pipeline)
    try await store.record([.outdated([feed], gone: [])], of: "other pipeline")
    #expect(try await store.outdatedTranslations(of: pipeline) == [feed, count, count2])
    try await store.record([.outdated([], gone: [feed, count2])], of: pipeline)
    #expect(try await store.outdatedTranslations(of: pipeline) == [count])
    #expect(try await store.outdatedTranslations(of: "other pipeline") == [feed])
  }

  @Sendable static func pendingWork(_ store: any Store, _ clock: TestClock) async throws {
    #expect(try await store.pendingWork(of: pipeline) == PendingWork())
    try await store.record([.plan(round(["a", "b", "c"])), .plan(round(["x"], vendor: "w"))], of: pipeline)
    try await store.record([.plan(round(["other"]))], of: "other pipeline")
    #expect(
      try await counts(store) == ["v": VendorWork(unsent: 6), "w": VendorWork(unsent: 2)])
    let shipment = try #require(try await store.unsentShipments(of: pipeline, vendor: "v").first)
    let receipt = ShipmentReceipt(reference: "x", units: 3, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    #expect(
      try await counts(store) == [
        "v": VendorWork(unsent: 3, outstanding: 3), "w": VendorWork(unsent: 2),
      ])
    // Withdraw one unit from each of the vendor's shipments; only one of the two shipments was sent.
    let units = try await store.sentLedger(of: pipeline, includingReturned: false).units.filter { $0.vendor == "v" }
    let source = try #require(units.first?.source)
    try await store.record([.close(units.filter { $0.source == source }.map(\.id), as: .withdrawn)], of: pipeline)
    #expect(
      try await counts(store) == [
        "v": VendorWork(unsent: 2, toNotify: 1, outstanding: 2), "w": VendorWork(unsent: 2),
      ])
    let notices = try await store.withdrawalNotices(of: pipeline, vendor: "v")
    try await store.record([.notified(notices.flatMap { $0.units.map(\.id) })], of: pipeline)
    #expect(try await counts(store)["v"] == VendorWork(unsent: 2, outstanding: 2))

    let delivery = delivery(commits: [commit("c")])
    try await store.record([.deliver(delivery, branch: "main")], of: pipeline)
    #expect(try await store.pendingWork(of: pipeline).planned.keys.sorted() == ["main"])
    let id = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first?.id)
    try await store.record([.delivery(id, .pushed)], of: pipeline)
    #expect(try await store.pendingWork(of: pipeline).planned.isEmpty)
  }

  /// Returns the pending work by vendor, without the ids that distinguish equal counts of different units.
  static func counts(_ store: any Store, of pipeline: String = pipeline) async throws -> [String: VendorWork] {
    try await store.pendingWork(of: pipeline).vendors.mapValues {
      VendorWork(unsent: $0.unsent, toNotify: $0.toNotify, outstanding: $0.outstanding)
    }
  }

  @Sendable static func newestWork(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let first = try #require(try await store.pendingWork(of: pipeline).vendors["v"])
    let units = try await store.sentLedger(of: pipeline, includingReturned: false).units
    try await store.record([.close(units.map(\.id), as: .superseded), .plan(round(["a"], text: "2"))], of: pipeline)
    let second = try #require(try await store.pendingWork(of: pipeline).vendors["v"])
    #expect(first.unsent == second.unsent)
    #expect(first.newestShipment < second.newestShipment)
  }

  @Sendable static func decisions(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    #expect(try await store.pendingWork(of: pipeline).decisions == 0)
    let round = try #require(try await store.rounds(of: pipeline).first)
    try await store.cancelRound(round.id)
    try await store.retryRound(round.id)
    #expect(try await store.pendingWork(of: pipeline).decisions == 2)
  }

  @Sendable static func revision(_ store: any Store, _ clock: TestClock) async throws {
    var last: Int64 = 0
    func expect(_ difference: Int64, _ what: Comment) async throws {
      let revision = try await store.pendingWork(of: pipeline).revision
      #expect(revision == last + difference, what)
      last = revision
    }
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let shipment = try #require(try await store.unsentShipments(of: pipeline, vendor: "v").first)
    let receipt = ShipmentReceipt(reference: "x", units: 2, wasThere: false)
    try await store.record([.shipped(shipment.id, receipt, at: now)], of: pipeline)
    try await expect(0, "planned and shipped")
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await expect(1, "received")
    try await store.record([.acknowledged(vendor: "v", digest: "d1")], of: pipeline)
    let returned = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    let outcome = BranchOutcome(returnedUnit: returned.id, state: .held, reviewed: commit("a"))
    try await store.record([.outcomes([outcome], branch: "main")], of: pipeline)
    try await store.record([.deliver(delivery(commits: [commit("c")]), branch: "main")], of: pipeline)
    try await expect(0, "reviewed and delivered")
    let open = try await store.sentLedger(of: pipeline, includingReturned: false).units.map(\.id)
    try await store.record([.close([open[0]], as: .superseded)], of: pipeline)
    try await expect(1, "closed")
    try await store.record([.close([open[0]], as: .superseded), .close([], as: .withdrawn)], of: pipeline)
    try await store.record([.notified([open[0]])], of: pipeline)
    try await expect(0, "closed already")
    try await store.record([.reopen([returned.id], branch: "main"), .reopen([], branch: "main")], of: pipeline)
    try await expect(1, "opened again")
    let round = try #require(try await store.rounds(of: pipeline).first)
    try await store.cancelRound(round.id)
    try await expect(1, "round cancelled")
    try await store.retryRound(round.id)
    try await expect(1, "round taken up again")
    #expect(try await store.pendingWork(of: "other pipeline").revision == 0)
  }

  @Sendable static func sentUnitsByKey(_ store: any Store, _ clock: TestClock) async throws {
    let composed: UnitKey = "caf\u{e9}"
    let keys: [UnitKey] = [composed, "cafe\u{301}", "\"[]\\,", "a\nb"]
    try await store.record([.plan(round(keys)), .plan(round([composed], text: "2"))], of: pipeline)
    for key in keys.dropFirst() {
      let found = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: [key])
      #expect(found.map(\.unit.key) == [key])
      #expect(found.first?.export.translation == Translation("alt", state: .needsReview))
    }
    let both = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: [composed, "unknown"])
    #expect(both.map(\.unit.key) == [composed, composed])
    #expect(both.map(\.id) == both.map(\.id).sorted())
    #expect(try await store.sentUnits(of: pipeline, vendor: "w", language: "de", keys: [composed]).isEmpty)
    #expect(try await store.sentUnits(of: pipeline, vendor: "v", language: "fr", keys: [composed]).isEmpty)
    #expect(try await store.sentUnits(of: "other", vendor: "v", language: "de", keys: [composed]).isEmpty)
    #expect(try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: []).isEmpty)
  }

  @Sendable static func outstandingLanguages(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    #expect(try await store.outstandingLanguages(of: pipeline) == ["de", "uk"])
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    #expect(try await store.outstandingLanguages(of: pipeline) == ["uk"])
    #expect(try await store.outstandingLanguages(of: "other").isEmpty)
  }

  @Sendable static func ownCommits(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.deliver(delivery(commits: [commit("c"), commit("d")]), branch: "main")], of: pipeline)
    let first = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first)
    try await store.record([.delivery(first.id, .abandoned)], of: pipeline)
    try await store.record([.deliver(delivery(commits: [commit("e")]), branch: "main")], of: pipeline)
    try await store.record([.deliver(delivery(commits: [commit("f")], target: "x"), branch: "main")], of: pipeline)
    #expect(
      try await store.ownCommits(of: pipeline, target: "l10n/main") == [commit("c"), commit("d"), commit("e")])
    #expect(try await store.ownCommits(of: pipeline, target: "main").isEmpty)
    #expect(try await basis(store).ownTips == ["main": commit("f")])
    #expect(try await basis(store, of: "other").ownTips.isEmpty)
  }

  @Sendable static func reopened(_ store: any Store, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    let returned = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    let outcome = BranchOutcome(
      returnedUnit: returned.id, state: .settled, reviewed: commit("a"), translation: "t")
    try await store.record(
      [.outcomes([outcome], branch: "main"), .outcomes([outcome], branch: "release")], of: pipeline)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").isEmpty)
    let source = try #require(returned.source)
    let record = try #require(try await store.returns(of: pipeline, for: [source]).first)
    #expect(record.id == returned.id)
    try await store.record([.reopen([record.id], branch: "main")], of: pipeline)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.id) == [returned.id])
    #expect(try await store.returnedUnits(of: pipeline, branch: "release").isEmpty)
  }

  @Sendable static func removedByPerson(_ store: any Store, _ clock: TestClock) async throws {
    try await store.adopt([head()], of: pipeline)
    try await store.record([.plan(round(["a", "b"]))], of: pipeline)
    let answer = try await bundle(store, keys: ["a", "b"])
    try await store.record([.receive(answer)], of: pipeline)
    let returned = try await store.returnedUnits(of: pipeline, branch: "main")
    let removal = HoldReason.removed(HoldReason.Removal(commit: commit("a").rawValue, author: #"Ada "x" L."#))
    let outcomes = zip(returned, [removal, .doNotTranslate]).map { unit, reason in
      BranchOutcome(returnedUnit: unit.id, state: .held, reviewed: commit("a"), reason: reason, translation: "t")
    }
    let round = try #require(try await store.rounds(of: pipeline).first)
    for again in ["received", "taken up"] {
      try await store.record([.outcomes(outcomes, branch: "main")], of: pipeline)
      if again == "received" {
        try await store.record([.receive(answer)], of: pipeline)
      } else {
        try await store.retryRound(round.id)
      }
      #expect(try await store.heldUnits(of: pipeline).map(\.reason) == [removal], "\(again)")
      #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.outcome) == [outcomes[0], nil])
    }
    let source = try #require(returned[0].source)
    let record = try #require(try await store.returns(of: pipeline, for: [source]).first)
    #expect(record.outcomes["main"]?.isRemoved == true)
    // No decision about a unit is possible on a deleted branch. If a person removed the translation from the deleted branch, the removal still counts
    // for other branches.
    try await store.adopt([], of: pipeline)
    #expect(try await store.heldUnits(of: pipeline).isEmpty)
    #expect(try await store.removedUnits(of: pipeline).map(\.reason) == [removal])
  }

  @Sendable static func fencedRecord(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.diff))
    let job = try #require(try await claim(store).first)
    try await store.heartbeat(job, for: .seconds(600))
    try await store.record([.plan(round(["a"]))], under: job)
    #expect(try await total(store).sent == 2)
    // Another worker now holds the job, so the old worker must not write any more.
    clock.advance(by: 601)
    try await store.recoverJobs(except: "you")
    let taken = try #require(try await claim(store, owner: "you").first)
    #expect(taken.id == job.id)
    await #expect(throws: StoreConflict.self) { try await store.record([.plan(round(["b"]))], under: job) }
    // The same owner claims the job again, but this is a later attempt.
    clock.advance(by: 61)
    try await store.recoverJobs(except: "me")
    _ = try await claim(store)
    await #expect(throws: StoreConflict.self) { try await store.record([.plan(round(["b"]))], under: job) }
    await #expect(throws: StoreConflict.self) { try await store.record([.plan(round(["b"]))], under: taken) }
    #expect(try await total(store).sent == 2)
  }

  static func delivery(commits: [CommitID], target: String = "l10n/main") -> NewDelivery {
    NewDelivery(
      source: commit("a"), target: target, expected: nil, base: commit("a"), commits: commits, units: 1, created: now,
      replaces: [], outcomes: [])
  }
}
