import FoundationEssentials
package import Pipeline

/// Queries for the pending work of a pipeline.
extension SQLLedger {
  package func pendingWork(of pipeline: String) async throws -> PendingWork {
    try await read("find open work") { try Self.pendingWork(of: pipeline, in: $0) }
  }

  static func pendingWork(of pipeline: String, in transaction: any SQLTransaction) throws -> PendingWork {
    var work = PendingWork()
    if let row = try transaction.first(LedgerQueries.counters, [pipeline]) {
      (work.revision, work.decisions) = (row[0], row[1])
    }
    for row in try transaction.rows(LedgerQueries.pendingShipments, [pipeline]) {
      work.vendors[row[0]] = VendorWork(unsent: row[1], outstanding: row[2], newestShipment: row[3] ?? 0)
    }
    for row in try transaction.rows(LedgerQueries.pendingNotices, [pipeline]) {
      work.vendors[row[0], default: VendorWork()].toNotify = row[1]
      work.vendors[row[0], default: VendorWork()].newestNotice = row[2]
    }
    for row in try transaction.rows(LedgerQueries.planned, [pipeline]) {
      work.planned[row[0]] = DeliveryID(rawValue: row[1])
    }
    return work
  }

  /// Returns, for each branch with deliveries, the last commit of the newest delivery in any state; the base if this delivery has no commits.
  static func lastTips(of pipeline: String, in transaction: any SQLTransaction) throws -> [String: CommitID] {
    var tips: [String: CommitID] = [:]
    for row in try transaction.rows(LedgerQueries.lastDeliveries, [pipeline]) {
      let commits = (row[2] as String).split(separator: " ")
      tips[row[0]] = CommitID(rawValue: commits.last.map(String.init) ?? row[1])
    }
    return tips
  }
}
