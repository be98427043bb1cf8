import FoundationEssentials
internal import GRDB
package import Pipeline

/// The open work according to the ledger.
extension SQLiteStore {
  package func pendingWork(of pipeline: String) async throws -> PendingWork {
    try await read("look for work") { try Self.pendingWork(of: pipeline, in: $0) }
  }

  static func pendingWork(of pipeline: String, in database: Database) throws -> PendingWork {
    var work = PendingWork()
    if let row = try Row.fetchOne(
      database.cachedStatement(sql: LedgerQueries.counters), arguments: [pipeline])
    {
      (work.revision, work.decisions) = (row[0], row[1])
    }
    for row in try Row.fetchAll(
      database.cachedStatement(sql: LedgerQueries.pendingShipments), arguments: [pipeline])
    {
      work.vendors[row[0]] = VendorWork(unsent: row[1], outstanding: row[2], newestShipment: row[3] ?? 0)
    }
    for row in try Row.fetchAll(database.cachedStatement(sql: LedgerQueries.pendingNotices), arguments: [pipeline]) {
      work.vendors[row[0], default: VendorWork()].toNotify = row[1]
      work.vendors[row[0], default: VendorWork()].newestNotice = row[2]
    }
    for row in try Row.fetchAll(database.cachedStatement(sql: LedgerQueries.planned), arguments: [pipeline]) {
      work.planned[row[0]] = DeliveryID(rawValue: row[1])
    }
    return work
  }

  /// Returns the tip of the newest delivery for each watched branch, in any state.
  static func lastTips(of pipeline: String, in database: Database) throws -> [String: CommitID] {
    var tips: [String: CommitID] = [:]
    for row in try Row.fetchAll(database.cachedStatement(sql: LedgerQueries.lastDeliveries), arguments: [pipeline]) {
      let commits = (row[2] as String).split(separator: " ")
      tips[row[0]] = CommitID(rawValue: commits.last.map(String.init) ?? row[1])
    }
    return tips
  }
}
