import FoundationEssentials
internal import GRDB
package import Localization
package import Pipeline

/// Search, figures and single units, for people.
extension SQLiteStore: PeopleStore {
  package func units(containing text: String, in pipeline: String?, limit: Int) async throws -> [FoundUnit] {
    let pattern = "%" + text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_") + "%"
    return try await read("search units") { database in
      // Only the newest source text of a unit is searched and shown.
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT pipeline, catalog, key, forms FROM source WHERE id IN
            (SELECT max(id) FROM source WHERE (?2 IS NULL OR pipeline = ?2) GROUP BY pipeline, catalog, key)
            AND (key LIKE ?1 ESCAPE '\\' OR forms LIKE ?1 ESCAPE '\\')
          ORDER BY pipeline, catalog, key
          """, arguments: [pattern, pipeline])
      var found: [FoundUnit] = []
      while found.count < limit, let row = try rows.next() {
        let key: String = row[2]
        let shown = try LedgerRows.translation(row[3]).map(Self.text) ?? key
        // `forms` is JSON: its member names and states are no text.
        guard key.containsIgnoringCase(text) || shown.containsIgnoringCase(text) else { continue }
        found.append(
          FoundUnit(
            pipeline: row[0], unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(key)), text: shown))
      }
      return found
    }
  }

  package func standings() async throws -> [String: PipelineStanding] {
    try await read("read figures") { database in
      var standings: [String: PipelineStanding] = [:]
      func each(_ sql: String, _ body: (inout PipelineStanding, Row) -> Void) throws {
        let rows = try Row.fetchCursor(database.cachedStatement(sql: sql))
        while let row = try rows.next() { body(&standings[row[0], default: PipelineStanding()], row) }
      }
      try each(PeopleQueries.outstanding) { $0.outstanding = $1[1] }
      try each(PeopleQueries.held) { $0.held = $1[1] }
      try each(PeopleQueries.failedJobs) { $0.failedJobs = $1[1] }
      try each(PeopleQueries.rounds) { $0.rounds = $1[1] }
      try each(PeopleQueries.lastDeliveries) { $0.lastDelivery = JobRows.date($1[1]) }
      return standings
    }
  }

  package func pipeline(of round: RoundID) async throws -> String? {
    try await read("read round") { database in
      try String.fetchOne(
        database.cachedStatement(sql: "SELECT pipeline FROM round WHERE id = ?"), arguments: [round.rawValue])
    }
  }

  package func returnedUnit(_ id: ReturnedUnitID) async throws -> StoredReturn? {
    try await read("read returned unit") { database in
      guard let row = try Row.fetchOne(database, sql: PeopleQueries.returnedUnit, arguments: [id.rawValue]) else {
        return nil
      }
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
    let day = Int(clock().timeIntervalSince1970 / 86_400)
    try await write("note completion") { database in
      try database.execute(
        sql: "DELETE FROM completion WHERE pipeline = ? AND branch = ? AND (day = ? OR day < ?)",
        arguments: [pipeline, branch, day, day - 730])
      for language in languages {
        try database.cachedStatement(
          sql: """
            INSERT INTO completion
              (pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          pipeline, branch, day, language.language.rawValue, commit.rawValue, language.total, language.translated,
          language.needsReview, language.new,
        ])
      }
    }
  }

  package func completions(of pipeline: String?) async throws -> [BranchCompletion] {
    try await read("read completion") { database in
      try Self.completions(Row.fetchCursor(database, sql: PeopleQueries.completions, arguments: [pipeline]))
    }
  }

  package func completionHistory(
    of pipeline: String, branch: String, since day: Int
  ) async throws -> [BranchCompletion] {
    try await read("read completion") { database in
      try Self.completions(
        Row.fetchCursor(database, sql: PeopleQueries.completionHistory, arguments: [pipeline, branch, day]))
    }
  }

  /// - Parameter rows: sorted by pipeline, branch, day and language.
  private static func completions(_ rows: RowCursor) throws -> [BranchCompletion] {
    var found: [BranchCompletion] = []
    while let row = try rows.next() {
      let (pipeline, branch, day): (String, String, Int) = (row[0], row[1], row[2])
      if found.last.map({ $0.pipeline != pipeline || $0.branch != branch || $0.day != day }) ?? true {
        found.append(
          BranchCompletion(
            pipeline: pipeline, branch: branch, day: day, commit: CommitID(rawValue: row[4]), languages: []))
      }
      var language = LanguageCompletion(language: LocaleIdentifier(row[3]))
      (language.total, language.translated, language.needsReview, language.new) = (row[5], row[6], row[7], row[8])
      found[found.count - 1].languages.append(language)
    }
    return found
  }
}

extension String {
  fileprivate func containsIgnoringCase(_ other: String) -> Bool { lowercased().contains(other.lowercased()) }
}

/// The statements behind pages and answers. A test checks that those without a list of all pipelines use indices.
enum PeopleQueries {
  static let outstanding = "SELECT pipeline, sum(outstanding) FROM books WHERE outstanding > 0 GROUP BY pipeline"

  static let held = """
    SELECT r.pipeline, count(*) FROM branch_outcome AS o JOIN returned_unit AS r ON r.id = o.returned_unit_id
    WHERE o.state = 'held' GROUP BY r.pipeline
    """

  static let failedJobs = "SELECT pipeline, count(*) FROM job WHERE state = 'failed' GROUP BY pipeline"

  static let rounds = "SELECT pipeline, max(number) FROM round GROUP BY pipeline"

  static let lastDeliveries = """
    SELECT pipeline, max(created) FROM delivery WHERE state IN ('pushed', 'settled') GROUP BY pipeline
    """

  static let returnedUnit = """
    SELECT r.pipeline, b.vendor, b.reference, b.received, r.catalog, r.key, r.language, r.sent_unit_id, r.source_id, r.units
    FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id WHERE r.id = ?
    """

  static let completions = """
    SELECT pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated FROM completion AS c
    WHERE (?1 IS NULL OR pipeline = ?1)
      AND EXISTS (SELECT 1 FROM branch AS b WHERE b.pipeline = c.pipeline AND b.name = c.branch)
      AND day = (SELECT max(day) FROM completion AS l WHERE l.pipeline = c.pipeline AND l.branch = c.branch)
    ORDER BY pipeline, branch, day, language
    """

  static let completionHistory = """
    SELECT pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated FROM completion
    WHERE pipeline = ? AND branch = ? AND day >= ? ORDER BY pipeline, branch, day, language
    """
}
