import FoundationEssentials
import LedgerStore
import Localization
package import Pipeline
import PostgreSQLClient

/// The values that workers share. An index in the database maps the name of each value to its location. The contents are in packs, which are in the
/// database or in a bucket; a pack has the contents of many values.
///
/// A pack is never changed. Its row is committed before the pack is written to a bucket, so every object in the bucket has a row. This type has
/// separate connections with a short time limit, because the values can be computed again. Calls block.
package struct SharedPacks: SharedValues {
  /// The time in seconds after which an unused pack is deleted.
  static let retention: TimeInterval = 90 * 86_400
  /// The minimum time in seconds between two records of a pack's last use.
  static let usePrecision: TimeInterval = 86_400
  /// The maximum number of bytes that one statement returns. A larger single value is still returned.
  private static let largestResult: Int64 = 8 << 20
  /// The size limit for reading a value or a pack, in bytes. The limit is larger than any value or pack that a worker stores.
  private static let largestPack = 32 << 20

  private let pool: ConnectionPool
  private let bucket: (any PackBucket)?
  private let clock: (@Sendable () -> Date)?

  init(_ pool: ConnectionPool, in bucket: (any PackBucket)?, clock: (@Sendable () -> Date)?) {
    self.pool = pool
    self.bucket = bucket
    self.clock = clock
  }

  package var place: String { bucket?.place ?? pool.address.description }

  package func key() throws -> [UInt8] {
    var random = SystemRandomNumberGenerator()
    let new = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return try pool.with { connection in
      _ = try connection.run(
        "INSERT INTO shared_seal (key) VALUES ($1) ON CONFLICT DO NOTHING", [.text(new.hexadecimal)])
      let found = try connection.run("SELECT key FROM shared_seal")
      guard found.count == 1, let key = found.hexadecimal(0, 0), key.count == new.count else {
        throw StoreError(
          .corrupt, operation: "share facts",
          detail: "the table shared_seal of \(pool.address) has no valid key. Delete its rows; workers add a new key")
      }
      return key
    }
  }

  // MARK: Reading

  /// The location of a value.
  private struct Entry {
    var name: String
    var pack: String
    var start: Int64
    var length: Int64
    var isInBucket: Bool
  }

  package func values(named names: [String]) throws -> [String: [UInt8]] {
    guard !names.isEmpty else { return [:] }
    let entries = try pool.with { connection in
      let now = try now(connection)
      let found = try connection.run(
        """
        SELECT v.name, v.pack, v.start, v.length, p.in_bucket, p.used < $2
        FROM unnest($1::text[]) AS wanted(name)
        JOIN shared_value AS v ON v.name = wanted.name JOIN shared_pack AS p ON p.id = v.pack
        """, [.texts(names), .double(now - Self.usePrecision)])
      var aged: Set<String> = []
      var entries: [Entry] = []
      for row in 0..<found.count {
        guard let name = found.text(row, 0), let pack = found.text(row, 1), let start = found.integer(row, 2),
          let length = found.integer(row, 3), start >= 0, length > 0, start + length <= Self.largestPack
        else { continue }
        entries.append(
          Entry(name: name, pack: pack, start: start, length: length, isInBucket: found.integer(row, 4) == 1))
        if found.integer(row, 5) == 1 { aged.insert(pack) }
      }
      if !aged.isEmpty {
        _ = try connection.run(
          """
          UPDATE shared_pack SET used = $2 WHERE id IN
            (SELECT id FROM shared_pack WHERE id = ANY ($1) ORDER BY id FOR UPDATE SKIP LOCKED)
          """, [.texts(aged.sorted()), .double(now)])
      }
      return entries
    }
    var values = try contents(of: entries.filter { !$0.isInBucket })
    if let bucket { values.merge(try Self.contents(of: entries.filter(\.isInBucket), in: bucket)) { own, _ in own } }
    return values
  }

  /// Reads contents from the database, some megabytes at a time.
  private func contents(of entries: [Entry]) throws -> [String: [UInt8]] {
    var values: [String: [UInt8]] = [:]
    var first = 0
    while first < entries.count {
      var (end, size) = (first, Int64(0))
      while end < entries.count, end == first || size + entries[end].length <= Self.largestResult {
        size += entries[end].length
        end += 1
      }
      let names = entries[first..<end].map(\.name)
      try pool.with { connection in
        let found = try connection.run(
          """
          SELECT v.name, encode(substring(c.bytes FROM v.start::int + 1 FOR v.length::int), 'hex')
          FROM unnest($1::text[]) AS wanted(name)
          JOIN shared_value AS v ON v.name = wanted.name JOIN shared_content AS c ON c.pack = v.pack
          """, [.texts(names)])
        for row in 0..<found.count {
          if let name = found.text(row, 0), let bytes = found.hexadecimal(row, 1) { values[name] = bytes }
        }
      }
      first = end
    }
    return values
  }

  /// Reads contents from the bucket, each pack once.
  private static func contents(of entries: [Entry], in bucket: any PackBucket) throws -> [String: [UInt8]] {
    let byPack = Dictionary(grouping: entries, by: \.pack)
    let packs = byPack.keys.sorted()
    var values: [String: [UInt8]] = [:]
    // Eight packs are read at a time, to limit memory.
    for start in stride(from: 0, to: packs.count, by: 8) {
      let some = Array(packs[start..<min(start + 8, packs.count)])
      for (pack, bytes) in try bucket.read(some, limit: largestPack) {
        for entry in byPack[pack] ?? [] where entry.start + entry.length <= bytes.count {
          values[entry.name] = Array(bytes[Int(entry.start)..<Int(entry.start + entry.length)])
        }
      }
    }
    return values
  }

  // MARK: Storing

  package func add(_ values: [SharedValue]) throws {
    guard !values.isEmpty else { return }
    // The values are sorted, because a common order prevents deadlocks between workers that store the same values.
    let values = values.sorted { $0.name < $1.name }
    var bytes: [UInt8] = []
    var starts: [Int64] = []
    for value in values {
      starts.append(Int64(bytes.count))
      bytes += value.bytes
    }
    let pack = UUID().uuidString
    let (content, size) = (bytes, Int64(bytes.count + 200 * values.count))
    try pool.with { connection in
      try connection.transaction(.writing) {
        _ = try connection.run(
          "INSERT INTO shared_pack (id, size, used, in_bucket) VALUES ($1, $2, $3, $4)",
          [.text(pack), .integer(size), .double(try now(connection)), .integer(bucket == nil ? 0 : 1)])
        if bucket == nil {
          _ = try connection.run(
            "INSERT INTO shared_content (pack, bytes) VALUES ($1, decode($2, 'hex'))",
            [.text(pack), .text(content.hexadecimal)])
          try Self.enter(values, starts, in: pack, connection)
        }
      }
    }
    guard let bucket else { return }
    try bucket.write(pack, content)
    try pool.with { try Self.enter(values, starts, in: pack, $0) }
  }

  private static func enter(
    _ values: [SharedValue], _ starts: [Int64], in pack: String, _ connection: PostgreSQLConnection
  ) throws {
    _ = try connection.run(
      """
      INSERT INTO shared_value (name, pack, start, length)
      SELECT name, $2, start, length FROM unnest($1::text[], $3::int8[], $4::int8[]) AS new(name, start, length)
      ORDER BY name COLLATE "C"
      ON CONFLICT (name) DO UPDATE SET pack = excluded.pack, start = excluded.start, length = excluded.length
      """,
      [.texts(values.map(\.name)), .text(pack), .integers(starts), .integers(values.map { Int64($0.bytes.count) })])
  }

  /// Deletes the packs that were not used for the time `retention`. If the limit is exceeded, the least recently used packs are deleted too, until
  /// the remaining packs take at most three quarters of the limit, so the next pruning is not due soon.
  ///
  /// Without a bucket, packs in a bucket are not counted and stay: only a worker with the bucket can remove their objects, and finds the objects by
  /// these rows. If the rows are unused for twice the time `retention`, no worker uses the bucket anymore, and the rows are deleted.
  package func prune(to limit: Int) throws {
    let old = try pool.with { connection in
      let now = try now(connection)
      let found = try connection.run(
        """
        SELECT id, in_bucket FROM (
          SELECT id, in_bucket, used, sum(size) OVER (ORDER BY used DESC, id) AS kept, sum(size) OVER () AS total
          FROM shared_pack WHERE in_bucket <= $4) AS pack
        WHERE used < $1 OR total > $2 AND kept > $3
        UNION SELECT id, in_bucket FROM shared_pack WHERE used < $5
        """,
        [
          .double(now - Self.retention), .integer(Int64(limit)), .integer(Int64(limit / 4 * 3)),
          .integer(bucket == nil ? 0 : 1), .double(now - 2 * Self.retention),
        ])
      return (0..<found.count).compactMap { row in
        found.text(row, 0).map { (id: $0, isInBucket: found.integer(row, 1) == 1) }
      }
    }
    guard !old.isEmpty else { return }
    let inBucket = old.filter(\.isInBucket).map(\.id)
    if let bucket, !inBucket.isEmpty {
      // The values are deleted from the index first, so no worker finds a value whose object is being removed.
      try pool.with { _ = try $0.run("DELETE FROM shared_value WHERE pack = ANY ($1)", [.texts(inBucket)]) }
      try bucket.remove(inBucket)
    }
    try pool.with { _ = try $0.run("DELETE FROM shared_pack WHERE id = ANY ($1)", [.texts(old.map(\.id))]) }
  }

  private func now(_ connection: PostgreSQLConnection) throws -> Double {
    try PostgreSQLTransaction(connection: connection, clock: clock).now().timeIntervalSince1970
  }
}

extension PostgreSQLStore {
  /// Returns the values that the workers of this database share.
  /// - Parameters:
  ///   - bucket: the bucket for the contents; `nil` to store them in the database.
  ///   - limit: the time limit of a statement.
  package func sharedPacks(in bucket: (any PackBucket)? = nil, limit: Duration = .seconds(10)) -> SharedPacks {
    SharedPacks(pool.separate(limit: limit), in: bucket, clock: clock)
  }
}
