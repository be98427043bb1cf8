import FoundationEssentials
internal import GRDB
package import Localization
import Pipeline

/// Facts about blobs and the strings of trees, in a file of its own that may be deleted at any time.
package struct SQLiteCache: Cache {
  private let database: DatabaseQueue

  /// Opens the cache of a store folder. One that is damaged, or of another version, is made anew.
  package init(folder: String) throws {
    let path = folder + "/cache.sqlite"
    do {
      database = try Self.open(path)
    } catch {
      for ending in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + ending) }
      do { database = try Self.open(path) } catch { throw StoreError(error, operation: "open cache", path: path) }
    }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.label = "cache"
    configuration.busyMode = .timeout(5)
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
    }
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
      guard version <= 2 else { throw StoreError(.newerSchema, operation: "open cache", detail: path) }
      try database.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS fact (blob TEXT, version TEXT, bytes BLOB, PRIMARY KEY (blob, version)) WITHOUT ROWID;
          CREATE TABLE IF NOT EXISTS value (key TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID;
          CREATE TABLE IF NOT EXISTS recent (name TEXT PRIMARY KEY, kept INTEGER, bytes BLOB);
          CREATE INDEX IF NOT EXISTS recent_kept ON recent (kept);
          PRAGMA user_version = 2;
          """)
    }
    return queue
  }

  package func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] {
    guard !blobs.isEmpty else { return [:] }
    let list = "[" + blobs.map { "\"\($0.rawValue)\"" }.joined(separator: ",") + "]"
    return try database.read { database in
      var found: [BlobID: [UInt8]] = [:]
      let rows = try Row.fetchCursor(
        database, sql: "SELECT blob, bytes FROM fact WHERE version = ? AND blob IN (SELECT value FROM json_each(?))",
        arguments: [version, list])
      while let row = try rows.next() { found[BlobID(rawValue: row[0])] = Array(row[1] as Data) }
      return found
    }
  }

  package func store(_ facts: [BlobID: [UInt8]], version: String) throws {
    guard !facts.isEmpty else { return }
    try database.write { database in
      let statement = try database.cachedStatement(sql: "INSERT OR REPLACE INTO fact VALUES (?, ?, ?)")
      for (blob, bytes) in facts { try statement.execute(arguments: [blob.rawValue, version, Data(bytes)]) }
    }
  }

  package func recent(_ name: String) throws -> [UInt8]? {
    try database.read { database in
      try Data.fetchOne(database, sql: "SELECT bytes FROM recent WHERE name = ?", arguments: [name]).map { Array($0) }
    }
  }

  package func keep(_ bytes: [UInt8], as name: String) throws {
    try database.write { database in
      let last = try Int.fetchOne(database, sql: "SELECT max(kept) FROM recent") ?? 0
      try database.execute(
        sql: "INSERT OR REPLACE INTO recent VALUES (?, ?, ?)", arguments: [name, last + 1, Data(bytes)])
      try database.execute(
        sql: "DELETE FROM recent WHERE kept <= (SELECT kept FROM recent ORDER BY kept DESC LIMIT 1 OFFSET ?)",
        arguments: [Self.recentLimit])
    }
  }

  /// How many things are kept by name: those of some branches of some projects, each up to a few megabytes.
  private static let recentLimit = 200

  package func value(for key: String) throws -> [UInt8]? {
    try database.read { database in
      try Data.fetchOne(database, sql: "SELECT bytes FROM value WHERE key = ?", arguments: [key]).map { Array($0) }
    }
  }

  package func setValue(_ value: [UInt8], for key: String) throws {
    try database.write { database in
      try database.execute(sql: "INSERT OR REPLACE INTO value VALUES (?, ?)", arguments: [key, Data(value)])
    }
  }
}
