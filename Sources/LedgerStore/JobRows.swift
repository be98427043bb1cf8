import FoundationEssentials
import Localization
import Pipeline

/// Functions that read jobs and heads from rows, and save changes to the state of jobs.
enum JobRows {
  static func job(_ row: SQLRow) throws -> Job {
    guard let stage = Stage(rawValue: row["stage"]), let name = JobState.Name(rawValue: row["state"]) else {
      throw damaged("job \(row["id"] as Int64) has an unknown stage or state")
    }
    return Job(
      id: JobID(rawValue: row["id"]), pipeline: row["pipeline"], stage: stage, scope: row["scope"],
      state: state(name, row), attempts: row["attempts"], version: row["version"], armed: date(row["armed"]),
      inputs: row["inputs"], done: row["done"], findings: try findings(row["findings"]),
      failingSince: (row["failing_since"] as Double?).map { Date(timeIntervalSince1970: $0) })
  }

  /// Decodes the findings of a job. The text is `nil` for nearly all jobs, because they have no findings.
  private static func findings(_ text: String?) throws -> [Diagnostic] {
    guard let text else { return [] }
    return try JSONDecoder().decode([Diagnostic].self, from: Data(text.utf8))
  }

  static func text(of findings: [Diagnostic]) throws -> String? {
    findings.isEmpty ? nil : String(decoding: try JSONEncoder().encode(findings.shortened), as: UTF8.self)
  }

  private static func state(_ name: JobState.Name, _ row: SQLRow) -> JobState {
    switch name {
    case .queued: .queued(due: date(row["due"]))
    case .running: .running(Lease(owner: row["lease_owner"] ?? "", until: date(row["lease_until"])))
    case .waiting: .waiting(until: date(row["due"]))
    case .succeeded: .succeeded
    case .failed: .failed(FailureRecord(message: row["failure"] ?? "", at: date(row["failed_at"])))
    }
  }

  static func date(_ seconds: Double?) -> Date { Date(timeIntervalSince1970: seconds ?? 0) }

  static func run(_ row: SQLRow) -> Run {
    let pending: Double? = row["pending_since"]
    let compared: Double? = row["compared"]
    return Run(
      id: RunID(rawValue: row["id"]), pipeline: row["pipeline"], branch: row["branch"],
      commit: CommitID(rawValue: row["commit_id"]), created: date(row["created"]),
      pendingSince: pending.map { Date(timeIntervalSince1970: $0) }, isCompared: compared != nil)
  }

  /// Saves a job whose state changed, provided that no other process has changed the stored job. While a job is running, its column `due` contains
  /// the time at which the job runs again; `NULL` if it was neither planned with new inputs nor woken since it started.
  /// - Returns: whether the job was saved; `false` if another process has changed it.
  static func save(_ job: Job, at now: Date, in transaction: any SQLTransaction) throws -> Bool {
    var due: Double?
    var lease: Lease?
    var failure: FailureRecord?
    switch job.state {
    case .queued(let instant), .waiting(let instant): due = instant.timeIntervalSince1970
    case .running(let held): lease = held
    case .failed(let record): failure = record
    case .succeeded: break
    }
    return try transaction.execute(
      """
      UPDATE job SET state = ?, due = ?, lease_owner = ?, lease_until = ?, failure = ?, failed_at = ?, attempts = ?,
        version = ?, done = ?, moved = ?, failing_since = ?, again = 0 WHERE id = ? AND version = ?
      """,
      [
        job.state.name.rawValue, due, lease?.owner, lease?.until.timeIntervalSince1970, failure?.message,
        failure?.at.timeIntervalSince1970, job.attempts, job.version, job.done, now.timeIntervalSince1970,
        job.failingSince?.timeIntervalSince1970, job.id.rawValue, job.version - 1,
      ]) == 1
  }

  /// Applies an event to jobs, in the transaction that read the rows.
  static func move(_ rows: [SQLRow], by event: JobEvent, at now: Date, in transaction: any SQLTransaction) throws {
    for row in rows {
      let job = try job(row)
      guard try save(job.applying(event), at: now, in: transaction) else { throw StoreConflict(job: job.id) }
    }
  }

  /// Returns the row of a job that the caller still holds. The lease and the attempts identify the holder, because heartbeats increment
  /// the version.
  /// - Throws: `StoreConflict` if the lease was lost or the job was removed.
  static func held(_ job: Job, in transaction: any SQLTransaction) throws -> (row: SQLRow, job: Job) {
    guard case .running(let own) = job.state,
      let row = try transaction.first("SELECT * FROM job WHERE id = ?", [job.id.rawValue])
    else { throw StoreConflict(job: job.id) }
    let stored = try Self.job(row)
    guard case .running(let lease) = stored.state, lease.owner == own.owner, stored.attempts == job.attempts else {
      throw StoreConflict(job: job.id)
    }
    return (row, stored)
  }
}
