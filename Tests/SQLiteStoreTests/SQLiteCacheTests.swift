import Foundation
import GRDB
import LedgerStore
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

struct SQLiteCacheTests {
  private let folder: TemporaryFolder
  private let blob = BlobID(rawValue: String(repeating: "a", count: 40))
  private var path: String { folder.path + "/cache.sqlite" }

  init() throws { folder = try TemporaryFolder() }

  /// The problems that a cache reports.
  private final class Faults: Sendable {
    private let errors = Mutex<[StoreError]>([])
    private let instant = Mutex(ContinuousClock.now)
    func open(_ folder: String) -> SQLiteCache {
      SQLiteCache(
        folder: folder, busyTimeout: 0, report: { error in self.errors.withLock { $0.append(error) } },
        now: { self.instant.withLock { $0 } })
    }
    func advance(by time: Duration) { instant.withLock { $0 += time } }
    var all: [StoreError.Kind] { errors.withLock { $0.map(\.kind) } }
    var texts: [String] { errors.withLock { $0.map(\.description) } }
  }

  @Test("facts are stored by blob and version, and values by key")
  func facts() {
    do {
      let cache = SQLiteCache(folder: folder.path)
      cache.store([blob: [1, 2]], version: "1")
      cache.setValue([3], for: "k")
      cache.keep([], as: "k")
      #expect(cache.facts(for: [blob], version: "1") == [blob: [1, 2]])
      #expect(cache.facts(for: [blob], version: "2").isEmpty)
    }
    let cache = SQLiteCache(folder: folder.path)
    #expect(cache.facts(for: [blob], version: "1") == [blob: [1, 2]])
    #expect(cache.value(for: "k") == [3])
    #expect(cache.value(for: "l") == nil)
    #expect(cache.recent("k") == [])
    cache.setValue([4], for: "k")
    #expect(cache.value(for: "k") == [4])
  }

  @Test("the cache is created again if it is not a database or has another version")
  func foreign() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: path))
    let faults = Faults()
    let cache = faults.open(folder.path)
    #expect(cache.facts(for: [blob], version: "1").isEmpty)
    cache.store([blob: [4]], version: "1")
    #expect(cache.facts(for: [blob], version: "1") == [blob: [4]])
    #expect(faults.all == [.corrupt])
    #expect(faults.texts.first?.hasPrefix("the cache \(path) was damaged (") == true)
    #expect(faults.texts.first?.hasSuffix(") and is created again; nothing is lost") == true)
  }

  @Test("damaged pages count as misses, and the file is created again")
  func damagedPages() throws {
    let faults = Faults()
    let keys = (0..<400).map { "key \($0)" }
    do {
      let cache = faults.open(folder.path)
      for key in keys { cache.setValue(Array(repeating: 7, count: 5000), for: key) }
    }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.count > 1 << 20)
    for index in (bytes.count / 4)..<(bytes.count * 3 / 4) { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    try bytes.write(to: URL(fileURLWithPath: path))
    let cache = faults.open(folder.path)
    let found = keys.compactMap { cache.value(for: $0) }
    #expect(found.allSatisfy { $0 == Array(repeating: 7, count: 5000) })
    #expect(found.count < keys.count)
    #expect(faults.all.contains(.corrupt))
    cache.setValue([1], for: "new")
    #expect(cache.value(for: "new") == [1])
  }

  @Test("an entry whose content changed on disk counts as a miss")
  func damagedContent() throws {
    let faults = Faults()
    let content = Array("a content that can be found".utf8)
    do { faults.open(folder.path).setValue(content, for: "k") }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let place = try #require(bytes.range(of: Data(content)))
    bytes[place.lowerBound] = 0x42
    try bytes.write(to: URL(fileURLWithPath: path))
    let cache = faults.open(folder.path)
    #expect(cache.value(for: "k") == nil)
    #expect(faults.all == [.corrupt])
    #expect(
      faults.texts == [
        "the cache \(path) was damaged (an entry has a wrong checksum) and is created again; nothing is lost"
      ])
    cache.setValue([2], for: "k")
    #expect(cache.value(for: "k") == [2])
  }

  /// A program that can hold the write lock of the cache's file.
  private func otherProgram() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  @Test("a locked cache is left alone for 30 seconds, and reported once until a write succeeds")
  func locked() throws {
    let faults = Faults()
    let cache = faults.open(folder.path)
    cache.setValue([1], for: "a")
    let other = try otherProgram()
    func lock() throws { try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") } }
    func unlock() throws { try other.inDatabase { try $0.execute(sql: "COMMIT") } }
    try lock()
    cache.setValue([2], for: "b")
    #expect(faults.all == [.busy])
    try unlock()
    // The cache does not notice that the lock is gone.
    cache.setValue([3], for: "c")
    #expect(cache.value(for: "a") == nil)
    faults.advance(by: .seconds(30))
    #expect(cache.value(for: "a") == [1])
    #expect(cache.value(for: "b") == nil)
    #expect(cache.value(for: "c") == nil)
    // Reads succeeded, but no write did.
    try lock()
    cache.setValue([4], for: "d")
    #expect(faults.all == [.busy])
    try unlock()
    faults.advance(by: .seconds(30))
    cache.setValue([5], for: "e")
    #expect(cache.value(for: "e") == [5])
    try lock()
    cache.setValue([6], for: "f")
    #expect(faults.all == [.busy, .busy])
    try unlock()
  }

  @Test("a cache that was locked at the start is opened later, with its entries")
  func lockedAtStart() throws {
    let faults = Faults()
    do { faults.open(folder.path).setValue([1], for: "k") }
    let other = try otherProgram()
    try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let cache = faults.open(folder.path)
    #expect(cache.value(for: "k") == nil)
    #expect(faults.all == [.busy])
    try other.inDatabase { try $0.execute(sql: "COMMIT") }
    faults.advance(by: .seconds(30))
    #expect(cache.value(for: "k") == [1])
    #expect(faults.all == [.busy])
  }

  @Test("a cache that cannot be written is empty, and reports the reason")
  func unwritable() {
    let faults = Faults()
    let cache = faults.open(folder.path + "/missing")
    cache.setValue([1], for: "k")
    #expect(cache.value(for: "k") == nil)
    #expect(faults.all.contains(.unwritable))
  }

  @Test(
    "the messages about a cache that cannot be used do not mention the ledger",
    arguments: [ResultCode.SQLITE_BUSY, .SQLITE_FULL, .SQLITE_IOERR_SHMSIZE, .SQLITE_READONLY, .SQLITE_ERROR])
  func messages(code: ResultCode) {
    let error = StoreError(cache: DatabaseError(resultCode: code), operation: "use cache", path: "/s/cache.sqlite")
    #expect(error.detail.contains("/s/cache.sqlite"))
    #expect(error.detail.contains("Dragoman continues without the cache, which takes longer, and retries later"))
    #expect(!error.detail.contains("ledger"))
  }

  @Test("above the limit, the least recently used entries are removed, and the file shrinks")
  func limit() throws {
    let limit = 1 << 20
    let block = Array(repeating: UInt8(1), count: 100_000)
    let cache = SQLiteCache(folder: folder.path, limit: limit)
    cache.keep(block, as: "kept")
    for number in 0..<60 {
      cache.setValue(block, for: "\(number)")
      cache.store([blob: [UInt8(number)]], version: "v\(number)")
      #expect(cache.recent("kept") == block)
    }
    #expect(cache.value(for: "59") == block)
    #expect(cache.value(for: "0") == nil)
    #expect(cache.facts(for: [blob], version: "v0").isEmpty)
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(try #require(size) < 2 * limit)
  }

  @Test("a smaller limit applies from the next start")
  func smallerLimit() {
    let block = Array(repeating: UInt8(1), count: 10_000)
    do {
      let cache = SQLiteCache(folder: folder.path)
      for number in 0..<20 { cache.setValue(block, for: "\(number)") }
    }
    do { #expect(SQLiteCache(folder: folder.path).value(for: "0") == block) }
    let cache = SQLiteCache(folder: folder.path, limit: 50_000)
    // The first value is used after a later start than the other values.
    #expect(cache.value(for: "0") == block)
    #expect(cache.value(for: "1") == nil)
    #expect(cache.value(for: "19") == block)
  }
}
