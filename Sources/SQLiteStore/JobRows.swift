import FoundationEssentials
internal import GRDB
import Pipeline

/// Jobs and runs as rows.
enum JobRows {
  static func job(_ row: Row) throws -> Job {
    guard let stage = Stage(rawValue: row["stage"]), let name = JobState.Name(rawValue: row["state"]) else {
      throw damaged("job \(row["id"] as Int64) has an unknown stage or state")
    }
    return Job(
      id: JobID(rawValue: row["id"]), run: RunID(rawValue: row["run_id"]), pipeline: row["pipeline"], stage: stage,
      scope: row["scope"], state: state(name, row), attempts: row["attempts"], version: row["version"],
      created: date(row["created"]))
  }

  private static func state(_ name: JobState.Name, _ row: Row) -> JobState {
    switch name {
    case .queued: .queued(due: date(row["due"]))
    case .running: .running(Lease(owner: row["lease_owner"] ?? "", until: date(row["lease_until"])))
    case .waiting: .waiting(until: date(row["due"]))
    case .succeeded: .succeeded
    case .failed: .failed(FailureRecord(message: row["failure"] ?? "", at: date(row["failed_at"])))
    case .cancelled: .cancelled
    }
  }

  static func date(_ seconds: Double?) -> Date { Date(timeIntervalSince1970: seconds ?? 0) }

  static func run(_ row: Row) -> Run {
    let pending: Double? = row["pending_since"]
    return Run(
      id: RunID(rawValue: row["id"]), pipeline: row["pipeline"], branch: row["branch"],
      commit: CommitID(rawValue: row["commit_id"]), created: date(row["created"]),
      pendingSince: pending.map { Date(timeIntervalSince1970: $0) })
  }

  /// Writes a moved job over the version it was moved from.
  /// - Returns: whether nobody else moved it meanwhile.
  static func save(_ job: Job, in database: Database) throws -> Bool {
    var due: Double?
    var lease: Lease?
    var failure: FailureRecord?
    switch job.state {
    case .queued(let instant), .waiting(let instant): due = instant.timeIntervalSince1970
    case .running(let held): lease = held
    case .failed(let record): failure = record
    case .succeeded, .cancelled: break
    }
    try database.cachedStatement(
      sql: """
        UPDATE job SET state = ?, due = ?, lease_owner = ?, lease_until = ?, failure = ?, failed_at = ?, attempts = ?,
          version = ? WHERE id = ? AND version = ?
        """
    ).execute(arguments: [
      job.state.name.rawValue, due, lease?.owner, lease?.until.timeIntervalSince1970, failure?.message,
      failure?.at.timeIntervalSince1970, job.attempts, job.version, job.id.rawValue, job.version - 1,
    ])
    return database.changesCount == 1
  }

  static func insert(_ jobs: [NewJob], in database: Database) throws {
    for job in jobs {
      try database.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO job (run_id, pipeline, stage, scope, lane, state, due, attempts, version, created)
          SELECT id, pipeline, ?, ?, ?, 'queued', ?, 0, 0, ? FROM run WHERE id = ?
          """
      ).execute(arguments: [
        job.stage.rawValue, job.scope, job.lane, job.due.timeIntervalSince1970, job.due.timeIntervalSince1970,
        job.run.rawValue,
      ])
    }
  }

  static func move(_ rows: [Row], by event: JobEvent, in database: Database) throws {
    for row in rows {
      let job = try job(row)
      guard try save(job.applying(event), in: database) else { throw StoreConflict(job: job.id) }
    }
  }
}
