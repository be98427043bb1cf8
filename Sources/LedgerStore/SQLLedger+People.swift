import FoundationEssentials
package import Localization
package import Pipeline

/// Queries for individual pipelines and returned units, and functions that record and read the completion over time.
extension SQLLedger {
  package func record(of pipeline: String) async throws -> PipelineRecord? {
    try await read("read pipeline") { transaction in
      try transaction.first("\(LedgerQueries.pipelines) WHERE name = ?", [pipeline]).map(LedgerRows.pipeline)
    }
  }

  package func pipeline(of round: RoundID) async throws -> String? {
    try await read("read round") { transaction in
      try transaction.value(String.self, "SELECT pipeline FROM round WHERE id = ?", [round.rawValue])
    }
  }

  package func returnedUnit(_ id: ReturnedUnitID) async throws -> StoredReturn? {
    try await read("read returned unit") { transaction in
      guard let row = try transaction.first(PeopleQueries.returnedUnit, [id.rawValue]) else { return nil }
      let (sent, source): (Int64?, Int64?) = (row[7], row[8])
      return StoredReturn(
        pipeline: row[0], vendor: row[1], bundle: row[2], received: JobRows.date(row[3]),
        unit: NewReturnedUnit(
          unit: UnitID(catalog: TreePath(trusted: row[4]), key: UnitKey(row[5])), language: LocaleIdentifier(row[6]),
          units: try LedgerCoding.decodeUnits(row[9]), sentUnit: sent.map(SentUnitID.init(rawValue:)),
          source: source.map(SourceID.init(rawValue:)), isFinished: true))
    }
  }

  package func noteCompletion(
    _ languages: [LanguageCompletion], of pipeline: String, branch: String, commit: CommitID
  ) async throws {
    try await write("record completion", of: pipeline) { transaction in
      let day = Int(try transaction.now().timeIntervalSince1970 / 86_400)
      try transaction.execute(
        "DELETE FROM completion WHERE pipeline = ? AND branch = ? AND (day = ? OR day < ?)",
        [pipeline, branch, day, day - 730])
      try transaction.executeAll(
        """
        INSERT INTO completion (pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        languages.map { language in
          [
            pipeline, branch, day, language.language.rawValue, commit.rawValue, language.total, language.translated,
            language.needsReview, language.new,
          ]
        })
    }
  }

  package func completionHistory(
    of pipeline: String, branch: String, since day: Int
  ) async throws -> [BranchCompletion] {
    try await read("read completion") { transaction in
      try Self.completions(PeopleQueries.completionHistory, [pipeline, branch, day], transaction)
    }
  }
}

/// The statements for single returned units and for the completion over time.
package enum PeopleQueries {
  static let returnedUnit = """
    SELECT r.pipeline, b.vendor, b.reference, b.received, r.catalog, r.key, r.language, r.sent_unit_id, r.source_id, r.units
    FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id WHERE r.id = ?
    """

  static let completionHistory = """
    SELECT pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated FROM completion
    WHERE pipeline = ? AND branch = ? AND day >= ? ORDER BY pipeline, branch, day, language
    """
}
