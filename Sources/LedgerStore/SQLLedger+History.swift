import FoundationEssentials
package import Localization
package import Pipeline

/// Queries for the history of individual strings.
extension SQLLedger {
  package func histories(
    of key: UnitKey, in pipeline: String?, languages: Set<LocaleIdentifier>
  ) async throws -> [UnitHistory] {
    try await read("read a string's history") { transaction in
      let isWanted = { (language: LocaleIdentifier) in languages.isEmpty || languages.contains(language) }
      var returned = try Self.returned(of: key, in: pipeline, transaction).filter { isWanted($0.returned.language) }
      var histories: [HistoryPlace: UnitHistory] = [:]
      let rows = try transaction.rows(
        """
        SELECT id, pipeline, catalog, forms, commit_id, author, brought_commit, brought_author, brought_seconds
        FROM source WHERE key = ?1 AND \(chosen(pipeline, in: "source")) ORDER BY id
        """, [key.text, pipeline])
      for row in rows {
        let id: Int64 = row[0]
        let place = HistoryPlace(pipeline: row[1], catalog: row[2])
        let commit: String? = row[6]
        var version = UnitHistory.Version(
          text: try LedgerRows.translation(row[3]).map(\.allText) ?? key.text, commit: CommitID(rawValue: row[4]),
          author: row[5],
          provenance: commit.map {
            Provenance(commit: CommitID(rawValue: $0), author: row[7] ?? "", seconds: row[8] ?? 0)
          })
        version.sent = try Self.sent(of: id, transaction).filter { isWanted($0.language) }
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
    try await read("read keys") { transaction in
      try transaction.values(
        String.self, "SELECT DISTINCT key FROM source WHERE pipeline = ?1 OR ?1 IS NULL LIMIT ?2", [pipeline, limit])
    }
  }

  private static func sent(of source: Int64, _ transaction: any SQLTransaction) throws -> [UnitHistory.Sent] {
    try transaction.rows(
      """
      SELECT n.number, u.vendor, u.language, u.state, h.sent_at, u.refusal FROM sent_unit AS u
      JOIN round AS n ON n.id = u.round_id JOIN shipment AS h ON h.id = u.shipment_id
      WHERE u.source_id = ? ORDER BY u.id
      """, [source]
    ).map { row in
      let time: Double? = row[4]
      return UnitHistory.Sent(
        round: row[0], vendor: row[1], language: LocaleIdentifier(row[2]), state: try LedgerRows.state(row[3]),
        time: time.map { JobRows.date($0) }, refusal: row[5])
    }
  }

  private static func returned(
    of key: UnitKey, in pipeline: String?, _ transaction: any SQLTransaction
  ) throws -> [(source: Int64?, place: HistoryPlace, returned: UnitHistory.Returned)] {
    try transaction.rows(
      """
      SELECT r.id, r.pipeline, r.catalog, r.language, r.units, r.source_id, b.vendor, b.reference, b.received
      FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id
      WHERE r.key = ?1 AND \(chosen(pipeline, in: "r")) ORDER BY r.id
      """, [key.text, pipeline]
    ).map { row in
      let returned = UnitHistory.Returned(
        vendor: row[6], language: LocaleIdentifier(row[3]), bundle: row[7], received: JobRows.date(row[8]),
        text: LedgerRows.text(of: try LedgerCoding.decodeUnits(row[4])), outcomes: try outcomes(of: row[0], transaction)
      )
      return (row[5], HistoryPlace(pipeline: row[1], catalog: row[2]), returned)
    }
  }

  private static func outcomes(of returnedUnit: Int64, _ transaction: any SQLTransaction) throws -> [UnitHistory
    .Outcome]
  {
    try transaction.rows(
      """
      SELECT o.branch, o.state, o.reason, d.target, d.base, d.commits, d.state, d.created FROM branch_outcome AS o
      LEFT JOIN delivery AS d ON d.id = o.delivery_id WHERE o.returned_unit_id = ? ORDER BY o.branch
      """, [returnedUnit]
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

}

extension Translation {
  /// The texts of all leaves, separated by line breaks.
  var allText: String {
    leaves.flatMap { _, leaf in
      switch leaf.words {
      case .text(let text): [text]
      case .phrases(let phrases): phrases
      }
    }.joined(separator: "\n")
  }
}

/// Returns a condition for the pipeline in parameter 2. The indexes begin with the pipeline, so if the parameter is null, an index is searched once
/// for each pipeline.
private func chosen(_ pipeline: String?, in table: String) -> String {
  guard pipeline == nil else { return "\(table).pipeline = ?2" }
  return
    "(\(table).pipeline = ?2 OR ?2 IS NULL) AND \(table).pipeline IN (SELECT name FROM pipeline UNION SELECT pipeline FROM round)"
}

private struct HistoryPlace: Hashable {
  var pipeline: String
  var catalog: String

  func history(of key: UnitKey) -> UnitHistory {
    UnitHistory(pipeline: pipeline, unit: UnitID(catalog: TreePath(trusted: catalog), key: key))
  }
}
