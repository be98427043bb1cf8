import FoundationEssentials
internal import GRDB
import Localization
import Pipeline
import Synchronization

/// The SQLite file of the cache. Its entries have checksums, because SQLite detects damaged structure but not damaged content, and extraction must
/// not build catalogs from damaged content.
final class CacheFile: Sendable {
  enum Kind: Int, Sendable {
    /// The facts of a blob.
    case fact
    /// The strings of a tree.
    case value
    /// An entry that is replaced by later entries with the same name.
    case recent
  }

  /// The error for a file that another version of Dragoman wrote.
  struct OtherVersion: Error {}

  private static let version = 3
  private let database: DatabaseQueue
  /// The current period, which is the number of times that the file has been opened or pruned. An entry stores the last period in which it was used,
  /// so reading an entry writes to the file at most once per period.
  private let period: Mutex<Int>

  /// - Parameter busyTimeout: the number of seconds to wait for other programs.
  init(path: String, busyTimeout: Double) throws {
    try StoreFiles.prepareDatabase(path)
    var configuration = Configuration()
    configuration.label = "cache"
    configuration.busyMode = .timeout(busyTimeout)
    configuration.prepareDatabase { database in
      // The file is not synced. A file that a power failure damaged is created again.
      try database.execute(
        sql: "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    }
    database = try DatabaseQueue(path: path, configuration: configuration)
    let period = try database.write { database in
      let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      if found == 0 {
        try database.execute(sql: Self.schema)
      } else if found != Self.version {
        throw OtherVersion()
      }
      return try Self.nextPeriod(database)
    }
    self.period = Mutex(period)
  }

  private static func nextPeriod(_ database: Database) throws -> Int {
    try database.execute(sql: "UPDATE period SET number = number + 1")
    return try Int.fetchOne(database, sql: "SELECT number FROM period") ?? 0
  }

  /// The tables. Contents are in a separate table, so the search for the oldest entries reads few pages.
  private static let schema = """
    CREATE TABLE period (number INTEGER NOT NULL);
    INSERT INTO period VALUES (0);
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, name TEXT NOT NULL, size INTEGER NOT NULL, used INTEGER NOT NULL,
      checksum INTEGER NOT NULL, UNIQUE (kind, name));
    CREATE INDEX entry_used ON entry (used, id, size);
    CREATE TABLE content (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    PRAGMA user_version = \(version);
    """

  func close() { try? database.close() }

  func read(_ kind: Kind, names: [String]) throws -> [String: [UInt8]] {
    let period = self.period.withLock { $0 }
    var aged: [Int64] = []
    let found = try database.read { database in
      var found: [String: [UInt8]] = [:]
      let statement = try database.cachedStatement(
        sql: """
          SELECT entry.id, used, checksum, bytes FROM entry JOIN content ON content.id = entry.id
          WHERE kind = ? AND name = ?
          """)
      for name in names {
        guard let row = try Row.fetchOne(statement, arguments: [kind.rawValue, name]) else { continue }
        let bytes = Array(row[3] as Data)
        guard Self.checksum(of: bytes, name: name) == row[2] else {
          throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an entry has a wrong checksum")
        }
        found[name] = bytes
        if row[1] as Int != period { aged.append(row[0]) }
      }
      return found
    }
    if !aged.isEmpty {
      try database.write { database in
        let statement = try database.cachedStatement(sql: "UPDATE entry SET used = ? WHERE id = ?")
        for id in aged { try statement.execute(arguments: [period, id]) }
      }
    }
    return found
  }

  func write(_ kind: Kind, _ entries: [(name: String, bytes: [UInt8])]) throws {
    let period = self.period.withLock { $0 }
    try database.write { database in
      let entry = try database.cachedStatement(
        sql: """
          INSERT INTO entry (kind, name, size, used, checksum) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (kind, name) DO UPDATE SET size = excluded.size, used = excluded.used, checksum = excluded.checksum
          RETURNING id
          """)
      let content = try database.cachedStatement(sql: "INSERT OR REPLACE INTO content (id, bytes) VALUES (?, ?)")
      for (name, bytes) in entries {
        let id = try Int64.fetchOne(
          entry,
          arguments: [kind.rawValue, name, bytes.count + name.utf8.count, period, Self.checksum(of: bytes, name: name)])
        try content.execute(arguments: [id, Data(bytes)])
      }
    }
  }

  /// Deletes the least recently used entries if the cache exceeds the limit, and returns their space to the disk. The cache is pruned to three
  /// quarters of the limit, so the next pruning is not due soon. In any case, the next period begins.
  func prune(to limit: Int) throws {
    let (isPruned, next) = try database.write { database in
      (try Self.deleteOldest(to: limit, in: database), try Self.nextPeriod(database))
    }
    period.withLock { $0 = next }
    guard isPruned else { return }
    try database.writeWithoutTransaction { database in
      // Each step of the cursor frees one page.
      let pages = try Row.fetchCursor(database, sql: "PRAGMA incremental_vacuum")
      while try pages.next() != nil {}
      try database.checkpoint(.truncate)
    }
  }

  private static func deleteOldest(to limit: Int, in database: Database) throws -> Bool {
    var size = try Int.fetchOne(database, sql: "SELECT coalesce(sum(size), 0) FROM entry") ?? 0
    guard size > limit else { return false }
    var last: (used: Int, id: Int64)?
    let rows = try Row.fetchCursor(database, sql: "SELECT used, id, size FROM entry ORDER BY used, id")
    while size > limit / 4 * 3, let row = try rows.next() {
      last = (used: row[0], id: row[1])
      size -= row[2] as Int
    }
    guard let last else { return false }
    try database.execute(
      sql: """
        DELETE FROM content WHERE id IN (SELECT id FROM entry WHERE (used, id) <= (?1, ?2));
        """,
      arguments: [last.used, last.id])
    try database.execute(sql: "DELETE FROM entry WHERE (used, id) <= (?1, ?2)", arguments: [last.used, last.id])
    return true
  }

  /// Returns a checksum of the name and the content: FNV-1a, computed over eight bytes of the content at a time. It detects accidental damage, but
  /// not manipulation.
  private static func checksum(of bytes: [UInt8], name: String) -> Int64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    hash = (hash ^ UInt64(bytes.count)) &* 0x0000_0100_0000_01b3
    bytes.withUnsafeBytes { buffer in
      var position = 0
      while position + 8 <= buffer.count {
        let word = UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: position, as: UInt64.self))
        hash = (hash ^ word) &* 0x0000_0100_0000_01b3
        hash ^= hash >> 32
        position += 8
      }
      for index in position..<buffer.count { hash = (hash ^ UInt64(buffer[index])) &* 0x0000_0100_0000_01b3 }
    }
    return Int64(bitPattern: hash)
  }
}
