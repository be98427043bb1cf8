import GRDB
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

/// Writes that wait at the same time and share a transaction.
struct WaitingWritesTests {
  private struct Refusal: Error {}

  /// An observer that counts commits.
  private final class Commits: TransactionObserver, Sendable {
    let count = Atomic(0)
    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { count.add(1, ordering: .relaxed) }
    func databaseDidRollback(_ db: Database) {}
  }

  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let commits = Commits()
  private let waiting = WaitingWrites()

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore(folder: folder.path, busyTimeout: 0, threads: StoreThreads())
    store.database.add(transactionObserver: commits, extent: .databaseLifetime)
  }

  private func adding(_ name: String, _ error: (any Error)? = nil) -> WaitingWrites.Write<Int> {
    WaitingWrites.Write { database in
      try database.execute(sql: "INSERT INTO pipeline (name, revision) VALUES (?, 0)", arguments: [name])
      if let error { throw error }
      return try Int.fetchOne(database, sql: "SELECT count(*) FROM pipeline") ?? 0
    }
  }

  /// Makes the writes wait, and then runs them in the order of their calls.
  /// - Returns: the values, with `nil` for each failed write.
  private func perform(_ writes: [WaitingWrites.Write<Int>]) -> [Int?] {
    writes.forEach(waiting.add)
    return writes.map { try? waiting.perform($0, in: store.database) }
  }

  private var names: [String] {
    get throws { try store.database.read { try String.fetchAll($0, sql: "SELECT name FROM pipeline ORDER BY name") } }
  }

  @Test("writes that wait at the same time run in order in one transaction")
  func together() throws {
    #expect(perform(["a", "b", "c"].map { adding($0) }) == [1, 2, 3])
    #expect(try names == ["a", "b", "c"])
    #expect(commits.count.load(ordering: .relaxed) == 1)
    #expect(perform([adding("d")]) == [4])
    #expect(commits.count.load(ordering: .relaxed) == 2)
  }

  @Test("a transaction has at most 64 writes")
  func many() throws {
    let counts = perform((0..<130).map { adding("\($0)") })
    #expect(counts.last == 130 && !counts.contains(nil))
    #expect(commits.count.load(ordering: .relaxed) == 3)
  }

  @Test("a failed write rolls back only its own changes, and only its call throws the error")
  func failure() throws {
    #expect(perform([adding("a"), adding("b", Refusal()), adding("a"), adding("c")]) == [1, nil, nil, 2])
    #expect(try names == ["a", "c"])
    #expect(commits.count.load(ordering: .relaxed) == 1)
    let refused = adding("d", Refusal())
    waiting.add(refused)
    #expect(throws: Refusal.self) { try waiting.perform(refused, in: store.database) }
  }

  @Test("after an error that ends the whole transaction, each write runs in a separate transaction")
  func rollback() throws {
    // Like the error for a full disk, this error makes SQLite end the transaction.
    try store.database.writeWithoutTransaction {
      try $0.execute(
        sql: """
          CREATE TEMP TRIGGER refusal BEFORE INSERT ON pipeline WHEN NEW.name = 'b'
            BEGIN SELECT RAISE(ROLLBACK, 'refused'); END
          """)
    }
    #expect(perform([adding("a"), adding("b"), adding("c")]) == [1, nil, 2])
    #expect(try names == ["a", "c"])
  }

  @Test("if another program holds the lock, all waiting writes fail after one wait")
  func locked() throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.path + "/ledger.sqlite", configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let writes = ["a", "b"].map { adding($0) }
    writes.forEach(waiting.add)
    #expect(throws: DatabaseError.self) { try waiting.perform(writes[0], in: store.database) }
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    // The second write had the same result as the first.
    #expect(throws: DatabaseError.self) { try waiting.perform(writes[1], in: store.database) }
    #expect(try names.isEmpty)
  }
}
