package import FoundationEssentials
internal import GRDB
import Localization
package import Pipeline

/// Returned units, and their deliveries to the repository.
extension SQLiteStore: Store {
  package func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord? {
    try await read("read bundle") { database in
      try Row.fetchOne(
        database, sql: "SELECT review, acknowledged FROM bundle WHERE pipeline = ? AND vendor = ? AND digest = ?",
        arguments: [pipeline, vendor, digest]
      ).map { BundleRecord(review: $0[0], isAcknowledged: $0[1]) }
    }
  }

  package func lastReturnedUnit(of pipeline: String) async throws -> Int64 {
    try await read("read returned units") { database in
      try Int64.fetchOne(
        database, sql: "SELECT coalesce(max(id), 0) FROM returned_unit WHERE pipeline = ?", arguments: [pipeline]) ?? 0
    }
  }

  package func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit] {
    try await read("read returned units") { database in
      let rows = try Row.fetchCursor(database, sql: LedgerQueries.returnedUnits, arguments: [branch, pipeline])
      var units: [ReturnedUnit] = []
      while let row = try rows.next() { units.append(try LedgerRows.returnedUnit(row)) }
      return units
    }
  }

  package func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord] {
    let list = "[" + sources.map { String($0.rawValue) }.joined(separator: ",") + "]"
    return try await read("read returns") { database in
      let rows = try Row.fetchCursor(database, sql: LedgerQueries.returns, arguments: [list, pipeline])
      var records: [ReturnRecord] = []
      while let row = try rows.next() {
        let id = ReturnedUnitID(rawValue: row[0])
        if records.last?.id != id {
          records.append(
            ReturnRecord(
              id: id, source: SourceID(rawValue: row[1]), language: LocaleIdentifier(row[2]), outcomes: [:]))
        }
        guard let branch: String = row[3], let state = BranchOutcome.State(rawValue: row[4] ?? "") else { continue }
        records[records.count - 1].outcomes[branch] = ReturnRecord.Standing(
          state: state, translation: row[5], isUnfinished: LedgerRows.reason(row[6])?.answersNothing ?? false)
      }
      return records
    }
  }

  package func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery] {
    try await read("read deliveries") { database in
      try Row.fetchAll(database, sql: LedgerQueries.openDeliveries, arguments: [pipeline, branch])
        .map(LedgerRows.delivery)
    }
  }

  package func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID> {
    try await read("read deliveries") { database in
      var commits: Set<CommitID> = []
      let rows = try String.fetchCursor(database, sql: LedgerQueries.ownCommits, arguments: [pipeline, target])
      while let text = try rows.next() { commits.formUnion(LedgerRows.commits(text)) }
      return commits
    }
  }

  package func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try await read("read deliveries") { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM delivery WHERE pipeline = ? AND created >= ? ORDER BY id",
        arguments: [pipeline, since.timeIntervalSince1970]
      ).map(LedgerRows.delivery)
    }
  }
}
