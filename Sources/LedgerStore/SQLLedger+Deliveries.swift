package import FoundationEssentials
package import Localization
package import Pipeline

/// Queries for returned bundles and units, and for deliveries to the repository.
extension SQLLedger {
  package func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord? {
    try await read("read bundle") { transaction in
      try transaction.first(
        "SELECT review, acknowledged FROM bundle WHERE pipeline = ? AND vendor = ? AND digest = ?",
        [pipeline, vendor, digest]
      ).map { BundleRecord(review: $0[0], isAcknowledged: $0[1]) }
    }
  }

  package func lastReturnedUnit(of pipeline: String) async throws -> Int64 {
    try await read("read returned units") { transaction in
      try transaction.value(Int64.self, "SELECT coalesce(max(id), 0) FROM returned_unit WHERE pipeline = ?", [pipeline])
        ?? 0
    }
  }

  package func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit] {
    try await read("read returned units") { transaction in
      var units: [ReturnedUnit] = []
      try transaction.forEach(LedgerQueries.returnedUnits, [branch, pipeline]) { row in
        units.append(try LedgerRows.returnedUnit(row))
      }
      return units
    }
  }

  package func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord] {
    let list = SQLValue.integers(sources.map(\.rawValue))
    return try await read("read returns") { transaction in
      var records: [ReturnRecord] = []
      try transaction.forEach(LedgerQueries.returns, [list, pipeline]) { row in
        let id = ReturnedUnitID(rawValue: row[0])
        if records.last?.id != id {
          records.append(
            ReturnRecord(
              id: id, source: SourceID(rawValue: row[1]), language: LocaleIdentifier(row[2]), vendor: row[7],
              outcomes: [:]))
        }
        guard let branch: String = row[3], let state = BranchOutcome.State(rawValue: row[4] ?? "") else { return }
        let reason = LedgerRows.reason(row[6])
        records[records.count - 1].outcomes[branch] = ReturnRecord.Standing(
          state: state, translation: row[5], isUnfinished: reason?.answersNothing ?? false,
          isRemoved: reason?.removal != nil,
          isOfGoneString: state == .passedOver && reason?.saysStringIsGone == true)
      }
      return records
    }
  }

  package func earlierReturns(of pipeline: String, for sources: [SourceID]) async throws -> [EarlierReturn] {
    let list = SQLValue.integers(sources.map(\.rawValue))
    return try await read("read returns") { transaction in
      try transaction.rows(LedgerQueries.earlierReturns, [list, pipeline]).map { row in
        EarlierReturn(
          id: ReturnedUnitID(rawValue: row[0]), source: SourceID(rawValue: row[1]), language: LocaleIdentifier(row[2]),
          vendor: row[4], units: try LedgerCoding.decodeUnits(row[3]),
          isEdited: (row[5] as String).hasPrefix(NewBundle.editedBy))
      }
    }
  }

  package func takenReturns(
    of pipeline: String, in languages: Set<LocaleIdentifier>
  ) async throws -> [TakenReturn] {
    try await read("read translations") { transaction in
      var returns: [TakenReturn] = []
      try transaction.forEach(LedgerQueries.takenReturns, [pipeline]) { row in
        let language = LocaleIdentifier(row[2])
        guard languages.contains(language) else { return }
        returns.append(
          TakenReturn(
            unit: UnitID(catalog: TreePath(trusted: row[0]), key: UnitKey(row[1])), language: language,
            units: try LedgerCoding.decodeUnits(row[3])))
      }
      return returns
    }
  }

  package func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery] {
    try await read("read deliveries") { transaction in
      try transaction.rows(LedgerQueries.openDeliveries, [pipeline, branch])
        .map(LedgerRows.delivery)
    }
  }

  package func deliveryTargets(of pipeline: String, branch: String) async throws -> [String] {
    try await read("read delivery branches") { transaction in
      try transaction.rows(LedgerQueries.deliveryTargets, [pipeline, branch]).map { $0[0] }
    }
  }

  package func ownCommits(of pipeline: String, target: String) async throws -> Set<CommitID> {
    try await read("read deliveries") { transaction in
      var commits: Set<CommitID> = []
      try transaction.forEach(LedgerQueries.ownCommits, [pipeline, target]) {
        commits.formUnion(LedgerRows.commits($0[0]))
      }
      return commits
    }
  }

  package func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try await read("read deliveries") { transaction in
      try transaction.rows(
        "SELECT * FROM delivery WHERE pipeline = ? AND created >= ? ORDER BY id",
        [pipeline, since.timeIntervalSince1970]
      ).map(LedgerRows.delivery)
    }
  }
}
