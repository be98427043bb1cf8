import FoundationEssentials
internal import GRDB
package import Localization
package import Pipeline

extension SQLiteStore {
  package func record(_ changes: [LedgerChange], of pipeline: String) async throws { try recordNow(changes, pipeline) }

  private func recordNow(_ changes: [LedgerChange], _ pipeline: String) throws {
    try write("change ledger") { try LedgerWriter(database: $0, pipeline: pipeline).apply(changes) }
  }

  package func lastCompared(of pipeline: String, branch: String, except commit: CommitID) async throws -> CommitID? {
    try read("read runs") { database in
      try String.fetchOne(
        database,
        sql: """
          SELECT r.commit_id FROM job j JOIN run r ON r.id = j.run_id
          WHERE r.pipeline = ? AND j.stage = 'diff' AND j.state = 'succeeded' AND r.commit_id <> ?
          ORDER BY r.branch = ? DESC, j.id DESC LIMIT 1
          """,
        arguments: [pipeline, commit.rawValue, branch]
      ).map(CommitID.init(rawValue:))
    }
  }

  package func units(of round: RoundID) async throws -> [RoundUnit] {
    try read("read round") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT DISTINCT o.catalog, o.key, o.pin, o.commit_id, o.brought_commit, o.brought_author, o.brought_seconds
          FROM consignment c JOIN source o ON o.id = c.source_id WHERE c.round_id = ? ORDER BY o.catalog, o.key, o.pin
          """,
        arguments: [round.rawValue]
      ).map { row in
        let commit: String? = row[4]
        return RoundUnit(
          source: UnitSource(
            unit: UnitID(catalog: TreePath(trusted: row[0]), key: UnitKey(row[1])), pin: PinDigest(rawValue: row[2])),
          provenance: commit.map {
            Provenance(commit: CommitID(rawValue: $0), author: row[5] ?? "", seconds: row[6] ?? 0)
          },
          sentFrom: CommitID(rawValue: row[3]))
      }
    }
  }

  package func sentLedger(of pipeline: String, includingReturned: Bool) async throws -> SentLedger {
    try read("read ledger") { database in
      var ledger = SentLedger()
      let sources = try Row.fetchCursor(
        database, sql: "SELECT id, catalog, key, pin, commit_id FROM source WHERE pipeline = ?", arguments: [pipeline])
      while let row = try sources.next() {
        ledger.sources.append(
          SourceRecord(
            id: SourceID(rawValue: row[0]),
            unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(row[2])), pin: PinDigest(rawValue: row[3]),
            commit: CommitID(rawValue: row[4])))
      }
      let units = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, source_id, vendor, language, state FROM consignment WHERE pipeline = ? AND state = 'outstanding'
          UNION ALL
          SELECT c.id, source_id, vendor, language, state FROM consignment c JOIN round r ON r.id = c.round_id
            WHERE c.pipeline = ? AND state = 'withdrawn' AND r.cancelled
          UNION ALL
          SELECT id, source_id, vendor, language, state FROM consignment
            WHERE ? AND pipeline = ? AND state = 'returned'
          """,
        arguments: [pipeline, pipeline, includingReturned, pipeline])
      while let row = try units.next() {
        ledger.units.append(
          SentUnit(
            id: SentUnitID(rawValue: row[0]), source: SourceID(rawValue: row[1]), vendor: row[2],
            language: LocaleIdentifier(row[3]), state: try state(row[4])))
      }
      return ledger
    }
  }

  private func state(_ text: String) throws -> SentUnitState {
    guard let state = SentUnitState(rawValue: text) else { throw damaged("a consignment has an unknown state") }
    return state
  }

  package func returns(of pipeline: String, for sources: [SourceID]) async throws -> [ReturnRecord] {
    let list = "[" + sources.map { String($0.rawValue) }.joined(separator: ",") + "]"
    return try read("read returns") { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT a.id, a.source_id, a.language, p.branch, p.state, p.translation FROM arrival a
          LEFT JOIN placement p ON p.arrival_id = a.id
          WHERE a.source_id IN (SELECT value FROM json_each(?)) AND a.pipeline = ? ORDER BY a.id
          """,
        arguments: [list, pipeline])
      var order: [Int64] = []
      var records: [Int64: ReturnRecord] = [:]
      while let row = try rows.next() {
        let id: Int64 = row[0]
        if records[id] == nil {
          order.append(id)
          records[id] = ReturnRecord(
            source: SourceID(rawValue: row[1]), language: LocaleIdentifier(row[2]), outcomes: [:])
        }
        guard let branch: String = row[3], let state = BranchOutcome.State(rawValue: row[4] ?? "") else { continue }
        records[id]?.outcomes[branch] = ReturnRecord.Standing(state: state, translation: row[5])
      }
      return order.compactMap { records[$0] }
    }
  }

  package func unsentShipments(of pipeline: String, vendor: String) async throws -> [ShipmentRecord] {
    try read("read shipments") { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT s.id, r.number, s.language, s.source_language FROM shipment s JOIN round r ON r.id = s.round_id
          WHERE s.pipeline = ? AND s.vendor = ? AND s.receipt IS NULL
            AND EXISTS (SELECT 1 FROM consignment c WHERE c.shipment_id = s.id AND c.state = 'outstanding')
          ORDER BY r.number, s.language
          """,
        arguments: [pipeline, vendor])
      return try rows.map { row in
        let units = try Row.fetchAll(
          database,
          sql: """
            SELECT o.catalog, o.key, c.commit_id FROM consignment c JOIN source o ON o.id = c.source_id
            WHERE c.shipment_id = ? AND c.state = 'outstanding' ORDER BY c.id
            """,
          arguments: [row[0] as Int64]
        ).map {
          (
            unit: UnitID(catalog: TreePath(trusted: $0[0]), key: UnitKey($0[1])), commit: CommitID(rawValue: $0[2])
          )
        }
        return ShipmentRecord(
          id: ShipmentID(rawValue: row[0]), round: row[1], vendor: vendor, language: LocaleIdentifier(row[2]),
          sourceLanguage: LocaleIdentifier(row[3]), units: units)
      }
    }
  }

  package func withdrawalNotices(of pipeline: String, vendor: String) async throws -> [WithdrawalNotice] {
    try read("read withdrawals") { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT s.id, s.receipt, s.language, c.id, o.catalog, o.key FROM consignment c
          JOIN shipment s ON s.id = c.shipment_id JOIN source o ON o.id = c.source_id
          WHERE c.pipeline = ? AND c.vendor = ? AND c.state IN ('withdrawn', 'superseded') AND NOT c.notified
            AND s.receipt IS NOT NULL ORDER BY s.id, c.id
          """,
        arguments: [pipeline, vendor])
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
    of pipeline: String, vendor: String, language: LocaleIdentifier
  ) async throws -> [SentUnitRecord] {
    try read("read consignments") { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT c.id, c.source_id, o.catalog, o.key, c.state, o.forms, o.canonical, c.baseline FROM consignment c
          JOIN source o ON o.id = c.source_id WHERE c.pipeline = ? AND c.vendor = ? AND c.language = ? ORDER BY c.id
          """,
        arguments: [pipeline, vendor, language.rawValue])
      var records: [SentUnitRecord] = []
      while let row = try rows.next() {
        let forms: Data? = row[5]
        let baseline: Data? = row[7]
        records.append(
          SentUnitRecord(
            id: SentUnitID(rawValue: row[0]), source: SourceID(rawValue: row[1]),
            unit: UnitID(catalog: TreePath(trusted: row[2]), key: UnitKey(row[3])), state: try state(row[4]),
            forms: try forms.map { try Translation(encoded: Array($0)) },
            export: ExportRecord(
              pin: SourcePin(canonical: row[6]), translation: try baseline.map { try Translation(encoded: Array($0)) }))
        )
      }
      return records
    }
  }

  package func outstanding(of pipeline: String, vendor: String) async throws -> Int {
    try read("read books") { database in
      try Int.fetchOne(
        database,
        sql: """
          SELECT coalesce(sum(outstanding), 0) FROM books b JOIN round r ON r.id = b.round_id
          WHERE r.pipeline = ? AND vendor = ?
          """,
        arguments: [pipeline, vendor]) ?? 0
    }
  }

  package func bundle(of pipeline: String, vendor: String, digest: String) async throws -> BundleRecord? {
    try read("read bundle") { database in
      try Row.fetchOne(
        database, sql: "SELECT review, acknowledged FROM bundle WHERE pipeline = ? AND vendor = ? AND digest = ?",
        arguments: [pipeline, vendor, digest]
      ).map { BundleRecord(review: $0[0], isAcknowledged: $0[1]) }
    }
  }

  package func lastReturnedUnit(of pipeline: String) async throws -> Int64 {
    try read("read arrivals") { database in
      try Int64.fetchOne(
        database, sql: "SELECT coalesce(max(id), 0) FROM arrival WHERE pipeline = ?", arguments: [pipeline]) ?? 0
    }
  }

  package func renames(of pipeline: String) async throws -> [TreePath: TreePath] {
    try read("read renames") { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT old, new FROM rename WHERE pipeline = ?", arguments: [pipeline])
      return Dictionary(
        rows.map { (TreePath(trusted: $0[0]), TreePath(trusted: $0[1])) }, uniquingKeysWith: { first, _ in first })
    }
  }
}
