import FoundationEssentials
import Localization
package import Pipeline

/// Queries for figures of pipelines, such as the number of held units, and for their pauses and completion.
extension SQLLedger {
  package func portfolio(after name: String?, limit: Int) async throws -> PortfolioRecords {
    try await read("read figures") { transaction in
      var records = try transaction.rows(
        "\(LedgerQueries.pipelines) WHERE name > ? ORDER BY name LIMIT ?", [name ?? "", limit + 1]
      ).map(LedgerRows.pipeline)
      let hasMore = records.count > limit
      if hasMore { records.removeLast() }
      let scope = PipelineScope.some(records.map(\.name))
      return PortfolioRecords(
        totals: try Self.totals(transaction), records: records, standings: try Self.standings(scope, transaction),
        controls: try Self.controls(scope, transaction), completions: try Self.completions(scope, transaction),
        hasMore: hasMore)
    }
  }

  private static func totals(_ transaction: any SQLTransaction) throws -> PortfolioTotals {
    func count(_ sql: String) throws -> Int { try transaction.value(Int.self, sql) ?? 0 }
    return PortfolioTotals(
      pipelines: try count("SELECT count(*) FROM pipeline"), outstanding: try count(PortfolioQueries.totalOutstanding),
      held: try count(PortfolioQueries.totalHeld), withProblem: try count(PortfolioQueries.totalWithProblem))
  }

  package func standings(of pipeline: String?) async throws -> [String: PipelineStanding] {
    try await read("read figures") { try Self.standings(PipelineScope(pipeline), $0) }
  }

  private static func standings(
    _ scope: PipelineScope, _ transaction: any SQLTransaction
  ) throws -> [String: PipelineStanding] {
    var standings: [String: PipelineStanding] = [:]
    func each(_ query: PortfolioQueries.Figures, _ body: (inout PipelineStanding, SQLRow) -> Void) throws {
      try transaction.forEach(query.sql(scope), scope.arguments) { row in
        body(&standings[row[0], default: PipelineStanding()], row)
      }
    }
    try each(PortfolioQueries.outstanding) { $0.outstanding = $1[1] }
    try each(PortfolioQueries.held) { $0.held = $1[1] }
    try each(PortfolioQueries.failedJobs) { $0.failedJobs = $1[1] }
    try each(PortfolioQueries.findings) { $0.findings = $1[1] }
    try each(PortfolioQueries.rounds) { $0.rounds = $1[1] }
    try each(PortfolioQueries.lastDeliveries) { $0.lastDelivery = JobRows.date($1[1]) }
    return standings
  }

  package func controls(of pipeline: String?) async throws -> [String: PipelineControl] {
    try await read("read pauses") { try Self.controls(PipelineScope(pipeline), $0) }
  }

  private static func controls(
    _ scope: PipelineScope, _ transaction: any SQLTransaction
  ) throws -> [String: PipelineControl] {
    var controls: [String: PipelineControl] = [:]
    try transaction.forEach(PortfolioQueries.controls(scope), scope.arguments) { row in
      let since: Double? = row[1]
      controls[row[0]] = PipelineControl(
        pause: since.map { PipelinePause(since: JobRows.date($0), by: row[2] ?? "", reason: row[3]) }, looks: row[4])
    }
    return controls
  }

  package func completions(of pipeline: String?) async throws -> [BranchCompletion] {
    try await read("read completion") { try Self.completions(PipelineScope(pipeline), $0) }
  }

  private static func completions(
    _ scope: PipelineScope, _ transaction: any SQLTransaction
  ) throws -> [BranchCompletion] {
    try completions(PortfolioQueries.completions(scope), scope.arguments, transaction)
  }

  /// Returns the result of a query, with one element for each branch and day.
  /// - Parameter sql: a query for rows of `completion`, sorted by pipeline, branch, day and language.
  static func completions(
    _ sql: String, _ arguments: SQLArguments, _ transaction: any SQLTransaction
  ) throws -> [BranchCompletion] {
    var found: [BranchCompletion] = []
    try transaction.forEach(sql, arguments) { row in
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

/// The SQL statements for the figures of pipelines.
enum PortfolioQueries {
  /// A statement that calculates a figure for each pipeline. For individual pipelines, an index finds the rows.
  struct Figures {
    var columns: String
    var source: String
    var condition: String?
    var pipeline = "pipeline"

    func sql(_ scope: PipelineScope) -> String {
      let conditions = [condition, scope.condition(on: pipeline)].compactMap { $0 }
      let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
      return "SELECT \(pipeline), \(columns) FROM \(source)\(filter) GROUP BY \(pipeline)"
    }
  }

  static let outstanding = Figures(
    columns: "CAST(sum(outstanding) AS BIGINT)", source: "books", condition: "outstanding > 0")

  /// The number of held units on watched branches. Held units are few, so the statement reads these first, and does not read all returned units.
  static let held = Figures(
    columns: "count(*)", source: "branch_outcome AS o CROSS JOIN returned_unit AS r ON r.id = o.returned_unit_id",
    condition: "o.state = 'held' AND \(LedgerQueries.isOnWatchedBranch)", pipeline: "r.pipeline")

  static let failedJobs = Figures(columns: "count(*)", source: "job", condition: "state = 'failed'")

  static let findings = Figures(columns: "count(*)", source: "job", condition: "findings IS NOT NULL")

  static let rounds = Figures(columns: "max(number)", source: "round")

  static let lastDeliveries = Figures(
    columns: "max(created)", source: "delivery", condition: "state IN ('pushed', 'settled')")

  static let totalOutstanding = "SELECT CAST(coalesce(sum(outstanding), 0) AS BIGINT) FROM books WHERE outstanding > 0"

  static let totalHeld = "SELECT count(*) FROM \(held.source) WHERE \(held.condition ?? "TRUE")"

  /// Counts the pipelines whose repository cannot be read, that have a failed job, or that have a job with findings.
  static let totalWithProblem = """
    SELECT count(*) FROM (SELECT name FROM pipeline WHERE watch_fault IS NOT NULL
      UNION SELECT pipeline FROM job WHERE state = 'failed'
      UNION SELECT pipeline FROM job WHERE findings IS NOT NULL) AS found
    """

  static func controls(_ scope: PipelineScope) -> String {
    let condition = scope.condition(on: "name").map { " AND \($0)" } ?? ""
    return """
      SELECT name, paused_since, paused_by, pause_reason, looks FROM pipeline
      WHERE (paused_since IS NOT NULL OR looks > 0)\(condition)
      """
  }

  /// Returns a statement that selects the newest completion of each watched branch. The statement reads the branches first, so the rows of earlier
  /// days are not read.
  static func completions(_ scope: PipelineScope) -> String {
    let condition = scope.condition(on: "b.pipeline").map { " WHERE \($0)" } ?? ""
    return """
      SELECT c.pipeline, c.branch, c.day, c.language, c.commit_id, c.total, c.translated, c.needs_review, c.untranslated
      FROM branch AS b CROSS JOIN completion AS c ON c.pipeline = b.pipeline AND c.branch = b.name
        AND c.day = (SELECT max(l.day) FROM completion AS l WHERE l.pipeline = b.pipeline AND l.branch = b.name)
      \(condition) ORDER BY c.pipeline, c.branch, c.day, c.language
      """
  }
}
