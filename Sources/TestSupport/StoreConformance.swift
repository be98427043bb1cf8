import FoundationEssentials
package import Localization
package import Pipeline
import Testing

/// What every store promises. A store's own test file runs each check on a new, empty one.
package enum StoreConformance {
  package static let checks: [(name: String, run: @Sendable (any Store) async throws -> Void)] = [
    ("a commit begins one run, however often it is seen", runsOnce),
    ("a newer commit cancels the branch jobs of the older run", newerCommit),
    ("a branch that goes back to an old commit is taken up again", backAgain),
    ("a deleted branch has no head", deletedBranch),
    ("earlier stages go first, and one lane does one job at a time", claimOrder),
    ("a job that someone else moved is not moved", conflict),
    ("a heartbeat prolongs the lease and does not stand in the owner's way", heartbeat),
    ("a dead owner's jobs are queued again", recovery),
    ("waking makes delayed and waiting jobs due", waking),
    ("a job, what follows it and the ledger change together or not at all", atomicity),
    ("a round's books balance at every step", books),
    ("the same unit is never out twice", neverTwice),
    ("a bundle that comes twice changes nothing", bundleTwice),
    ("withdrawn units are told once, and only of shipments that went out", withdrawal),
    ("an abandoned delivery gives its units back, a settled one settles them", deliveries),
    ("a renamed catalog takes its units along", rename),
    ("a unit keeps where it came from, and a round tells it", provenance),
    ("the last commit that was compared is the branch's own, else another's", lastCompared),
    ("a cancelled round stays out of the way until it is retried", cancelledRound),
  ]

  package static let pipeline = "birds"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let lease = Lease(owner: "me", until: now + 60)

  static func commit(_ digit: Character) -> CommitID { CommitID(rawValue: String(repeating: digit, count: 40)) }

  static func start(_ store: any Store, branch: String = "main", commit digit: Character = "a") async throws -> Run {
    try await store.startRun(pipeline: pipeline, branch: branch, commit: commit(digit), now: now)
  }

  static func claim(_ store: any Store, limit: Int = 10, at instant: Date = now) async throws -> [Job] {
    try await store.claimJobs(of: [pipeline], lease: lease, now: instant, limit: limit)
  }

  /// A round of these keys for German and Ukrainian by one vendor.
  package static func round(_ keys: [UnitKey], text: String = "", vendor: String = "v") -> PlannedRound {
    PlannedRound(
      created: now,
      shipments: ["de", "uk"].map { language in
        PlannedShipment(
          vendor: vendor, language: LocaleIdentifier(language), sourceLanguage: "en",
          sentUnits: keys.map { key in
            PlannedUnit(
              unit: UnitID(catalog: "L.xcstrings", key: key), pin: SourcePin(canonical: key.text + text),
              source: nil, baseline: Translation("alt", state: .needsReview), commit: commit("a"), author: "A")
          })
      })
  }

  static func total(_ store: any Store) async throws -> Books {
    var sum = Books(vendor: "", language: "")
    for books in try await store.rounds(of: pipeline).flatMap(\.books) {
      #expect(books.isBalanced)
      sum.sent += books.sent
      sum.returned += books.returned
      sum.outstanding += books.outstanding
      sum.withdrawn += books.withdrawn
      sum.superseded += books.superseded
    }
    return sum
  }

  static func bundle(
    _ store: any Store, keys: [UnitKey], digest: String = "d1", isFinished: Bool = true
  ) async throws -> NewBundle {
    let records = try await store.sentUnits(of: pipeline, vendor: "v", language: "de")
    return NewBundle(
      vendor: "v", reference: "b.zip", digest: digest, received: now, review: nil,
      returnedUnits: keys.map { key in
        let record = records.last { $0.unit.key == key }
        return NewReturnedUnit(
          unit: UnitID(catalog: "L.xcstrings", key: key), language: "de",
          units: [ExchangeUnit(key: key, source: .text(key.text), target: ExchangeTarget(.text("Ü")))],
          sentUnit: record?.id, source: record?.source, isFinished: isFinished)
      })
  }
}

// MARK: Runs and jobs

extension StoreConformance {
  @Sendable static func runsOnce(_ store: any Store) async throws {
    let run = try await start(store)
    #expect(try await start(store) == run)
    #expect(run.pendingSince == nil)
    #expect(try await store.heads(of: pipeline) == [run])
    #expect(try await store.run(run.id) == run)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.stage) == [.extract])
  }

  @Sendable static func newerCommit(_ store: any Store) async throws {
    let old = try await start(store)
    try await store.enqueue([NewJob(run: old.id, stage: .pull, scope: "v#1", lane: "vendor v", due: now + 50)])
    let claimed = try #require(try await claim(store).first)
    let new = try await start(store, commit: "b")
    #expect(try await store.heads(of: pipeline) == [new])
    await #expect(throws: StoreConflict.self) { try await store.move(claimed, by: .succeed, next: [], changes: []) }
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.stage) == [.pull, .extract])
  }

  @Sendable static func backAgain(_ store: any Store) async throws {
    let first = try await start(store)
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .succeed, next: [], changes: [])
    _ = try await start(store, commit: "b")
    let again = try await start(store, commit: "a")
    #expect(again.id == first.id)
    #expect(try await claim(store).map(\.run) == [first.id])
  }

  @Sendable static func deletedBranch(_ store: any Store) async throws {
    let main = try await start(store)
    _ = try await start(store, branch: "release/1", commit: "b")
    try await store.keepBranches(["main"], of: pipeline)
    #expect(try await store.heads(of: pipeline) == [main])
    #expect(try await claim(store).map(\.run) == [main.id])
  }

  @Sendable static func claimOrder(_ store: any Store) async throws {
    let main = try await start(store)
    let other = try await start(store, branch: "z", commit: "b")
    try await store.enqueue([
      NewJob(run: main.id, stage: .merge, lane: "branch main", due: now),
      NewJob(run: main.id, stage: .push, scope: "v#1", lane: "vendor v", due: now),
      NewJob(run: other.id, stage: .push, scope: "v#2", lane: "vendor v", due: now),
      NewJob(run: other.id, stage: .push, scope: "w#2", lane: "vendor w", due: now),
    ])
    let extracts = try await claim(store)
    #expect(extracts.map(\.stage) == [.extract, .extract])
    #expect(try await claim(store).isEmpty)
    for job in extracts { try await store.move(job, by: .succeed, next: [], changes: []) }
    let pushes = try await claim(store)
    #expect(pushes.map(\.scope) == ["v#1", "w#2"])
    // One that is tried again later stands in nobody's way.
    for job in pushes { try await store.move(job, by: .retry(due: now + 30), next: [], changes: []) }
    #expect(try await claim(store).map(\.scope) == ["v#2"])
    #expect(try await store.nextDue(of: [pipeline]) == now)
  }

  @Sendable static func conflict(_ store: any Store) async throws {
    _ = try await start(store)
    let job = try #require(try await claim(store).first)
    try await store.move(job, by: .snooze(until: now + 9), next: [], changes: [])
    await #expect(throws: (any Error).self) { try await store.move(job, by: .succeed, next: [], changes: []) }
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.state) == [.waiting(until: now + 9)])
    #expect(try await claim(store, at: now + 8).isEmpty)
    let again = try #require(try await claim(store, at: now + 9).first)
    #expect(again.attempts == 1)
  }

  @Sendable static func heartbeat(_ store: any Store) async throws {
    _ = try await start(store)
    let job = try #require(try await claim(store).first)
    try await store.heartbeat(job, until: now + 600)
    try await store.recoverJobs(now: now + 100, all: false)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.state.name) == [.running])
    #expect(try await store.move(job, by: .succeed, next: [], changes: []).state == .succeeded)
  }

  @Sendable static func recovery(_ store: any Store) async throws {
    _ = try await start(store)
    _ = try await claim(store)
    try await store.recoverJobs(now: now, all: false)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.state.name) == [.running])
    try await store.recoverJobs(now: now + 61, all: false)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.state) == [.queued(due: now + 61)])
    _ = try await claim(store, at: now + 61)
    try await store.recoverJobs(now: now + 62, all: true)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.attempts) == [2])
  }

  @Sendable static func waking(_ store: any Store) async throws {
    let run = try await start(store)
    let job = try #require(try await claim(store).first)
    try await store.move(
      job, by: .snooze(until: now + 900),
      next: [NewJob(run: run.id, stage: .diff, lane: "round", due: now + 600)], changes: [])
    try await store.wake(pipeline, now: now)
    #expect(try await claim(store).map(\.stage) == [.extract])
  }

  @Sendable static func atomicity(_ store: any Store) async throws {
    let run = try await start(store)
    let job = try #require(try await claim(store).first)
    let next = NewJob(run: run.id, stage: .diff, lane: "round", due: now)
    // The second round sends what the first has out already: all of it is refused.
    await #expect(throws: (any Error).self) {
      try await store.move(job, by: .succeed, next: [next], changes: [.plan(round(["a"])), .plan(round(["a"]))])
    }
    #expect(try await store.rounds(of: pipeline).isEmpty)
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.stage) == [.extract])
    try await store.move(job, by: .succeed, next: [next, next], changes: [.plan(round(["a"]))])
    #expect(try await store.unfinishedJobs(of: pipeline).map(\.stage) == [.diff])
    #expect(try await store.rounds(of: pipeline).map(\.number) == [1])
  }
}

// MARK: Ledger

extension StoreConformance {
  @Sendable static func books(_ store: any Store) async throws {
    try await store.record([.plan(round(["a", "b", "c", "d"]))], of: pipeline)
    #expect(try await total(store).sent == 8)
    try await store.record([.receive(bundle(store, keys: ["a", "b"]))], of: pipeline)
    let ledger = try await store.sentLedger(of: pipeline, includingReturned: false)
    #expect(ledger.units.count == 6)
    try await store.record(
      [.close([ledger.units[0].id], as: .withdrawn), .close([ledger.units[1].id], as: .superseded)], of: pipeline)
    // What is closed is closed: a second word changes nothing.
    try await store.record([.close([ledger.units[0].id], as: .superseded)], of: pipeline)
    let sum = try await total(store)
    #expect([sum.sent, sum.returned, sum.outstanding, sum.withdrawn, sum.superseded] == [8, 2, 4, 1, 1])
    #expect(try await store.outstanding(of: pipeline, vendor: "v") == 4)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: true).units.count == 6)
  }

  @Sendable static func provenance(_ store: any Store) async throws {
    let origin = Provenance(commit: commit("b"), author: "Ann", seconds: 1_700_000_000)
    var first = round(["a", "b"])
    for index in first.shipments.indices { first.shipments[index].sentUnits[0].provenance = origin }
    try await store.record([.plan(first)], of: pipeline)
    // Sent again to someone else, without a new lookup.
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

  @Sendable static func lastCompared(_ store: any Store) async throws {
    func compare(_ branch: String, _ digit: Character) async throws {
      let run = try await start(store, branch: branch, commit: digit)
      try await store.enqueue([NewJob(run: run.id, stage: .diff, lane: "round", due: now)])
      while let job = try await claim(store).first { try await store.move(job, by: .succeed, next: [], changes: []) }
    }
    func last(_ branch: String, _ digit: Character) async throws -> CommitID? {
      try await store.lastCompared(of: pipeline, branch: branch, except: commit(digit))
    }
    #expect(try await last("main", "a") == nil)
    try await compare("main", "a")
    #expect(try await last("main", "a") == nil)
    #expect(try await last("main", "b") == commit("a"))
    try await compare("main", "b")
    try await compare("release", "c")
    #expect(try await last("main", "b") == commit("a"))
    #expect(try await last("main", "d") == commit("b"))
    #expect(try await last("release", "d") == commit("c"))
    #expect(try await last("new", "d") == commit("c"))
    // A run that was never compared counts for nothing.
    _ = try await start(store, commit: "e")
    #expect(try await last("main", "f") == commit("b"))
  }

  @Sendable static func neverTwice(_ store: any Store) async throws {
    try await store.record([.plan(round(["é"]))], of: pipeline)
    await #expect(throws: (any Error).self) { try await store.record([.plan(round(["é"]))], of: pipeline) }
    // Another source text, and another spelling of the key, are other units.
    try await store.record([.plan(round(["é"], text: "2")), .plan(round(["e\u{301}"]))], of: pipeline)
    #expect(try await total(store).outstanding == 6)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: false).sources.count == 3)
  }

  @Sendable static func bundleTwice(_ store: any Store) async throws {
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
    try await store.record([.acknowledged(vendor: "v", digest: "d1")], of: pipeline)
    #expect(
      try await store.bundle(of: pipeline, vendor: "v", digest: "d1")
        == BundleRecord(review: nil, isAcknowledged: true))
    // One that is not finished leaves the unit with the translator.
    try await store.record([.plan(round(["c"]))], of: pipeline)
    try await store.record(
      [.receive(Self.bundle(store, keys: ["c"], digest: "d2", isFinished: false))], of: pipeline)
    #expect(try await total(store).returned == 1)
  }

  @Sendable static func withdrawal(_ store: any Store) async throws {
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
    #expect(try await store.unsentShipments(of: pipeline, vendor: "v").isEmpty)
    try await store.record([.notified(notices.flatMap { $0.units.map(\.id) })], of: pipeline)
    #expect(try await store.withdrawalNotices(of: pipeline, vendor: "v").isEmpty)
  }

  @Sendable static func deliveries(_ store: any Store) async throws {
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
        units: 1, created: now, replaces: replaces, outcomes: [outcomes[0]])
    }
    try await store.record(
      [.outcomes([outcomes[1]], branch: "main"), .deliver(delivery(), branch: "main")], of: pipeline)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.outcome) == outcomes)
    #expect(try await store.returnedUnits(of: pipeline, branch: "other").map(\.outcome) == [nil, nil])
    let held = try await store.heldUnits(of: nil)
    #expect(held.map(\.reason) == [.placeholdersDiffer("%@")])
    #expect(held.map(\.text) == ["Ü"])

    let first = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first)
    #expect(first.tip == commit("d"))
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
          source: source, language: "de",
          outcomes: ["main": ReturnRecord.Standing(state: .settled, translation: "t")])
      ])
  }

  @Sendable static func rename(_ store: any Store) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    try await store.record([.rename("L.xcstrings", to: "App/L.xcstrings")], of: pipeline)
    let ledger = try await store.sentLedger(of: pipeline, includingReturned: false)
    #expect(ledger.sources.map(\.unit.catalog) == ["App/L.xcstrings"])
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").map(\.unit.catalog) == ["App/L.xcstrings"])
    #expect(try await store.renames(of: pipeline) == ["L.xcstrings": "App/L.xcstrings"])
    try await store.record([.rename("App/L.xcstrings", to: "L.xcstrings")], of: pipeline)
    #expect(try await store.renames(of: pipeline) == ["App/L.xcstrings": "L.xcstrings"])
  }

  @Sendable static func cancelledRound(_ store: any Store) async throws {
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let id = try #require(try await store.rounds(of: nil).first?.id)
    try await store.cancelRound(id)
    #expect(try await total(store).withdrawn == 2)
    // They are still told of, so that they are not sent again.
    #expect(
      try await store.sentLedger(of: pipeline, includingReturned: false).units.map(\.state) == [.withdrawn, .withdrawn])
    try await store.retryRound(id)
    #expect(try await store.sentLedger(of: pipeline, includingReturned: false).units.isEmpty)
    await #expect(throws: PipelineError.self) { try await store.cancelRound(RoundID(rawValue: 99)) }
  }
}
