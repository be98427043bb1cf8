import FoundationEssentials
import Pipeline

/// An update of one pipeline's stored jobs. It adds, changes, arms and removes jobs until they match the plans.
struct JobArming {
  private struct Name: Hashable {
    var stage: String
    var scope: String
  }

  private var rows: [Name: SQLRow] = [:]
  private let now: Date

  /// - Parameter rows: all jobs of one pipeline.
  init(_ rows: [SQLRow], now: Date) {
    self.now = now
    for row in rows { self.rows[Name(stage: row["stage"], scope: row["scope"])] = row }
  }

  /// Returns whether a job must be added, changed, retried or removed, or becomes due earlier because the clock was set back.
  func isNeeded(_ plans: [JobPlan], retriesFailures: Bool) -> Bool {
    let names = Set(plans.map { Name(stage: $0.stage.rawValue, scope: $0.scope) })
    guard rows.keys.allSatisfy({ names.contains($0) || isRunning($0) }) else { return true }
    return plans.contains { plan in
      guard let row = rows[Name(stage: plan.stage.rawValue, scope: plan.scope)] else { return true }
      return isChanged(row, plan) || isRetried(row, retriesFailures) || isMovedInFuture(row)
    }
  }

  private func isRunning(_ name: Name) -> Bool { rows[name].map { $0["state"] as String == "running" } ?? false }

  private func isChanged(_ row: SQLRow, _ plan: JobPlan) -> Bool {
    row["inputs"] as String != plan.inputs || row["waits_for"] as String != waitsFor(plan)
  }

  /// Returns whether the clock was set back by more than a minute after the job's state last changed. The job's due time is then too late by the same
  /// amount.
  private func isMovedInFuture(_ row: SQLRow) -> Bool {
    (row["moved"] as Double?).map { $0 > now.timeIntervalSince1970 + 60 } ?? false
  }

  private func isRetried(_ row: SQLRow, _ retriesFailures: Bool) -> Bool {
    retriesFailures && row["state"] as String == "failed"
  }

  /// Makes the stored jobs match the plans: adds, changes, queues and removes jobs.
  /// - Returns: whether a job was queued, or has an earlier due time than before.
  func apply(
    _ plans: [JobPlan], of pipeline: String, retriesFailures: Bool, in transaction: any SQLTransaction
  ) throws -> Bool {
    var hasQueued = false
    var gone = rows
    for plan in plans {
      guard let row = gone.removeValue(forKey: Name(stage: plan.stage.rawValue, scope: plan.scope)) else {
        try insert(plan, of: pipeline, in: transaction)
        hasQueued = true
        continue
      }
      let mustRun = row["inputs"] as String != plan.inputs || isRetried(row, retriesFailures)
      if !mustRun, isMovedInFuture(row) {
        try bringBack(row, in: transaction)
        // A worker that sleeps until the old due time must wake up earlier.
        hasQueued = true
      }
      guard mustRun || isChanged(row, plan) else { continue }
      try transaction.execute(
        "UPDATE job SET inputs = ?, lane = ?, waits_for = ? WHERE id = ?",
        [plan.inputs, plan.lane, waitsFor(plan), row["id"] as Int64])
      guard mustRun else { continue }
      hasQueued = try queue(row, for: plan, in: transaction) || hasQueued
    }
    // A running job is removed later, after it has ended.
    for (name, row) in gone where !isRunning(name) {
      try transaction.execute("DELETE FROM job WHERE id = ?", [row["id"] as Int64])
    }
    return hasQueued
  }

  private func insert(_ plan: JobPlan, of pipeline: String, in transaction: any SQLTransaction) throws {
    try transaction.execute(
      """
      INSERT INTO job (pipeline, stage, scope, lane, waits_for, inputs, state, due, attempts, version, armed, moved)
      VALUES (?, ?, ?, ?, ?, ?, 'queued', ?, 0, 0, ?, ?)
      """,
      [

        pipeline, plan.stage.rawValue, plan.scope, plan.lane, waitsFor(plan), plan.inputs,
        plan.due.timeIntervalSince1970, now.timeIntervalSince1970, now.timeIntervalSince1970,
      ])
  }

  /// Queues a job, unless it already succeeded with the planned inputs. A failed job, or a job of the stage `pull`, is queued even then. If the job
  /// is running, only the due time is stored. When the running job ends, it is queued with this due time.
  /// - Returns: whether the job is queued now.
  private func queue(_ row: SQLRow, for plan: JobPlan, in transaction: any SQLTransaction) throws -> Bool {
    let job = try JobRows.job(row)
    try transaction.execute("UPDATE job SET armed = ? WHERE id = ?", [now.timeIntervalSince1970, job.id.rawValue])
    guard job.state.name != .running else {
      try transaction.execute("UPDATE job SET due = ? WHERE id = ?", [plan.due.timeIntervalSince1970, job.id.rawValue])
      return false
    }
    // The job already succeeded with these inputs, so it need not run.
    if job.done == plan.inputs, job.state.name != .failed, plan.stage != .pull {
      var settled = job
      settled.state = .succeeded
      settled.failingSince = nil
      settled.version += 1
      _ = try JobRows.save(settled, at: now, in: transaction)
      return false
    }
    var armed = try job.applying(.arm(due: plan.due))
    armed.attempts = 0
    guard try JobRows.save(armed, at: now, in: transaction) else { throw StoreConflict(job: job.id) }
    return true
  }

  private func bringBack(_ row: SQLRow, in transaction: any SQLTransaction) throws {
    let jump = (row["moved"] as Double? ?? 0) - now.timeIntervalSince1970
    try transaction.execute(
      "UPDATE job SET due = due - ?1, moved = ?2, armed = CASE WHEN armed < ?2 THEN armed ELSE ?2 END WHERE id = ?3",
      [jump, now.timeIntervalSince1970, row["id"] as Int64])
  }

  /// Returns the names of the stages that the job waits for, as one text. Each name is surrounded by spaces, so a search matches only whole names.
  private func waitsFor(_ plan: JobPlan) -> String {
    " " + plan.waitsFor.map(\.rawValue).sorted().map { $0 + " " }.joined()
  }
}
