package import FoundationEssentials
internal import GRDB
private import Glibc
import LedgerStore
import Localization

/// The deletion of rows of a ledger that are no longer needed, including rows of pipelines that no longer run, and of old ledgers that a restore set
/// aside. Rounds, books, units and deliveries are kept.
package enum LedgerPruning {
  /// The numbers of rows, and the files, that were deleted or would be deleted.
  package struct Result: Hashable, Sendable {
    /// The number of commits that used to be heads of branches.
    package var formerHeads = 0
    /// The number of notices of events, such as deliveries, and of problems that have ended.
    package var endedNotices = 0
    /// The paths of ledgers that a restore set aside.
    package var formerLedgers: [String] = []
    /// The size of the ledger before pruning, in bytes. In a dry run, `sizeAfter` has the same value.
    package var sizeBefore: Int64 = 0
    package var sizeAfter: Int64 = 0
  }

  /// Deletes rows and former ledgers of a store folder that are no longer needed.
  /// - Parameters:
  ///   - instant: the time after which rows and former ledgers are kept.
  ///   - isDry: whether nothing is deleted, and rows are only counted. This works even while a daemon uses the store.
  /// - Throws: `StoreError` if a daemon uses the store and `isDry` is `false`, or if the store cannot be read or written.
  package static func prune(_ folder: String, olderThan instant: Date, isDry: Bool) throws -> Result {
    let operation = "prune the store"
    // The lock is held until the free space is returned to the disk, because this needs exclusive access to the ledger.
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

  /// The condition for the former heads of all pipelines that may be deleted.
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

  /// Returns the former ledgers that `LedgerCopies.restore` set aside, without their files -wal and -shm.
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
