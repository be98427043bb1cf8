package import FoundationEssentials
internal import GRDB
private import Glibc
import LedgerStore
import Localization

/// Deletes rows of a store that are no longer needed, including those of pipelines that no longer run. Rounds, books, units and deliveries
/// are kept.
package enum LedgerPruning {
  /// The counts of the rows that were or would be deleted.
  package struct Result: Hashable, Sendable {
    /// Commits that used to be heads of branches.
    package var formerHeads = 0
    /// Notices of deliveries and of problems that have ended.
    package var endedNotices = 0
    /// Ledgers that a restore set aside, by path.
    package var formerLedgers: [String] = []
    /// The size of the ledger, in bytes, before and after. They are equal if nothing was deleted.
    package var sizeBefore: Int64 = 0
    package var sizeAfter: Int64 = 0
  }

  /// - Parameters:
  ///   - instant: newer rows are kept.
  ///   - isDry: whether to only count rows, which works even while a daemon uses the store.
  /// - Throws: `StoreError` if a daemon uses the store, or it cannot be read or written.
  package static func prune(_ folder: String, olderThan instant: Date, isDry: Bool) throws -> Result {
    let operation = "prune the store"
    // The lock is held until the space is returned, because SQLite needs exclusive access to the ledger.
    let lock = isDry ? nil : try StoreLock(folder: folder)
    defer { withExtendedLifetime(lock) {} }
    let store = try isDry ? SQLiteStore(reading: folder) : SQLiteStore(deciding: folder)
    do {
      var result = Result()
      result.formerLedgers = try formerLedgers(in: folder, olderThan: instant)
      result.sizeBefore = size(of: store.path)
      if isDry {
        try store.database.read { database in
          result.formerHeads = try count("run WHERE \(formerHeads)", instant, in: database)
          result.endedNotices = try count("notice WHERE \(endedNotices)", instant, in: database)
        }
        result.sizeAfter = result.sizeBefore
        return result
      }
      let (heads, notices) = try store.database.write { database in
        let heads = try delete("run WHERE \(formerHeads)", instant, in: database)
        return (heads, try delete("notice WHERE \(endedNotices)", instant, in: database))
      }
      (result.formerHeads, result.endedNotices) = (heads, notices)
      try store.database.writeWithoutTransaction { database in
        try SQLiteStore.emptyLog(of: database)
        result.sizeBefore = size(of: store.path)
        try database.execute(sql: "VACUUM")
        try SQLiteStore.emptyLog(of: database)
      }
      result.sizeAfter = size(of: store.path)
      for path in result.formerLedgers {
        for ending in ["", "-wal", "-shm"] { try StoreFiles.remove(path + ending) }
      }
      return result
    } catch let error as DatabaseError {
      throw StoreError(error, operation: operation, path: store.path)
    }
  }

  /// Selects the former heads of all pipelines that the daemon would delete.
  private static let formerHeads = """
    created < ?
      AND NOT EXISTS (SELECT 1 FROM branch WHERE branch.pipeline = run.pipeline AND branch.run_id = run.id)
      AND (compared IS NULL OR EXISTS
        (SELECT 1 FROM run AS later WHERE later.pipeline = run.pipeline AND later.branch = run.branch
          AND later.compared > run.compared))
    """
  private static let endedNotices = "ended < ?"

  private static func count(_ what: String, _ instant: Date, in database: Database) throws -> Int {
    try Int.fetchOne(
      database, sql: "SELECT count(*) FROM \(what)", arguments: [instant.timeIntervalSince1970]) ?? 0
  }

  private static func delete(_ what: String, _ instant: Date, in database: Database) throws -> Int {
    try database.execute(sql: "DELETE FROM \(what)", arguments: [instant.timeIntervalSince1970])
    return database.changesCount
  }

  /// Returns the files that `LedgerCopies.restore` made, without SQLite's additional files.
  private static func formerLedgers(in folder: String, olderThan instant: Date) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return names.filter { name in
      guard name.hasPrefix("ledger.sqlite.before-"), !name.hasSuffix("-wal"), !name.hasSuffix("-shm") else {
        return false
      }
      var status = stat()
      return stat("\(folder)/\(name)", &status) == 0
        && TimeInterval(status.st_ctim.tv_sec) < instant.timeIntervalSince1970
    }.sorted().map { "\(folder)/\($0)" }
  }

  private static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
