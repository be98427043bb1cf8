import FoundationEssentials
package import Localization
package import Pipeline

/// Search, figures and single units.
extension SQLLedger {
  package func units(containing text: String, in pipeline: String?, limit: Int) async throws -> [FoundUnit] {
    let wanted = SearchedText(text)
    return try await read("search units") { transaction in
      var found: [FoundUnit] = []
      // A few pipelines at a time: most searches have found enough in the first ones.
      var last = ""
      while found.count < limit {
        let candidates = try transaction.rows(
          PeopleQueries.searchedPipelines(ofOne: pipeline != nil),
          [SQLValue.integers(wanted.grams), last, pipeline].dropLast(pipeline == nil ? 1 : 0))
        for row in candidates where found.count < limit {
          let (name, list): (String, String?) = (row[0], row[1])
          try Self.search(wanted, in: name, list.map(TextGrams.ids), transaction) { unit in
            found.append(unit)
            return found.count < limit
          }
        }
        guard candidates.count == PeopleQueries.searchedAtOnce, let end = candidates.last else { break }
        last = end[0]
      }
      return found
    }
  }

  /// - Parameters:
  ///   - sources: the only ones that can contain the text; `nil` for all of the pipeline.
  ///   - body: gets each unit that does, sorted by catalog and key, until it returns `false`.
  private static func search(
    _ wanted: SearchedText, in pipeline: String, _ sources: [Int64]?, _ transaction: any SQLTransaction,
    _ body: (FoundUnit) throws -> Bool
  ) throws {
    let (sql, arguments): (String, SQLArguments) =
      if let sources {
        (PeopleQueries.searchOfSources, [SQLValue.integers(sources)])
      } else {
        (PeopleQueries.search, [pipeline, wanted.pattern])
      }
    try transaction.scan(sql, arguments) { row in
      let key: String = row[1]
      let source = try LedgerRows.translation(row[2]).map(\.allText) ?? key
      guard wanted.isIn(key) || wanted.isIn(source) else { return true }
      return try body(
        FoundUnit(pipeline: pipeline, unit: UnitID(catalog: TreePath(trusted: row[0]), key: UnitKey(key)), text: source)
      )
    }
  }

  package func record(of pipeline: String) async throws -> PipelineRecord? {
    try await read("read pipeline") { transaction in
      try transaction.first("\(LedgerQueries.pipelines) WHERE name = ?", [pipeline]).map(LedgerRows.pipeline)
    }
  }

  package func standings(of pipeline: String?) async throws -> [String: PipelineStanding] {
    try await read("read figures") { transaction in
      var standings: [String: PipelineStanding] = [:]
      let arguments: SQLArguments = pipeline.map { [$0] } ?? []
      func each(_ query: PeopleQueries.Figures, _ body: (inout PipelineStanding, SQLRow) -> Void) throws {
        try transaction.forEach(query.sql(ofOne: pipeline != nil), arguments) { row in
          body(&standings[row[0], default: PipelineStanding()], row)
        }
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
    try await write("note completion", of: pipeline) { transaction in
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

  package func completions(of pipeline: String?) async throws -> [BranchCompletion] {
    try await read("read completion") { transaction in
      try Self.completions(transaction.rows(PeopleQueries.completions, [pipeline]))
    }
  }

  package func completionHistory(
    of pipeline: String, branch: String, since day: Int
  ) async throws -> [BranchCompletion] {
    try await read("read completion") { transaction in
      try Self.completions(transaction.rows(PeopleQueries.completionHistory, [pipeline, branch, day]))
    }
  }

  /// - Parameter rows: sorted by pipeline, branch, day and language.
  private static func completions(_ rows: [SQLRow]) throws -> [BranchCompletion] {
    var found: [BranchCompletion] = []
    for row in rows {
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

/// The statements behind pages and answers.
package enum PeopleQueries {
  private static let searched = """
    SELECT catalog, key, forms FROM source AS s WHERE NOT EXISTS (SELECT 1 FROM source AS n
      WHERE n.pipeline = s.pipeline AND n.catalog = s.catalog AND n.key = s.key AND n.id > s.id)
    """

  /// The sources of a pipeline that can contain a text (`SearchedText`). Only the newest source text of a unit is searched.
  static let search =
    "\(searched) AND pipeline = ? AND (lower(key) LIKE ?2 OR lower(forms) LIKE ?2) ORDER BY catalog, key"

  /// The same for some sources.
  static let searchOfSources = "\(searched) AND id IN (SELECT value FROM json_each(?)) ORDER BY catalog, key"

  /// How many pipelines `searchedPipelines` returns at most.
  static let searchedAtOnce = 100

  /// The pipelines after a name whose sources have all of some trigrams, and those whose trigrams are not stored yet. Beside each, the shortest
  /// list of sources that have one of the trigrams; null if there is none.
  static func searchedPipelines(ofOne: Bool) -> String {
    """
    SELECT name, (SELECT g.sources FROM json_each(?1) AS wanted
        JOIN source_gram AS g ON g.pipeline = p.name AND g.gram = wanted.value
        WHERE g.sources IS NOT NULL ORDER BY length(g.sources) LIMIT 1)
    FROM (SELECT name FROM pipeline UNION SELECT pipeline FROM round) AS p
    WHERE name > ?2\(ofOne ? " AND name = ?3" : "") AND (NOT EXISTS (SELECT 1 FROM json_each(?1) AS wanted
        WHERE NOT EXISTS (SELECT 1 FROM source_gram AS g WHERE g.pipeline = p.name AND g.gram = wanted.value))
      OR NOT EXISTS (SELECT 1 FROM source_gram AS g WHERE g.pipeline = p.name))
    ORDER BY name LIMIT \(searchedAtOnce)
    """
  }

  /// Figures by pipeline. Those of one pipeline are found by an index.
  struct Figures {
    var columns: String
    var source: String
    var condition: String?
    var pipeline = "pipeline"

    /// - Parameter ofOne: whether the only argument is the name of a pipeline.
    func sql(ofOne: Bool) -> String {
      let conditions = [condition, ofOne ? "\(pipeline) = ?" : nil].compactMap { $0 }
      let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
      return "SELECT \(pipeline), \(columns) FROM \(source)\(filter) GROUP BY \(pipeline)"
    }
  }

  static let outstanding = Figures(
    columns: "CAST(sum(outstanding) AS BIGINT)", source: "books", condition: "outstanding > 0")

  static let held = Figures(
    columns: "count(*)", source: "branch_outcome AS o JOIN returned_unit AS r ON r.id = o.returned_unit_id",
    condition: "o.state = 'held'", pipeline: "r.pipeline")

  static let failedJobs = Figures(columns: "count(*)", source: "job", condition: "state = 'failed'")

  static let rounds = Figures(columns: "max(number)", source: "round")

  static let lastDeliveries = Figures(
    columns: "max(created)", source: "delivery", condition: "state IN ('pushed', 'settled')")

  static let returnedUnit = """
    SELECT r.pipeline, b.vendor, b.reference, b.received, r.catalog, r.key, r.language, r.sent_unit_id, r.source_id, r.units
    FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id WHERE r.id = ?
    """

  static let completions = """
    SELECT pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated FROM completion AS c
    WHERE (pipeline = ?1 OR ?1 IS NULL)
      AND EXISTS (SELECT 1 FROM branch AS b WHERE b.pipeline = c.pipeline AND b.name = c.branch)
      AND day = (SELECT max(day) FROM completion AS l WHERE l.pipeline = c.pipeline AND l.branch = c.branch)
    ORDER BY pipeline, branch, day, language
    """

  static let completionHistory = """
    SELECT pipeline, branch, day, language, commit_id, total, translated, needs_review, untranslated FROM completion
    WHERE pipeline = ? AND branch = ? AND day >= ? ORDER BY pipeline, branch, day, language
    """
}
