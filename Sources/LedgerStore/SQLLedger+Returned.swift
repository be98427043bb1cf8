package import FoundationEssentials
package import Localization
package import Pipeline

/// Queries for returned units and for former heads. They are needed to ask vendors for corrections, and to find out from which commit a returned unit
/// was sent.
extension SQLLedger {
  package func returnedShipments(
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [ReturnedShipment] {
    try await read("read returned shipments") { transaction in
      var found: [ReturnedShipment] = []
      try transaction.forEach(LedgerQueries.returnedShipments, [pipeline, vendor, language.rawValue]) { row in
        let id = ShipmentID(rawValue: row[0])
        if found.last?.record.id != id {
          let record = ShipmentRecord(
            id: id, round: row[1], vendor: vendor, language: language, sourceLanguage: LocaleIdentifier(row[2]),
            units: [], isWanted: false)
          let receipt = try JSONDecoder().decode(ShipmentReceipt.self, from: Data((row[3] as String).utf8))
          found.append(ReturnedShipment(record: record, receipt: receipt))
        }
        let place = found.count - 1
        found[place].sentUnits.append(SentUnitID(rawValue: row[4]))
        found[place].record.units.append(Self.unit(row, at: 5))
      }
      return found
    }
  }

  package func head(
    of pipeline: String, branch: String, whenSending commit: CommitID, at instant: Date
  ) async throws -> CommitID? {
    try await read("read former heads") { transaction in
      try transaction.value(
        String.self, LedgerQueries.headWhenSending,
        [pipeline, branch, commit.rawValue, instant.timeIntervalSince1970]
      ).map(CommitID.init(rawValue:))
    }
  }

  package func newestReturns(
    of pipeline: String, for sentUnits: [SentUnitID]
  ) async throws -> [SentUnitID: [ExchangeUnit]] {
    let list = SQLValue.integers(sentUnits.map(\.rawValue))
    return try await read("read returns") { transaction in
      var found: [SentUnitID: [ExchangeUnit]] = [:]
      try transaction.forEach(LedgerQueries.newestReturns, [list, pipeline]) { row in
        found[SentUnitID(rawValue: row[0])] = try LedgerCoding.decodeUnits(row[1])
      }
      return found
    }
  }
}
