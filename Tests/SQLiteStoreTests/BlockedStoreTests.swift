import Foundation
import GRDB
import LedgerStore
import Localization
import Pipeline
import TestSupport
import Testing

@testable import SQLiteStore

/// The store while another program holds SQLite's lock or the disk is full, and with unreadable values; cancelled calls and pruning.
struct BlockedStoreTests {
  private let folder: TemporaryFolder
  private let pipeline = StoreConformance.pipeline

  init() throws { folder = try TemporaryFolder() }

  /// Returns a connection that acts as another program. The connection holds the write lock until the test commits.
  private func otherProgram() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let other = try DatabaseQueue(path: folder.path + "/ledger.sqlite", configuration: configuration)
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    return other
  }

  @Test("tasks continue while the ledger waits for another program")
  func progress() async throws {
    // If calls waited on the cooperative pool, this task could not release the lock before they time out.
    let store = try SQLiteStore(folder: folder.path, busyTimeout: 600, threads: StoreThreads())
    let other = try otherProgram()
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 2
    let (begun, begin) = AsyncStream.makeStream(of: Int.self)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<count {
        group.addTask {
          begin.yield(number)
          try await store.record([.plan(StoreConformance.round([UnitKey("k\(number)")]))], of: pipeline)
        }
      }
      // All writes are waiting while this task and other tasks still run.
      var waiting = begun.makeAsyncIterator()
      for _ in 0..<count { _ = await waiting.next() }
      let sum = await withTaskGroup(of: Int.self) { tasks in
        for _ in 0..<count { tasks.addTask { 1 } }
        return await tasks.reduce(0, +)
      }
      #expect(sum == count)
      // Readers do not wait for writers.
      #expect(try await store.rounds(of: pipeline).isEmpty)
      try other.inDatabase { try $0.execute(sql: "COMMIT") }
      try await group.waitForAll()
    }
    #expect(try await store.rounds(of: pipeline).count == count)
  }

  @Test("a call ends even if its task is cancelled")
  func cancellation() async throws {
    let store = try SQLiteStore(folder: folder.path)
    let found = try await Task { [pipeline] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
      #expect(Task.isCancelled)
      return try await store.rounds(of: pipeline).count
    }.value
    #expect(found == 1)
  }

  @Test("another program's lock is a temporary error")
  func busy() async throws {
    let store = try SQLiteStore(folder: folder.path, busyTimeout: 0)
    let other = try otherProgram()
    let error = await #expect(throws: StoreError.self) {
      try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
    }
    #expect(error?.kind == .busy)
    #expect(error?.disposition == .retry)
    #expect(error?.description.contains(folder.path + "/ledger.sqlite") == true)
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
    #expect(try await store.rounds(of: pipeline).count == 1)
  }

  @Test("a full disk is a temporary error that leaves no partial changes")
  func full() async throws {
    let store = try SQLiteStore(folder: folder.path)
    func limitPages(_ sql: String) throws {
      try store.database.writeWithoutTransaction { try $0.execute(sql: sql) }
    }
    let pages = try await store.database.read { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
    try limitPages("PRAGMA max_page_count = \(pages)")
    let keys = (0..<500).map { UnitKey("key \($0)") }
    let error = await #expect(throws: StoreError.self) {
      try await store.record([.plan(StoreConformance.round(keys))], of: pipeline)
    }
    #expect(error?.kind == .full)
    #expect(error?.disposition == .retry)
    #expect(error?.description.contains("full") == true)
    #expect(try await store.rounds(of: pipeline).isEmpty)
    try limitPages("PRAGMA max_page_count = 1000000")
    try await store.record([.plan(StoreConformance.round(keys))], of: pipeline)
    #expect(try await store.pendingWork(of: pipeline).vendors["v"]?.unsent == 1000)
  }

  @Test("values of a newer version and damaged values are reported to a person", arguments: [#"{"v":2}"#, "{"])
  func values(text: String) async throws {
    let store = try SQLiteStore(folder: folder.path)
    try await store.record([.plan(StoreConformance.round(["a"]))], of: pipeline)
    try await store.database.writeWithoutTransaction {
      try $0.execute(sql: "UPDATE sent_unit SET baseline = ?", arguments: [text])
    }
    let error = await #expect(throws: StoreError.self) {
      try await store.sentUnits(of: pipeline, vendor: "v", language: "de", keys: ["a"])
    }
    #expect(error?.kind == (text == "{" ? .corrupt : .newerSchema))
    #expect(error?.disposition == .askPerson)
  }

  @Test("pruning deletes old heads and empties the write-ahead log")
  func pruning() async throws {
    let clock = TestClock()
    let store = try SQLiteStore(folder: folder.path, clock: { clock.now })
    for digit in ["a", "b", "c"] as [Character] {
      let commit = CommitID(rawValue: String(repeating: digit, count: 40))
      let heads = try await store.adopt([BranchHead(name: "main", commit: commit)], of: pipeline)
      if digit == "b" { try await store.record([.compared(heads.map(\.id))], of: pipeline) }
    }
    func commits() async throws -> [String] {
      try await store.database.read {
        try String.fetchAll($0, sql: "SELECT substr(commit_id, 1, 1) FROM run ORDER BY id")
      }
    }
    try await store.prune(of: pipeline, olderThan: clock.now)
    try await store.prune(of: "other", olderThan: clock.now + 1)
    #expect(try await commits() == ["a", "b", "c"])
    // The last compared head is kept, so that the commits of new units can still be found.
    try await store.prune(of: pipeline, olderThan: clock.now + 1)
    #expect(try await commits() == ["b", "c"])
    let log = try FileManager.default.attributesOfItem(atPath: folder.path + "/ledger.sqlite-wal")
    #expect(log[.size] as? Int == 0)
  }
}
