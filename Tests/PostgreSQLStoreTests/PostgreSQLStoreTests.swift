import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient
import TestSupport
import Testing

@testable import PostgreSQLStore

struct PostgreSQLStoreTests {
  private let pipeline = StoreConformance.pipeline

  @Test("the store passes the conformance tests of a store", arguments: StoreConformance.checks.map(\.name))
  func conformance(name: String) async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let check = try #require(StoreConformance.checks.first { $0.name == name })
    let clock = TestClock()
    let address = try PostgreSQLAddress(url: try await server.database())
    try await check.run(PostgreSQLStore.open(address, clock: { clock.now }), clock)
  }

  @Test(
    "the store keeps its guarantees for people's views and decisions",
    arguments: StoreConformance.peopleChecks.map(\.name))
  func people(name: String) async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let check = try #require(StoreConformance.peopleChecks.first { $0.name == name })
    let clock = TestClock()
    let address = try PostgreSQLAddress(url: try await server.database())
    try await check.run(PostgreSQLStore.open(address, clock: { clock.now }), clock)
  }

  @Test("the store passes the conformance tests of a history", arguments: CommitHistoryConformance.checks.map(\.name))
  func history(name: String) async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let check = try #require(CommitHistoryConformance.checks.first { $0.name == name })
    let address = try PostgreSQLAddress(url: try await server.database())
    try await check.run(PostgreSQLStore.open(address))
  }

  @Test(
    "each SQLite statement is translated to PostgreSQL",
    arguments: [
      ("SELECT a FROM t WHERE b = ? AND c = ?", "SELECT a FROM t WHERE b = $1 AND c = $2"),
      ("SELECT ?2, ?, '?'", "SELECT $2, $3, '?'"),
      (
        "SELECT x FROM json_each(?) AS wanted CROSS JOIN s ON s.key = wanted.value",
        "SELECT x FROM unnest($1) AS wanted(value) JOIN s ON s.key = wanted.value"
      ),
      ("a IN (SELECT value FROM json_each(?2))", "a IN (SELECT value FROM unnest($2) AS json_each(value))"),
      ("FROM delivery INDEXED BY delivery_planned WHERE", "FROM delivery WHERE"),
      ("instr(a, b) > 0", "strpos(a, b) > 0"),
    ])
  func translation(from: String, to: String) { #expect(StatementTranslation.translation(of: from) == to) }

  @Test("a login that the server refuses temporarily is retried")
  func refusedLogin() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    let admin = try PostgreSQLConnection(PostgreSQLAddress(url: url), password: nil, limit: .seconds(60))
    let role = "worker_" + (url.split(separator: "/").last ?? "")
    _ = try admin.script("CREATE ROLE \(role) LOGIN SUPERUSER")
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: url.replacing("dragoman@", with: "\(role)@")))
    _ = try await store.now()
    _ = try admin.script(
      "ALTER ROLE \(role) NOLOGIN; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
    var faults: [StoreError] = []
    // The first call may only find that the connection was closed.
    for _ in 0..<2 {
      do { _ = try await store.now() } catch let error as StoreError { faults.append(error) }
    }
    #expect(faults.last?.kind == .userRefused && faults.allSatisfy { $0.disposition == .retry }, "\(faults)")
    _ = try admin.script("ALTER ROLE \(role) LOGIN")
    _ = try await store.now()
  }

  @Test("the database's clock is used for times")
  func clock() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    let first = try await store.now()
    #expect(try await store.now() >= first)
    #expect(abs(first.timeIntervalSinceNow) < 3600)
  }

  @Test("processes that open an empty database at once create the tables once, and a newer schema is refused")
  func opening() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let address = try PostgreSQLAddress(url: try await server.database())
    let missing = #expect(throws: PipelineError.self) { try PostgreSQLStore.open(address, use: .deciding) }
    #expect(missing?.kind == .notFound && missing?.detail.contains("dragoman pipelines apply") == true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let store = try PostgreSQLStore.open(address)
          try await store.record([.plan(StoreConformance.round(["a"]))], of: "birds \(number)")
        }
      }
      try await group.waitForAll()
    }
    let store = try PostgreSQLStore.open(address, use: .deciding)
    #expect(try await store.rounds(of: nil).count == 4)
    try store.pool.with { _ = try $0.script("UPDATE ledger_version SET version = 1000") }
    let error = #expect(throws: StoreError.self) { try PostgreSQLStore.open(address) }
    #expect(error?.kind == .newerSchema && error?.disposition == .askPerson)
  }

  @Test("a user without permission for the schema of the ledger is refused")
  func noSchema() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: url))
    try store.pool.with { _ = try $0.script("CREATE ROLE stranger LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC") }
    let stranger = try PostgreSQLAddress(url: url.replacing("//dragoman@", with: "//stranger@"))
    let error = #expect(throws: StoreError.self) { try PostgreSQLStore.open(stranger, use: .deciding) }
    #expect(error?.kind == .userRefused && error?.detail.contains("Grant the user USAGE") == true)
  }

  @Test(
    "an error names the resource that the server lacks",
    arguments: [
      ("53100", "out of disk space: words (SQLSTATE 53100)", "the server's disk"),
      ("53200", "out of memory: words (SQLSTATE 53200)", "max_locks_per_transaction"),
      ("53300", "out of connections: words (SQLSTATE 53300)", "max_connections"),
      ("53400", "out of a resource: words (SQLSTATE 53400)", "the server's log and limits"),
      (nil, "out of connections: words.", "max_connections"),
    ] as [(String?, String, String)])
  func missingResource(sqlState: String?, words: String, advice: String) throws {
    let cause = PostgreSQLError(.full, sqlState: sqlState, detail: "words")
    let error = try #require(StoreError(cause, operation: "write", place: "the database"))
    #expect(error.kind == .full && error.disposition == .retry)
    #expect(error.detail.hasPrefix("the database is \(words)") && error.detail.contains(advice), "\(error)")
  }

  @Test("if an earlier version wrote several origins for an outdated translation, only one is kept")
  func oneOrigin() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let address = try PostgreSQLAddress(url: try await server.database())
    let earlier = try PostgreSQLStore.open(address)
    try earlier.pool.with {
      _ = try $0.script(
        """
        UPDATE ledger_version SET version = 22;
        DROP TABLE proposal;
        INSERT INTO outdated (pipeline, catalog, key, pin, origin, language, translation) VALUES
          ('p', 'L.xcstrings', 'k', '3', '1', 'de', 't'), ('p', 'L.xcstrings', 'k', '3', '0', 'de', 't'),
          ('p', 'L.xcstrings', 'k', '3', '2', 'uk', 't'), ('q', 'L.xcstrings', 'k', '3', '2', 'de', 't');
        """)
    }
    let store = try PostgreSQLStore.open(address)
    #expect(
      try await store.outdatedTranslations(of: "p").map { "\($0.language) \($0.origin.rawValue)" }.sorted() == [
        "de 1", "uk 2",
      ])
    #expect(try await store.outdatedTranslations(of: "q").count == 1)
  }

  @Test("a job is claimed by one worker at a time, and changes of one pipeline do not collide")
  func claims() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let address = try PostgreSQLAddress(url: try await server.database())
    let names = (0..<20).map { "birds \($0)" }
    let first = try PostgreSQLStore.open(address)
    for name in names {
      try await first.adopt(
        [BranchHead(name: "main", commit: CommitID(rawValue: String(repeating: "a", count: 40)))], of: name)
      _ = try await first.arm(
        [StoreConformance.pull(due: Date(timeIntervalSince1970: 0))], of: name, retriesFailures: false)
    }
    let claimed = try await withThrowingTaskGroup(of: [Job].self) { group in
      for number in 0..<4 {
        group.addTask {
          let store = try PostgreSQLStore.open(address)
          var own: [Job] = []
          while true {
            let more = try await store.claimJobs(
              of: Set(names), stages: [.pull], owner: "worker \(number)", lease: .seconds(60), limit: 3)
            if more.isEmpty { break }
            for job in more { try await store.record([.plan(StoreConformance.round(["a"]))], under: job) }
            own += more
          }
          return own
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(claimed.map(\.pipeline).sorted() == names.sorted())
    #expect(try await first.rounds(of: nil).count == names.count)
  }

  @Test("a key that is too long for an index or has a zero byte is stored like any other")
  func longKeys() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    let keys: Set<UnitKey> = [UnitKey((0..<3000).map { "\($0)" }.joined(separator: " ")), UnitKey("a\0b")]
    try await store.record([.plan(StoreConformance.round(keys.sorted()))], of: pipeline)
    let sent = try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: keys)
    #expect(Set(sent.map(\.unit.key)) == keys)
  }
}
