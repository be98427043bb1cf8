import Foundation
import GRDB
import LedgerStore
import Localization
import Pipeline
import TestSupport
import Testing

@testable import SQLiteStore

struct DurabilityTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("every connection syncs the log at every commit")
  func synchronous() throws {
    let store = try SQLiteStore(folder: folder.path)
    let full = 2
    #expect(try writerMode(store) == full)
    #expect(try readerModes(store) == [full, full])
  }

  private func writerMode(_ store: SQLiteStore) throws -> Int? {
    try store.database.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
  }

  /// Returns the sync modes of two readers. A read inside another read uses a second connection.
  private func readerModes(_ store: SQLiteStore) throws -> [Int?] {
    try store.database.read { first in
      try store.database.unsafeReentrantRead { second in
        try [first, second].map { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
      }
    }
  }

  /// Makes a ledger with many rows, and overwrites eight pages in the middle of its file.
  private func damage(_ path: String, at day: Double) async throws {
    do {
      let store = try SQLiteStore(folder: path, clock: { Date(timeIntervalSince1970: day * 86_400) })
      for number in 0..<40 {
        let keys = (0..<40).map { UnitKey("key \(number) \($0)") }
        try await store.record([.plan(StoreConformance.round(keys))], of: StoreConformance.pipeline)
      }
      try await store.maintain("test") { try SQLiteStore.emptyLog(of: $0) }
    }
    let file = URL(fileURLWithPath: path + "/ledger.sqlite")
    var bytes = try Data(contentsOf: file)
    let pages = bytes.count / 4096
    for page in (pages / 2)..<(pages / 2 + 8) {
      for index in 0..<4096 { bytes[page * 4096 + index] = UInt8(truncatingIfNeeded: index &* 31) }
    }
    try bytes.write(to: file)
  }

  @Test("a damaged ledger is refused at its first opening of a day, with instructions to restore it")
  func damagedLedger() async throws {
    let path = folder.path + "/store"
    try await damage(path, at: 100)
    func open(_ day: Double) throws {
      _ = try SQLiteStore(folder: path, clock: { Date(timeIntervalSince1970: day * 86_400) })
    }
    for day in [101.0, 99] {
      let error = #expect(throws: StoreError.self) { try open(day) }
      #expect(error?.kind == .corrupt)
      #expect(error?.detail.contains("put a backup in its place") == true)
    }
    // The ledger was checked that day, before it was damaged.
    #expect(throws: Never.self) { try open(100.5) }
  }

  @Test("only the owner can read a store")
  func modes() async throws {
    let path = folder.path + "/deep/store"
    let store = try SQLiteStore(folder: path)
    try await store.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    let cache = SQLiteCache(folder: path)
    cache.setValue([1], for: "k")
    try expectPrivate(path)
    withExtendedLifetime((store, cache)) {}
  }

  @Test("the file permissions of an older version's store are restricted")
  func widerModes() async throws {
    let path = folder.path + "/store"
    do {
      let store = try SQLiteStore(folder: path)
      try await store.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
      SQLiteCache(folder: path).setValue([1], for: "k")
    }
    // A reader keeps the -wal and -shm files in the folder.
    let reader = try SQLiteStore(reading: path)
    _ = try await reader.rounds(of: nil)
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path + "/" + name)
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    let store = try SQLiteStore(folder: path)
    let cache = SQLiteCache(folder: path)
    try expectPrivate(path)
    #expect(cache.value(for: "k") == [1])
    #expect(try await store.rounds(of: nil).count == 1)
    withExtendedLifetime(reader) {}
  }

  @Test("log and index files that SQLite made read-only become writable again when the ledger is writable")
  func readOnlyForAWhile() throws {
    let path = folder.path
    do { _ = try SQLiteStore(folder: path) }
    let ledger = path + "/ledger.sqlite"
    for beside in [ledger + "-wal", ledger + "-shm"] {
      try Data().write(to: URL(fileURLWithPath: beside))
      try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: beside)
    }
    let store = try SQLiteStore(folder: path)
    for beside in [ledger + "-wal", ledger + "-shm"] {
      let mode = try FileManager.default.attributesOfItem(atPath: beside)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    withExtendedLifetime(store) {}
  }

  @Test("a log without its ledger, or with an empty one, is never deleted", arguments: [false, true])
  func lonelyLog(isEmpty: Bool) async throws {
    let files = FileManager.default
    let (store, lost, safe) = (folder.path + "/store", folder.path + "/lost", folder.path + "/safe.sqlite")
    try files.createDirectory(atPath: lost, withIntermediateDirectories: true)
    do {
      let open = try SQLiteStore(folder: store)
      _ = try LedgerCopies.back(up: store, to: safe)
      try await open.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
      // These are the files that a killed process leaves behind.
      for name in ["ledger.sqlite", "ledger.sqlite-wal"] {
        try files.copyItem(atPath: "\(store)/\(name)", toPath: "\(lost)/\(name)")
      }
    }
    try files.moveItem(atPath: lost + "/ledger.sqlite", toPath: lost + "/found")
    if isEmpty { try Data().write(to: URL(fileURLWithPath: lost + "/ledger.sqlite")) }
    let log = try Data(contentsOf: URL(fileURLWithPath: lost + "/ledger.sqlite-wal"))
    let openings: [() throws -> Void] = [
      { _ = try SQLiteStore(folder: lost) }, { _ = try SQLiteStore(reading: lost) },
      { _ = try SQLiteStore(deciding: lost) },
    ]
    for open in openings {
      let error = #expect(throws: StoreError.self) { try open() }
      #expect(error?.kind == .corrupt && error?.detail.contains("or move ledger.sqlite-wal away") == true)
      #expect(try Data(contentsOf: URL(fileURLWithPath: lost + "/ledger.sqlite-wal")) == log)
    }
    let former = try LedgerCopies.restore(safe, to: lost, suffix: "x").former
    #expect(former == lost + "/ledger.sqlite.before-x" + (isEmpty ? "" : "-wal"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: lost + "/ledger.sqlite.before-x-wal")) == log)
    #expect(try await SQLiteStore(folder: lost).rounds(of: nil).isEmpty)
    if isEmpty {
      let error = #expect(throws: StoreError.self) { try LedgerCopies.restore(safe, to: lost, suffix: "x") }
      #expect(error?.detail.contains("before-x exists") == true)
      #expect(!files.fileExists(atPath: lost + "/ledger.sqlite.part"))
    }
    // Together with its ledger, the log is complete.
    let again = folder.path + "/again"
    try files.createDirectory(atPath: again, withIntermediateDirectories: true)
    try files.moveItem(atPath: lost + "/found", toPath: again + "/ledger.sqlite")
    try files.moveItem(atPath: lost + "/ledger.sqlite.before-x-wal", toPath: again + "/ledger.sqlite-wal")
    #expect(try await SQLiteStore(folder: again).rounds(of: nil).count == 1)
  }

  @Test("a backup replaces a ledger that was moved to a database only after the old file is moved away")
  func restoreAfterMove() async throws {
    let (store, safe) = (folder.path + "/store", folder.path + "/safe")
    try await SQLiteStore(folder: store).record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    _ = try LedgerCopies.back(up: store, to: safe)
    let former = LedgerPresence.nameAfterMove(of: store + "/ledger.sqlite")
    try FileManager.default.moveItem(atPath: store + "/ledger.sqlite", toPath: former)
    for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: store + "/ledger.sqlite" + ending) }
    let error = #expect(throws: StoreError.self) { try LedgerCopies.restore(safe, to: store, suffix: "x") }
    #expect(error?.kind == .refused)
    #expect(error?.detail.contains("stop the workers of the database and move ledger.sqlite.moved-") == true)
    try FileManager.default.moveItem(atPath: former, toPath: folder.path + "/away")
    _ = try LedgerCopies.restore(safe, to: store, suffix: "x")
    #expect(try await SQLiteStore(folder: store).rounds(of: nil).count == 1)
  }

  @Test("a released store is closed before its user continues")
  func closed() async throws {
    for number in 0..<50 {
      let store = try SQLiteStore(folder: folder.path)
      try await store.record([.plan(StoreConformance.round([UnitKey("\(number)")]))], of: StoreConformance.pipeline)
      #expect(try await store.rounds(of: nil).count == number + 1)
    }
  }

  private func expectPrivate(_ path: String) throws {
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(path) == 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    #expect(
      Set(names).isSuperset(of: ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm", "cache.sqlite", "lock"]))
    for name in names { #expect(try mode(path + "/" + name) == 0o600, "\(name)") }
  }
}
