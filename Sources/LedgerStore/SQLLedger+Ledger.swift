import FoundationEssentials
package import Localization
package import Pipeline

/// Functions that record changes in the ledger, and read shipments, sent units and related data.
extension SQLLedger {
  package func record(_ changes: [LedgerChange], of pipeline: String) async throws {
    try await write("change ledger", of: pipeline) {
      try LedgerWriter(transaction: $0, pipeline: pipeline).apply(changes)
    }
  }

  package func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID? {
    try await read("read runs") { transaction in
      try transaction.value(
        String.self, LedgerQueries.lastCompared, [pipeline, commit.rawValue, branch]
      ).map(CommitID.init(rawValue:))
    }
  }

  package func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger {
    try await read("read ledger") { transaction in
      var ledger = SentLedger()
      try transaction.forEach("SELECT id, catalog, key, pin, commit_id FROM source WHERE pipeline = ?", [pipeline]) {
        row in
        ledger.sources.append(
          SourceRecord(
            id: SourceID(rawValue: row[0]),
            unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(row[2])), pin: PinDigest(rawValue: row[3]),
            commit: CommitID(rawValue: row[4])))
      }
      try transaction.forEach(LedgerQueries.sentLedgerUnits, [pipeline, includingReturned]) { row in
        ledger.units.append(
          SentUnit(
            id: SentUnitID(rawValue: row[0]), source: SourceID(rawValue: row[1]), vendor: row[2],
            language: LocaleIdentifier(row[3]), state: try LedgerRows.state(row[4]), isRefused: row[5]))
      }
      return ledger
    }
  }

  package func outdatedTranslations(of pipeline: String) async throws -> Set<OutdatedTranslation> {
    try await read("read outdated translations") { transaction in
      var found: Set<OutdatedTranslation> = []
      try transaction.forEach(
        "SELECT catalog, key, pin, origin, language, translation FROM outdated WHERE pipeline = ?", [pipeline]
      ) { row in
        found.insert(
          OutdatedTranslation(
            unit: UnitID(catalog: TreePath(trusted: row[0]), key: UnitKey(row[1])), pin: PinDigest(rawValue: row[2]),
            origin: PinDigest(rawValue: row[3]), language: LocaleIdentifier(row[4]), translation: row[5]))
      }
      return found
    }
  }

  package func proposedContent(of pipeline: String, target: String) async throws -> ProposedContent? {
    try await read("read the content of a pull request") { transaction in
      let rows = try transaction.rows(
        "SELECT mark, parts FROM proposal WHERE pipeline = ? AND target = ?", [pipeline, target])
      return try rows.first.map { row in try ProposedContent(mark: row[0], stored: row[1]) }
    }
  }

  package func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord] {
    try await read("read shipments") { transaction in
      let rows = try transaction.rows(LedgerQueries.unsentShipments, [pipeline, vendor])
      return try rows.map { try Self.shipment($0, of: vendor, in: transaction) }
    }
  }

  package func outstandingShipments(
    of pipeline: String, vendor: String
  ) async throws -> [(record: ShipmentRecord, receipt: ShipmentReceipt)] {
    try await read("read outstanding shipments") { transaction in
      let rows = try transaction.rows(LedgerQueries.outstandingShipments, [pipeline, vendor])
      return try rows.map { row in
        let receipt = try JSONDecoder().decode(ShipmentReceipt.self, from: Data((row[4] as String).utf8))
        return (try Self.shipment(row, of: vendor, in: transaction), receipt)
      }
    }
  }

  package func variants(of pipeline: String, vendor: String) async throws -> [UnitVariant] {
    try await read("read variants") { transaction in
      try transaction.rows(LedgerQueries.variants, [pipeline, vendor]).flatMap { row in
        try JSONDecoder().decode(ShipmentReceipt.self, from: Data((row[0] as String).utf8)).variants ?? []
      }
    }
  }

  package func heldShipments(of pipeline: String, vendor: String) async throws -> [HeldShipment] {
    try await read("read held units") { transaction in
      var found: [HeldShipment] = []
      var last: Int64?
      for row in try transaction.rows(LedgerQueries.heldShipments, [pipeline, vendor]) {
        let id = ShipmentID(rawValue: row[0])
        if found.last?.record.id != id {
          last = nil
          let record = ShipmentRecord(
            id: id, round: row[1], vendor: vendor, language: LocaleIdentifier(row[2]),
            sourceLanguage: LocaleIdentifier(row[3]), units: [])
          let receipt = try JSONDecoder().decode(ShipmentReceipt.self, from: Data((row[4] as String).utf8))
          found.append(HeldShipment(record: record, receipt: receipt))
        }
        let place = found.count - 1
        let unit: Int64 = row[5]
        if last != unit {
          last = unit
          found[place].record.units.append(Self.unit(row, at: 6))
          found[place].reasons.append([])
        }
        if let reason = LedgerRows.reason(row[10]) {
          found[place].reasons[found[place].reasons.count - 1].append(reason)
        }
      }
      return found
    }
  }

  /// Returns a shipment with its outstanding units; if none is outstanding, with all its units.
  private static func shipment(_ row: SQLRow, of vendor: String, in transaction: any SQLTransaction) throws
    -> ShipmentRecord
  {
    let units = try transaction.rows(LedgerQueries.unitsOfShipment, [row[0] as Int64])
    let isWanted = units.contains { $0[4] as String == "outstanding" }
    return ShipmentRecord(
      id: ShipmentID(rawValue: row[0]), round: row[1], vendor: vendor, language: LocaleIdentifier(row[2]),
      sourceLanguage: LocaleIdentifier(row[3]),
      units: units.filter { !isWanted || $0[4] as String == "outstanding" }.map { Self.unit($0, at: 0) },
      isWanted: isWanted)
  }

  /// Reads a unit of a shipment from a row.
  /// - Parameter column: the number of the column with the catalog. The key, the pin and the commit are in the next columns.
  static func unit(_ row: SQLRow, at column: Int) -> (unit: UnitID, pin: PinDigest, commit: CommitID) {
    (
      UnitID(catalog: TreePath(trusted: row[column]), key: UnitKey(row[column + 1])),
      PinDigest(rawValue: row[column + 2]), CommitID(rawValue: row[column + 3])
    )
  }

  package func returnedUnits(
    of pipeline: String, vendor: String, retired: Bool
  ) async throws -> [UnitID: [SentUnitID]] {
    try await read("read returned units") { transaction in
      var units: [UnitID: [SentUnitID]] = [:]
      try transaction.forEach(LedgerQueries.answeredUnits, [pipeline, vendor, retired ? 1 : 0]) { row in
        let unit = UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(row[2]))
        units[unit, default: []].append(SentUnitID(rawValue: row[0]))
      }
      return units
    }
  }

  package func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice] {
    try await read("read withdrawals") { transaction in
      let rows = try transaction.rows(LedgerQueries.withdrawalNotices, [pipeline, vendor])
      var notices: [WithdrawalNotice] = []
      var last: Int64?
      for row in rows {
        if last != row[0] {
          last = row[0]
          let receipt = try JSONDecoder().decode(ShipmentReceipt.self, from: Data((row[1] as String).utf8))
          notices.append(WithdrawalNotice(receipt: receipt, language: LocaleIdentifier(row[2]), units: []))
        }
        let unit = UnitID(catalog: TreePath(trusted: row[4]), key: UnitKey(row[5]))
        notices[notices.count - 1].units.append((id: SentUnitID(rawValue: row[3]), unit: unit))
      }
      return notices
    }
  }

  package func sentUnits(
    of pipeline: String, vendor: String, language: LocaleIdentifier, keys: Set<UnitKey>
  ) async throws -> [SentUnitRecord] {
    guard !keys.isEmpty else { return [] }
    return try await read("read sent units") { transaction in
      let wanted = SQLValue.texts(keys.map(\.text))
      var records: [SentUnitRecord] = []
      try transaction.forEach(LedgerQueries.sentUnits, [wanted, pipeline, language.rawValue, vendor]) { row in
        records.append(
          SentUnitRecord(
            id: SentUnitID(rawValue: row[0]), source: SourceID(rawValue: row[1]),
            unit: UnitID(catalog: TreePath(trusted: row[2]), key: UnitKey(row[3])),
            sentCatalog: TreePath(trusted: row[8]), state: try LedgerRows.state(row[4]),
            isRefused: row[9], forms: try LedgerRows.translation(row[5]),
            export: ExportRecord(
              pin: SourcePin(canonical: row[6]), translation: try LedgerRows.translation(row[7]))))
      }
      return records
    }
  }

  package func outstandingLanguages(of pipeline: String) async throws -> Set<LocaleIdentifier> {
    try await read("read books") { transaction in
      Set(
        try transaction.values(String.self, LedgerQueries.outstandingLanguages, [pipeline])
          .map(LocaleIdentifier.init(_:)))
    }
  }

  package func renames(of pipeline: String) async throws -> [TreePath: TreePath] {
    try await read("read renames") { transaction in
      let rows = try transaction.rows("SELECT old, new FROM rename WHERE pipeline = ?", [pipeline])
      return Dictionary(
        rows.map { (TreePath(trusted: $0[0]), TreePath(trusted: $0[1])) }, uniquingKeysWith: { first, _ in first })
    }
  }
}
