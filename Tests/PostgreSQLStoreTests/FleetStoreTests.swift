import FoundationEssentials
import Localization
import Pipeline
import PostgreSQLClient
import TestSupport
import Testing

@testable import LedgerStore
@testable import PostgreSQLStore

/// What the workers of a fleet share: the assignment of pipelines, jobs, uploaded pipeline files, and the installation's identity.
struct FleetStoreTests {
  private let clock = TestClock()
  private let lease = Duration.seconds(30)
  private let ann = FleetWorker(id: "1", name: "ann:/a")
  private let bob = FleetWorker(id: "2", name: "bob:/b")
  private let names: Set<String> = ["a", "b", "c", "d"]

  private func store() async throws -> PostgreSQLStore? {
    guard let server = try await PostgreSQLServer.shared.value else { return nil }
    let address = try PostgreSQLAddress(url: try await server.database())
    return try PostgreSQLStore.open(address, clock: { [clock] in clock.now })
  }

  @Test("a worker holds all pipelines, shares them with a second worker, and gets them back when that worker dies")
  func life() async throws {
    guard let store = try await store() else { return }
    #expect(Set(try await store.attend(ann, wanted: names, lease: lease).keys) == names)
    #expect(try await store.attend(bob, wanted: names, lease: lease).isEmpty)
    // Ann releases the pipelines beyond her share one at a time.
    for count in [3, 2, 2] {
      #expect(try await store.attend(ann, wanted: names, lease: lease).count == count)
    }
    #expect(try await store.attend(bob, wanted: names, lease: lease).count == 2)
    #expect(try await store.workers().map(\.name) == ["ann:/a", "bob:/b"])
    #expect(try await store.workers().map(\.pipelines) == [2, 2])
    clock.advance(by: 20)
    #expect(try await store.attend(ann, wanted: names, lease: lease).count == 2)
    clock.advance(by: 15)
    #expect(Set(try await store.attend(ann, wanted: names, lease: lease).keys) == names)
    // Bob runs again: Ann now holds his pipelines, and he waits for his share.
    #expect(try await store.attend(bob, wanted: names, lease: lease).isEmpty)
  }

  @Test("errors in pipeline files are shown until their worker has no errors left or is gone")
  func fileFaults() async throws {
    guard let store = try await store() else { return }
    var worker = ann
    worker.fileFaults = "[]"
    _ = try await store.attend(worker, wanted: names, lease: lease)
    _ = try await store.attend(bob, wanted: names, lease: lease)
    #expect(try await store.workers().map(\.fileFaults) == ["[]", nil])
    _ = try await store.attend(ann, wanted: names, lease: lease)
    #expect(try await store.workers().map(\.fileFaults) == [nil, nil])
    _ = try await store.attend(worker, wanted: names, lease: lease)
    try await store.leave(worker)
    #expect(try await store.workers().map(\.name) == ["bob:/b"])
  }

  @Test("a claim looks the names of pipelines up in a hash table, even if the database has no statistics yet")
  func plan() async throws {
    guard let store = try await store() else { return }
    let plan = try await store.read("explain a claim") { [names] transaction in
      try transaction.values(
        String.self, "EXPLAIN " + DueJobs.claimableOfPipelines,
        [0.0, SQLValue.texts(["pull"]), SQLValue.texts(names.sorted()), 8])
    }
    #expect(plan.contains { $0.contains("hashed SubPlan") }, "\(plan)")
  }

  @Test("only the holder claims jobs, a dead worker's job is queued again, and its late result is refused")
  func claims() async throws {
    guard let store = try await store() else { return }
    _ = try await store.attend(ann, wanted: ["a"], lease: lease)
    _ = try await store.arm([StoreConformance.pull(due: clock.now)], of: "a", retriesFailures: false)
    func claim(_ worker: FleetWorker) async throws -> Job? {
      try await store.claimJobs(of: ["a"], stages: [.pull], owner: worker.id, lease: .seconds(600), limit: 1).first
    }
    #expect(try await claim(bob) == nil)
    let job = try #require(try await claim(ann))
    clock.advance(by: 31)
    #expect(try await store.attend(bob, wanted: ["a"], lease: lease).keys.sorted() == ["a"])
    let again = try #require(try await claim(bob))
    #expect(again.id == job.id && again.attempts == 2)
    await #expect(throws: StoreConflict.self) { try await store.heartbeat(job, for: lease) }
    await #expect(throws: StoreConflict.self) { try await store.move(job, by: .succeed, changes: []) }
    await #expect(throws: StoreConflict.self) {
      try await store.record([.plan(StoreConformance.round(["a"]))], under: job)
    }
    try await store.move(again, by: .succeed, changes: [])
  }

  @Test("a worker that exits frees its pipelines at once, and its replacement gets them")
  func leaving() async throws {
    guard let store = try await store() else { return }
    let half: Set<String> = ["a", "b"]
    _ = try await store.attend(ann, wanted: half, lease: lease)
    _ = try await store.attend(bob, wanted: ["c", "d"], lease: lease)
    try await store.leave(ann)
    try await store.leave(bob)
    #expect(try await store.workers().isEmpty)
    // Both workers want all pipelines, and each worker first claims the pipelines that it had before.
    let successor = FleetWorker(id: "3", name: bob.name)
    try await store.attendTwo(ann, successor, wanted: names, lease: lease)
    #expect(Set(try await store.attend(successor, wanted: names, lease: lease).keys) == ["c", "d"])
  }

  @Test("a restarted process takes over the pipelines of the killed process at once")
  func succession() async throws {
    guard let store = try await store() else { return }
    _ = try await store.attend(ann, wanted: names, lease: lease)
    _ = try await store.arm([StoreConformance.pull(due: clock.now)], of: "a", retriesFailures: false)
    func claim(_ worker: FleetWorker) async throws -> Job? {
      try await store.claimJobs(of: ["a"], stages: [.pull], owner: worker.id, lease: .seconds(600), limit: 1).first
    }
    let job = try #require(try await claim(ann))
    let successor = FleetWorker(id: "3", name: ann.name)
    try await store.succeed(successor)
    #expect(try await store.workers().isEmpty)
    #expect(Set(try await store.attend(successor, wanted: names, lease: lease).keys) == names)
    #expect(try await claim(successor)?.id == job.id)
    // Another worker's pipelines are not affected.
    try await store.succeed(FleetWorker(id: "4", name: bob.name))
    #expect(try await store.workers().map(\.name) == [ann.name])
  }

  @Test("pipeline files are stored with a version, and workers are notified of changes")
  func files() async throws {
    guard let store = try await store() else { return }
    let first = StoredPipelineFile(name: "a", path: "a.yaml", text: "1")
    #expect(try await store.apply([first], replacing: [], prunes: false).added == ["a"])
    let changes = store.changes()
    let held = try await store.attend(ann, wanted: nil, lease: lease)
    #expect(held.keys.sorted() == ["a"])
    #expect(try await store.apply([first], replacing: [], prunes: false).unchanged == ["a"])
    #expect(try await store.attend(ann, wanted: nil, lease: lease) == held)
    let other = StoredPipelineFile(name: "b", path: "b.yaml", text: "2")
    #expect(
      try await store.apply(
        [StoredPipelineFile(name: "a", path: "a.yaml", text: "3"), other], replacing: [], prunes: false
      ).changed
        == ["a"])
    var iterator = changes.makeAsyncIterator()
    while await iterator.next() != .pipelines {}
    let now = try await store.attend(ann, wanted: nil, lease: lease)
    #expect(now.keys.sorted() == ["a", "b"] && now["a"] != held["a"])
    #expect(try await store.pipelineFiles(of: ["a"]).map(\.text) == ["3"])
    #expect(try await store.apply([first], replacing: ["b", "c"], prunes: false).removed == ["b"])
    #expect(try await store.apply([other], replacing: ["b"], prunes: true).removed == ["a"])
    #expect(try await store.attend(ann, wanted: nil, lease: lease).keys.sorted() == ["b"])
  }

  @Test("a pipeline that is renamed by its uploaded file stays with the worker that holds its new name")
  func renamed() async throws {
    guard let store = try await store() else { return }
    let old = StoredPipelineFile(name: "a", path: "a.yaml", text: "1")
    _ = try await store.apply([old], replacing: [], prunes: false)
    #expect(try await store.attend(ann, wanted: nil, lease: lease).keys.sorted() == ["a"])
    try await store.record([.plan(StoreConformance.round(["a"]))], of: "a")
    try await store.setPause(PipelinePause(since: clock.now, by: "ann", reason: nil), of: "a")
    let new = StoredPipelineFile(name: "b", path: "b.yaml", text: "2")
    _ = try await store.apply([new], replacing: ["a"], prunes: false)
    _ = try await store.beginAudit(
      AuditAction(
        actor: Actor(name: "ann", way: .command), action: "pipelines apply", pipeline: "b", subject: "b.yaml",
        detail: nil))
    #expect(try await store.attend(ann, wanted: nil, lease: lease).keys.sorted() == ["b"])
    #expect(try await store.takeOver(["a"], by: "b") == [])
    #expect(try await store.attend(ann, wanted: nil, lease: lease).keys.sorted() == ["b"])
    #expect(try await store.controls(of: nil)["b"]?.pause?.by == "ann")
    _ = try await store.arm([StoreConformance.pull(due: clock.now)], of: "b", retriesFailures: false)
    #expect(
      try await store.claimJobs(of: ["b"], stages: [.pull], owner: ann.id, lease: .seconds(600), limit: 1).count == 1)
  }

  @Test("a worker also takes a pipeline whose file is uploaded but that has no data")
  func withoutData() async throws {
    guard let store = try await store() else { return }
    _ = try await store.apply(
      [StoredPipelineFile(name: "a", path: "a.yaml", text: "1")], replacing: [], prunes: false)
    // Removes the row that the upload added.
    try await store.takeOver(["a"], by: "b")
    #expect(try await store.pipelines().isEmpty)
    #expect(try await store.attend(ann, wanted: nil, lease: lease).keys.sorted() == ["a"])
  }

  @Test("the first worker sets the installation's identity")
  func installation() async throws {
    guard let store = try await store() else { return }
    #expect(try store.installation(orElse: "one") == "one")
    #expect(try store.installation(orElse: "two") == "one")
  }
}

extension PostgreSQLStore {
  /// Registers both workers before either claims a pipeline, and then lets the first worker claim its share.
  fileprivate func attendTwo(
    _ one: FleetWorker, _ two: FleetWorker, wanted: Set<String>, lease: Duration
  ) async throws {
    _ = try await attend(one, wanted: [], lease: lease)
    _ = try await attend(two, wanted: [], lease: lease)
    _ = try await attend(one, wanted: wanted, lease: lease)
  }
}
