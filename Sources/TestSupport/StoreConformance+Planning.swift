import FoundationEssentials
import Localization
import Pipeline
import Synchronization
import Testing

/// The guarantees of every store about heads and planned jobs, even with several processes, and about findings and watch faults.
extension StoreConformance {
  static let planningChecks: [Check] = [
    ("heads are adopted only if the known heads are those from the beginning of the look", adoptedOver),
    ("jobs are planned from the data and the clock of the store", plannedFrom),
    ("the head of a branch is that of its pipeline", headOfBranch),
    ("a queued job is due from its due time, and a running job until it ends", dueJob),
    ("the findings of a job are kept until it succeeds again", findings),
    ("a watch fault is kept with its start time until the pipeline is watched again", watchFault),
  ]

  /// Returns the data from which jobs are planned.
  static func basis(_ store: any Store, of pipeline: String = pipeline) async throws -> PlanningBasis {
    let seen = Mutex<PlanningBasis?>(nil)
    _ = try await store.arm(of: pipeline, retriesFailures: false) { basis in
      seen.withLock { $0 = basis }
      return []
    }
    return try #require(seen.withLock { $0 })
  }

  @Sendable static func adoptedOver(_ store: any Store, _ clock: TestClock) async throws {
    try await store.adopt([head("main", "a")], of: pipeline)
    // Two processes poll the remote. The process that polls first finishes last, with the older response.
    #expect(try await store.adopt([head("main", "b")], of: pipeline, over: [head("main", "a")]) != nil)
    #expect(try await store.adopt([head("main", "a")], of: pipeline, over: [head("main", "a")]) == nil)
    #expect(try await store.adopt([head("main", "a")], of: pipeline, over: []) == nil)
    #expect(try await store.heads(of: pipeline).map(\.commit) == [commit("b")])
  }

  @Sendable static func headOfBranch(_ store: any Store, _ clock: TestClock) async throws {
    try await store.adopt([head("main", "a"), head("release/1", "b")], of: pipeline)
    try await store.adopt([head("main", "c")], of: "other")
    for branch in ["main", "release/1", "gone"] {
      let expected = try await store.heads(of: pipeline).first { $0.branch == branch }
      #expect(try await store.head(of: pipeline, branch: branch) == expected)
    }
    #expect(try await store.head(of: "other", branch: "main")?.commit == commit("c"))
  }

  @Sendable static func dueJob(_ store: any Store, _ clock: TestClock) async throws {
    try await arm(store, plan(.extract, "main", due: now + 60), plan(.merge, "main"))
    #expect(try await !store.hasDueJob(of: pipeline, stage: .extract))
    clock.advance(by: 60)
    #expect(try await store.hasDueJob(of: pipeline, stage: .extract))
    #expect(try await !store.hasDueJob(of: pipeline, stage: .diff))
    #expect(try await !store.hasDueJob(of: "other", stage: .extract))
    let job = try #require(try await claim(store, stages: [.extract]).first)
    #expect(try await store.hasDueJob(of: pipeline, stage: .extract))
    try await store.move(job, by: .succeed, changes: [])
    #expect(try await !store.hasDueJob(of: pipeline, stage: .extract))
  }

  @Sendable static func plannedFrom(_ store: any Store, _ clock: TestClock) async throws {
    try await store.adopt([head()], of: pipeline)
    try await arm(store, plan(.extract, "main", inputs: "i"), plan(.diff))
    let job = try #require(try await claim(store, stages: [.extract]).first)
    try await store.move(job, by: .succeed, changes: [.plan(round(["a"]))])
    clock.advance(by: 60)
    let basis = try await basis(store)
    #expect(basis.now == clock.now && basis.heads.map(\.branch) == ["main"])
    #expect(basis.extracted == ["main": "i"])
    #expect(basis.work.vendors["v"]?.unsent == 2)
  }

  @Sendable static func findings(_ store: any Store, _ clock: TestClock) async throws {
    let finding = Diagnostic(
      path: "L.xcstrings", line: 3, column: 1, severity: .error, message: "broken", hint: "mend it")
    func done(by event: JobEvent, findings: [Diagnostic]?) async throws -> [Diagnostic] {
      let job = try #require(try await claim(store).first)
      let moved = try await store.move(job, by: event, changes: [], findings: findings)
      #expect(try await store.jobs(of: pipeline).first?.findings == moved.findings)
      return moved.findings
    }
    try await arm(store, plan(.extract, "main"))
    #expect(try await done(by: .succeed, findings: [finding]) == [finding])
    try await arm(store, plan(.extract, "main", inputs: "2"))
    #expect(try await done(by: .retry(due: clock.now), findings: nil) == [finding])
    #expect(try await done(by: .succeed, findings: []).isEmpty)
  }

  @Sendable static func watchFault(_ store: any Store, _ clock: TestClock) async throws {
    #expect(try await store.pipelines().isEmpty)
    let began = clock.now
    try await store.setWatchFault("no such folder", of: pipeline)
    clock.advance(by: 60)
    try await store.setWatchFault("connection refused", of: pipeline)
    let fault = FailureRecord(message: "connection refused", at: began)
    #expect(try await store.pipelines() == [PipelineRecord(name: pipeline, decisions: 0, watchFault: fault)])
    try await store.setWatchFault(nil, of: pipeline)
    #expect(try await store.pipelines().map(\.watchFault) == [nil])
    // A name is free if only a watch fault is recorded under it.
    try await store.adopt([head()], of: pipeline)
    try await store.setWatchFault("a name too early", of: "finches")
    try await store.takeOver([pipeline], by: "finches")
    #expect(try await store.pipelines().map(\.name) == ["finches"])
    #expect(try await store.pipelines().map(\.watchFault) == [nil])
  }
}
