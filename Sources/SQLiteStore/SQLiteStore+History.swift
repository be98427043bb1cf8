import FoundationEssentials
internal import GRDB
package import Localization
package import Pipeline

/// The life of single strings.
extension SQLiteStore {
  package func histories(
    of key: UnitKey, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    try await read("read a string's history") { database in
      let isWanted = { (language: LocaleIdentifier) in languages.isEmpty || languages.contains(language) }
      var returned = try Self.returned(of: key, in: pipeline, database).filter { isWanted($0.returned.language) }
      var histories: [HistoryPlace: UnitHistory] = [:]
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT id, pipeline, catalog, forms, commit_id, author, brought_commit, brought_author, brought_seconds
          FROM source WHERE key = ?1 AND \(Self.chosen(pipeline, in: "source")) ORDER BY id
          """, arguments: [key.text, pipeline])
      for row in rows {
        let id: Int64 = row[0]
        let place = HistoryPlace(pipeline: row[1], catalog: row[2])
        let commit: String? = row[6]
        var version = UnitHistory.Version(
          text: try LedgerRows.translation(row[3]).map(Self.text) ?? key.text, commit: CommitID(rawValue: row[4]),
          author: row[5],
          provenance: commit.map {
            Provenance(commit: CommitID(rawValue: $0), author: row[7] ?? "", seconds: row[8] ?? 0)
          })
        version.sent = try Self.sent(of: id, database).filter { isWanted($0.language) }
        version.returned = returned.filter { $0.source == id }.map(\.returned)
        returned.removeAll { $0.source == id }
        histories[place, default: place.history(of: key)].versions.append(version)
      }
      for answer in returned {
        histories[answer.place, default: answer.place.history(of: key)].unmatched.append(answer.returned)
      }
      return histories.values.sorted { ($0.pipeline, $0.unit.catalog) < ($1.pipeline, $1.unit.catalog) }
    }
  }

  package func someKeys(of pipeline: String?, limit: Int) async throws -> [String] {
    try await read("read keys") { database in
      try String.fetchAll(
        database, sql: "SELECT DISTINCT key FROM source WHERE ?1 IS NULL OR pipeline = ?1 LIMIT ?2",
        arguments: [pipeline, limit])
    }
  }

  /// A condition on the pipeline. The indices begin with the pipeline, so without one they are searched for each.
  private static func chosen(_ pipeline: String?, in table: String) -> String {
    let every = "?2 IS NULL AND \(table).pipeline IN (SELECT name FROM pipeline UNION SELECT pipeline FROM round)"
    return pipeline == nil ? every : "\(table).pipeline = ?2"
  }

  private struct HistoryPlace: Hashable {
    var pipeline: String
    var catalog: String

    func history(of key: UnitKey) -> UnitHistory {
      UnitHistory(pipeline: pipeline, unit: UnitID(catalog: TreePath(trusted: catalog), key: key))
    }
  }

  private static func sent(of source: Int64, _ database: Database) throws -> [UnitHistory.Sent] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT n.number, u.vendor, u.language, u.state, h.sent_at FROM sent_unit AS u
        JOIN round AS n ON n.id = u.round_id JOIN shipment AS h ON h.id = u.shipment_id
        WHERE u.source_id = ? ORDER BY u.id
        """, arguments: [source]
    ).map { row in
      let time: Double? = row[4]
      return UnitHistory.Sent(
        round: row[0], vendor: row[1], language: LocaleIdentifier(row[2]), state: try LedgerRows.state(row[3]),
        time: time.map { JobRows.date($0) })
    }
  }

  private static func returned(
    of key: UnitKey, in pipeline: String?, _ database: Database
  ) throws -> [(source: Int64?, place: HistoryPlace, returned: UnitHistory.Returned)] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT r.id, r.pipeline, r.catalog, r.language, r.units, r.source_id, b.vendor, b.reference, b.received
        FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id
        WHERE r.key = ?1 AND \(chosen(pipeline, in: "r")) ORDER BY r.id
        """, arguments: [key.text, pipeline]
    ).map { row in
      let returned = UnitHistory.Returned(
        vendor: row[6], language: LocaleIdentifier(row[3]), bundle: row[7], received: JobRows.date(row[8]),
        text: LedgerRows.text(of: try LedgerCoding.decodeUnits(row[4])), outcomes: try outcomes(of: row[0], database))
      return (row[5], HistoryPlace(pipeline: row[1], catalog: row[2]), returned)
    }
  }

  private static func outcomes(of returnedUnit: Int64, _ database: Database) throws -> [UnitHistory.Outcome] {
    try Row.fetchAll(
      database,
      sql: """
        SELECT o.branch, o.state, o.reason, d.target, d.base, d.commits, d.state, d.created FROM branch_outcome AS o
        LEFT JOIN delivery AS d ON d.id = o.delivery_id WHERE o.returned_unit_id = ? ORDER BY o.branch
        """, arguments: [returnedUnit]
    ).map { row in
      guard let state = BranchOutcome.State(rawValue: row[1]) else {
        throw damaged("a branch outcome has an unknown state")
      }
      var carrier: UnitHistory.Carrier?
      if let target: String = row[3], let deliveryState = Delivery.State(rawValue: row[6] ?? "") {
        carrier = UnitHistory.Carrier(
          target: target, commit: LedgerRows.commits(row[5]).last ?? CommitID(rawValue: row[4]), state: deliveryState,
          created: JobRows.date(row[7]))
      }
      return UnitHistory.Outcome(branch: row[0], state: state, reason: LedgerRows.reason(row[2]), delivery: carrier)
    }
  }

  static func text(of translation: Translation) -> String {
    translation.leaves.flatMap { _, leaf in
      switch leaf.words {
      case .text(let text): [text]
      case .phrases(let phrases): phrases
      }
    }.joined(separator: "\n")
  }
}
