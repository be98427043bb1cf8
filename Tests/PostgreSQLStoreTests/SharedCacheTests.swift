import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Facts and other values that workers share through a database. Each worker has a separate local cache.
struct SharedCacheTests {
  private let clock = TestClock()
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A worker, and the problems that it reports.
  private final class Worker: Sendable {
    let reports = Mutex<[String]>([])
    let instant = Mutex(ContinuousClock.now)
    private let made = Mutex<SharedCache?>(nil)

    var cache: SharedCache {
      get throws { try #require(made.withLock { $0 }) }
    }

    init(_ folder: String, _ shared: any SharedValues, _ limits: SharedCache.Limits) {
      let cache = SharedCache(
        SQLiteCache(folder: folder), sharing: shared, limits: limits, now: { self.instant.withLock { $0 } },
        report: { text in self.reports.withLock { $0.append(text) } })
      made.withLock { $0 = cache }
    }

    func advance(by time: Duration) { instant.withLock { $0 += time } }
  }

  /// A bucket in memory.
  private final class MemoryBucket: PackBucket {
    let objects = Mutex<[String: [UInt8]]>([:])
    let place = "memory"

    func read(_ names: [String], limit: Int) throws -> [String: [UInt8]] {
      objects.withLock { objects in objects.filter { names.contains($0.key) && $0.value.count <= limit } }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws { objects.withLock { $0[name] = bytes } }

    func remove(_ names: [String]) throws {
      objects.withLock { objects in for name in names { objects[name] = nil } }
    }
  }

  private func store(of server: PostgreSQLServer) async throws -> PostgreSQLStore {
    try PostgreSQLStore.open(try PostgreSQLAddress(url: try await server.database()), clock: { [clock] in clock.now })
  }

  private func worker(
    _ name: String, _ store: PostgreSQLStore, limits: SharedCache.Limits = SharedCache.Limits(),
    in bucket: (any PackBucket)? = nil
  ) throws -> Worker {
    let own = folder.file(name)
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
    return Worker(own, store.sharedPacks(in: bucket, limit: .seconds(240)), limits)
  }

  private func blob(_ number: Int) -> BlobID {
    BlobID(rawValue: ContentDigest.hexadecimal(of: "\(number)".utf8, bytes: 20))
  }

  private func facts(_ numbers: Range<Int>, bytes: Int = 40) -> [BlobID: [UInt8]] {
    Dictionary(
      uniqueKeysWithValues: numbers.map { number in
        (blob(number), (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* number) })
      })
  }

  @Test("workers share facts by content and version, and also the strings of trees")
  func shared() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try await store(of: server)
    let ann = try worker("ann", store)
    let all = facts(0..<3000)
    try ann.cache.store(all, version: "1")
    try ann.cache.setValue([1, 2, 3], for: "tree")
    try ann.cache.setValue([], for: "empty")
    try await ann.cache.finish()
    #expect(try ann.cache.counts.stored == 3002)
    let bob = try worker("bob", store)
    #expect(try bob.cache.facts(for: Array(all.keys) + [blob(5000)], version: "1") == all)
    #expect(try bob.cache.facts(for: Array(all.keys), version: "2").isEmpty)
    #expect(try bob.cache.value(for: "tree") == [1, 2, 3])
    #expect(try bob.cache.value(for: "empty") == [])
    #expect(try bob.cache.value(for: "other") == nil)
    // From now on, the worker has the facts in its local cache.
    #expect(try bob.cache.counts.found == 3002)
    #expect(try bob.cache.counts.missing == 3002)
    #expect(try bob.cache.facts(for: Array(all.keys), version: "1") == all)
    #expect(try bob.cache.counts.found == 3002)
    #expect(ann.reports.withLock { $0 }.isEmpty && bob.reports.withLock { $0 }.isEmpty)
  }

  @Test("a value that is damaged, foreign or stored under another name is ignored and replaced")
  func damaged() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try await store(of: server)
    let ann = try worker("ann", store)
    let all = facts(1..<5)
    try ann.cache.store(all, version: "1")
    try await ann.cache.finish()
    for (name, damage) in [
      ("content", "UPDATE shared_content SET bytes = set_byte(bytes, 40, (get_byte(bytes, 40) + 1) % 256)"),
      ("name", "UPDATE shared_value AS v SET start = o.start FROM shared_value AS o WHERE v.name < o.name"),
      ("length", "UPDATE shared_value SET length = length + 100000"),
      ("short", "UPDATE shared_value SET length = 8"),
      ("key", "UPDATE shared_content SET bytes = sha256(bytes) || bytes"),
      ("start", "UPDATE shared_value SET start = -1"),
    ] {
      try await store.write("damage", of: nil) { _ = try $0.execute(damage, []) }
      let bob = try worker("bob \(name)", store)
      let found = try bob.cache.facts(for: Array(all.keys), version: "1")
      #expect(found.count < all.count && found.allSatisfy { all[$0.key] == $0.value }, "\(name)")
      // Missing facts are parsed and stored again.
      try bob.cache.store(all, version: "1")
      try await bob.cache.finish()
      #expect(try worker("cleo \(name)", store).cache.facts(for: Array(all.keys), version: "1") == all, "\(name)")
      #expect(bob.reports.withLock { $0 }.isEmpty, "\(name)")
    }
    let bob = try worker("bob", store)
    try await store.write("lose", of: nil) { _ = try $0.execute("TRUNCATE shared_content", []) }
    #expect(try bob.cache.facts(for: Array(all.keys), version: "1").isEmpty)
    #expect(bob.reports.withLock { $0 }.isEmpty)
  }

  @Test("without the database, values are not shared; this is reported once and is not an error")
  func gone() async throws {
    guard let server = try await PostgreSQLServer.start() else { return }
    let store = try await store(of: server)
    let ann = try worker("ann", store)
    let all = facts(0..<10)
    try ann.cache.store(all, version: "1")
    try await ann.cache.finish()
    let bob = try worker("bob", store)
    #expect(try bob.cache.facts(for: [blob(0)], version: "1").count == 1)
    server.stop()
    #expect(try bob.cache.facts(for: Array(all.keys), version: "1") == [blob(0): all[blob(0)] ?? []])
    // For some time, the worker does not use the database again.
    #expect(try bob.cache.value(for: "tree") == nil)
    try bob.cache.store(facts(10..<20), version: "1")
    try await bob.cache.finish()
    #expect(try bob.cache.counts.dropped == 10)
    bob.advance(by: .seconds(31))
    #expect(try bob.cache.facts(for: [blob(1)], version: "1").isEmpty)
    #expect(bob.reports.withLock { $0 }.count == 1)
    try await server.start()
    bob.advance(by: .seconds(31))
    #expect(try bob.cache.facts(for: Array(all.keys), version: "1") == all)
    #expect(bob.reports.withLock { $0 }.count == 2)
    #expect(bob.reports.withLock { $0 }.last?.contains("again") == true)
  }

  @Test("large values are not shared, and the least recently used values are deleted first")
  func limits() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try await store(of: server)
    var limits = SharedCache.Limits()
    (limits.total, limits.value, limits.batch) = (100_000, 10_000, 10_000)
    let ann = try worker("ann", store, limits: limits)
    try ann.cache.store(facts(0..<1, bytes: 10_001), version: "1")
    try await ann.cache.finish()
    #expect(try ann.cache.counts.dropped == 1)
    // Each of these values is stored in a separate pack.
    for number in 1..<9 {
      try ann.cache.store(facts(number..<number + 1, bytes: 10_000), version: "1")
      try await ann.cache.finish()
      clock.advance(by: 1)
    }
    // The first pack is used two days later.
    clock.advance(by: 2 * 86_400)
    let bob = try worker("bob", store, limits: limits)
    #expect(try bob.cache.facts(for: [blob(1)], version: "1").count == 1)
    for number in 9..<14 {
      try ann.cache.store(facts(number..<number + 1, bytes: 10_000), version: "1")
      try await ann.cache.finish()
      clock.advance(by: 1)
    }
    let left = try worker("cleo", store, limits: limits).cache.facts(for: (1..<14).map(blob), version: "1")
    #expect(left[blob(1)] != nil && left[blob(2)] == nil && left[blob(13)] != nil)
    #expect((5...10).contains(left.count))
    let size = try await store.read("size") {
      try $0.value(Int.self, "SELECT coalesce(sum(octet_length(bytes)), 0)::int8 FROM shared_content") ?? 0
    }
    #expect(size <= 100_000)
    // No pack is used for three months.
    clock.advance(by: 91 * 86_400)
    try store.sharedPacks().prune(to: 1 << 30)
    #expect(try worker("dora", store).cache.facts(for: (1..<14).map(blob), version: "1").isEmpty)
    #expect(try await packs(store) == 0)
  }

  @Test("a worker without the bucket leaves the packs in it to workers with the bucket, as long as there are any")
  func withoutBucket() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try await store(of: server)
    let bucket = MemoryBucket()
    let ann = try worker("ann", store, in: bucket)
    let all = facts(1..<5)
    try ann.cache.store(all, version: "1")
    try await ann.cache.finish()
    // A pack in the database is larger than the limit, and the pack in the bucket is the least recently used.
    clock.advance(by: 1)
    let own = try worker("own", store)
    try own.cache.store(facts(5..<6, bytes: 1000), version: "1")
    try await own.cache.finish()
    try store.sharedPacks().prune(to: 100)
    #expect(try worker("bob", store, in: bucket).cache.facts(for: (1..<6).map(blob), version: "1") == all)
    // The pack is unused for three months. A worker with the bucket also removes the object.
    clock.advance(by: 91 * 86_400)
    try store.sharedPacks().prune(to: 1 << 30)
    #expect(try await packs(store) == 1 && bucket.objects.withLock { $0.count } == 1)
    try store.sharedPacks(in: bucket).prune(to: 1 << 30)
    #expect(try await packs(store) == 0 && bucket.objects.withLock { $0.isEmpty })
    // No worker uses the bucket anymore.
    try ann.cache.store(facts(6..<9), version: "1")
    try await ann.cache.finish()
    clock.advance(by: 181 * 86_400)
    try store.sharedPacks().prune(to: 1 << 30)
    #expect(try await packs(store) == 0)
  }

  private func packs(_ store: PostgreSQLStore) async throws -> Int? {
    try await store.read("packs") { try $0.value(Int.self, "SELECT count(*) FROM shared_pack") }
  }

  @Test("workers can store and delete the same values at the same time")
  func concurrent() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try await store(of: server)
    let all = facts(0..<400, bytes: 400)
    let workers = try (0..<4).map { try worker("w\($0)", store) }
    let pool = BlockingPool("workers", width: 5)
    let calls = workers.map { worker in
      pool.start {
        for _ in 0..<5 { try worker.cache.store(all, version: "1") }
      }
    }
    let pruning = pool.start {
      for _ in 0..<10 { try store.sharedPacks().prune(to: 0) }
    }
    for call in calls { try call.value() }
    try pruning.value()
    for worker in workers {
      try await worker.cache.finish()
      #expect(worker.reports.withLock { $0 }.isEmpty, "\(worker.reports.withLock { $0 })")
    }
    try workers[0].cache.store(all, version: "1")
    try await workers[0].cache.finish()
    #expect(try worker("reader", store).cache.facts(for: Array(all.keys), version: "1") == all)
  }
}
