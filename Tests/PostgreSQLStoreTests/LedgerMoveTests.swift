import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient
import SQLiteStore
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Moving a ledger from SQLite to PostgreSQL, the check of its books, and a database that becomes unreachable.
struct LedgerMoveTests {
  private let pipeline = StoreConformance.pipeline
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a ledger with outstanding units is moved completely, and only once")
  func move() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let address = try PostgreSQLAddress(url: try await server.database())
    let local = try SQLiteStore(folder: folder.path)
    try await StoreConformance.fill(local)
    try await local.takeOver(["fowl"], by: pipeline)
    let newest = StoreConformance.commit("c")
    try await local.record(
      [CommitRecord(commit: newest, parent: nil, author: "A", email: "", seconds: 1, subject: "")], of: pipeline,
      asNewestOf: "main")
    let store = try PostgreSQLStore.open(address)
    // Pipeline files may be uploaded before the move.
    _ = try await store.apply(
      [StoredPipelineFile(name: "new", path: "new.yaml", text: "x")], replacing: [], prunes: false)
    func entry(_ action: String) -> AuditAction {
      AuditAction(actor: Actor(name: "ann", way: .command), action: action, pipeline: pipeline, subject: pipeline)
    }
    _ = try await store.beginAudit(entry("pipeline apply"))
    _ = try await local.beginAudit(entry("pipeline look"))
    let contents = try await store.takeOver(local, installation: "birds")
    #expect(
      try await store.audit(of: nil, before: nil, limit: 9).map(\.action.action) == ["pipeline apply", "pipeline look"])
    #expect(contents.rounds == 2 && contents.outstanding == 3)
    #expect(try store.installation(orElse: "other") == "birds")
    #expect(try await store.pipelines().map(\.name) == [pipeline, "new"])
    #expect(try await store.rounds(of: nil) == local.rounds(of: nil))
    #expect(try await store.pendingWork(of: pipeline) == local.pendingWork(of: pipeline))
    #expect(try await store.heads(of: pipeline) == local.heads(of: pipeline))
    #expect(try await store.jobs(of: pipeline) == local.jobs(of: pipeline))
    #expect(
      try await store.returnedUnits(of: pipeline, branch: "main").map(\.id)
        == local.returnedUnits(of: pipeline, branch: "main").map(\.id))
    #expect(
      try await store.openDeliveries(of: pipeline, branch: "main") == local.openDeliveries(of: pipeline, branch: "main")
    )
    #expect(try await store.successors(of: ["fowl"]) == ["fowl": pipeline])
    #expect(try await store.newestRecorded(of: "main", of: pipeline) == newest)
    // Work continues after the move: new entries get new ids, and outstanding units are not sent again.
    await #expect(throws: StoreError.self) {
      try await store.record([.plan(StoreConformance.round(["b"]))], of: pipeline)
    }
    try await store.record([.plan(StoreConformance.round(["z"]))], of: pipeline)
    #expect(try await store.rounds(of: pipeline).map(\.number) == [1, 2, 3])
    #expect(try await store.check().outstanding == 5)
    let error = await #expect(throws: StoreError.self) { try await store.takeOver(local, installation: "birds") }
    #expect(error?.kind == .refused)
  }

  @Test("a ledger is not moved while workers use the database")
  func inUse() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    _ = try await store.attend(FleetWorker(id: "1", name: "ann"), wanted: [], lease: .seconds(3600))
    let local = try SQLiteStore(folder: folder.path)
    let error = await #expect(throws: StoreError.self) { try await store.takeOver(local, installation: "birds") }
    #expect(error?.kind == .inUse)
  }

  @Test("a ledger is not moved if the move would remove people's decisions")
  func decisionsThere() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    let actor = Actor(name: "ann", way: .command)
    _ = try await store.beginAudit(
      AuditAction(actor: actor, action: "pipeline pause", pipeline: pipeline, subject: pipeline, detail: nil))
    try await store.setPause(PipelinePause(since: .now, by: "ann", reason: nil), of: pipeline)
    let local = try SQLiteStore(folder: folder.path)
    try await StoreConformance.fill(local)
    let error = await #expect(throws: StoreError.self) { try await store.takeOver(local, installation: "birds") }
    #expect(error?.kind == .refused && error?.detail.contains("make decisions only after the") == true)
    #expect(try await store.controls(of: pipeline)[pipeline]?.pause?.by == "ann")
  }

  @Test("rounds whose books do not agree with their units are reported")
  func check() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
    #expect(try await store.check().outstanding == 2)
    _ = try store.pool.with {
      try $0.script("UPDATE books SET outstanding = outstanding + 1, sent = sent + 1 WHERE language = 'de'")
    }
    let error = await #expect(throws: StoreError.self) { try await store.check() }
    #expect(error?.kind == .corrupt && error?.detail.contains("de") == true)
  }

  @Test("an unreachable database is a temporary error, and calls succeed once it is back")
  func restart() async throws {
    // This test stops its server, so it uses a separate server.
    guard let server = try await PostgreSQLServer.start() else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
    server.stop()
    let error = await #expect(throws: StoreError.self) {
      try await store.record([.plan(StoreConformance.round(["b"]))], of: pipeline)
    }
    #expect(error?.kind == .unreachable && error?.disposition == .retry)
    try await server.start()
    try await store.record([.plan(StoreConformance.round(["b"]))], of: pipeline)
    #expect(try await store.rounds(of: pipeline).count == 2)
  }
}
