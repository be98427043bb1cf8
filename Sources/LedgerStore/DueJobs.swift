import FoundationEssentials
import Pipeline

/// A query for the jobs that can be claimed now. Such a job is due, no job in its lane is running, and no job of a stage that it waits for is due or
/// running.
struct DueJobs {
  var stages: Set<Stage>
  var limit: Int

  /// Returns at most `limit` rows, starting with the job that has been due longest.
  func rows(of pipelines: Set<String>, in transaction: any SQLTransaction) throws -> [SQLRow] {
    let now = try transaction.now().timeIntervalSince1970
    let stages = SQLValue.texts(stages.map(\.rawValue).sorted())
    switch transaction.dialect {
    case .sqlite:
      // SQLite returns the rows in the order of an index, so the scan can stop early. Pipelines are compared here, because passing a list of a
      // thousand names would cost more than the rest of the statement.
      var ids: [Int64] = []
      try transaction.scan(Self.claimable + " ORDER BY due, id", [now, stages]) { row in
        if pipelines.contains(row[1]) { ids.append(row[0]) }
        return ids.count < limit
      }
      return try ids.compactMap { try transaction.first("SELECT * FROM job WHERE id = ?", [$0]) }
    case .postgreSQL:
      return try transaction.rows(
        Self.claimableOfPipelines, [now, stages, SQLValue.texts(pipelines.sorted()), limit])
    }
  }

  /// Selects the jobs that can be claimed now. The other due jobs of the pipeline are read only if the candidate waits for stages (`waits_for`).
  /// Without this condition, each claim of an extraction would read all jobs of its pipeline. SQLite uses the index `job_unfinished` only if the
  /// condition names all states of the index.
  static let claimable = """
    SELECT id, pipeline FROM job AS own WHERE state IN ('queued', 'waiting') AND due <= ?1
      AND stage IN (SELECT value FROM json_each(?2))
      AND NOT EXISTS (SELECT 1 FROM job AS other WHERE other.pipeline = own.pipeline
        AND other.state IN ('queued', 'running', 'waiting') AND other.state = 'running'
        AND (other.lane = own.lane OR instr(own.waits_for, ' ' || other.stage || ' ') > 0))
      AND (own.waits_for = ' ' OR NOT EXISTS (SELECT 1 FROM job AS other WHERE other.pipeline = own.pipeline
        AND other.state IN ('queued', 'running', 'waiting') AND other.due <= ?1
        AND instr(own.waits_for, ' ' || other.stage || ' ') > 0))
    """

  /// The statement for PostgreSQL. Its parameters are the time, the stages, the names of the pipelines, and the maximum number of rows.
  static let claimableOfPipelines =
    "SELECT * FROM job WHERE id IN (SELECT id FROM (\(claimable) AND \(isOfPipelines("?3")) "
    + "ORDER BY due, id LIMIT ?4) AS found) ORDER BY due, id"

  /// Returns the condition that a job's pipeline is in a list. With `IS TRUE`, PostgreSQL looks each job up in a hash table of the names. Without
  /// it, a planner that has no statistics yet, as in a new database, compares each job with each name: 0.9 s for 10,000 jobs and 2,000 names.
  private static func isOfPipelines(_ list: String) -> String {
    "(pipeline IN (SELECT value FROM json_each(\(list)))) IS TRUE"
  }

  /// Returns the time at which the next job becomes due; `nil` if no job becomes due in the future.
  static func next(of pipelines: Set<String>, in transaction: any SQLTransaction) throws -> Date? {
    let now = try transaction.now().timeIntervalSince1970
    let later = "SELECT due, pipeline FROM job WHERE state IN ('queued', 'waiting') AND due > ?1"
    var next: Double?
    switch transaction.dialect {
    case .sqlite:
      try transaction.scan(later + " ORDER BY due", [now]) { row in
        if pipelines.contains(row[1]) { next = row[0] }
        return next == nil
      }
    case .postgreSQL:
      next = try transaction.value(
        Double.self, later + " AND \(Self.isOfPipelines("?2")) ORDER BY due LIMIT 1",
        [now, SQLValue.texts(pipelines.sorted())])
    }
    return next.map { Date(timeIntervalSince1970: $0) }
  }
}
