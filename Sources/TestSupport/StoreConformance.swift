import FoundationEssentials
package import Localization
package import Pipeline
import Testing

/// What every store promises. A store's own test file runs each check on a new, empty one.
package enum StoreConformance {
  package typealias Check = (name: String, run: @Sendable (any Store) async throws -> Void)

  package static let checks: [Check] = jobChecks + ledgerChecks + pendingWorkChecks + upkeepChecks

  static let jobChecks: [Check] = [
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
    ("the last commit that was compared is the branch's own, else another's", lastCompared),
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
    let records = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: Set(keys))
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
}
