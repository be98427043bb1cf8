package import FoundationEssentials
package import Localization
package import Pipeline

extension SQLLedger {
  // MARK: Heads

  package func adopt(
    _ heads: [BranchHead], of pipeline: String, over expected: Set<BranchHead>?
  ) async throws -> [Run]? {
    try await write("save heads", of: pipeline) { transaction in
      let now = try transaction.now().timeIntervalSince1970
      let stored = try Self.heads(of: pipeline, in: transaction)
      if let expected, expected != Set(stored.map(BranchHead.init)) { return nil }
      let known = Dictionary(stored.map { ($0.branch, $0) }, uniquingKeysWith: { first, _ in first })
      if stored.isEmpty { try Self.enter(pipeline, in: transaction) }
      let names = Set(heads.map(\.name))
      for name in known.keys where !names.contains(name) {
        try transaction.execute("DELETE FROM branch WHERE pipeline = ? AND name = ?", [pipeline, name])
      }
      for head in heads where known[head.name]?.commit != head.commit {
        let old = known[head.name]
        // A new branch has no waiting period.
        let pending = old.flatMap { $0.isCompared ? now : $0.pendingSince?.timeIntervalSince1970 }
        let run = try transaction.value(
          Int64.self,
          """
          INSERT INTO run (pipeline, branch, commit_id, created, pending_since) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (pipeline, branch, commit_id) DO UPDATE SET
            created = excluded.created, pending_since = excluded.pending_since, compared = NULL RETURNING id
          """, [pipeline, head.name, head.commit.rawValue, now, pending])
        try transaction.execute(
          """
          INSERT INTO branch (pipeline, name, run_id) VALUES (?, ?, ?)
          ON CONFLICT (pipeline, name) DO UPDATE SET run_id = excluded.run_id
          """, [pipeline, head.name, run])
      }
      return try Self.heads(of: pipeline, in: transaction)
    }
  }

  private static func enter(_ pipeline: String, in transaction: any SQLTransaction) throws {
    try transaction.execute("INSERT INTO pipeline (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING", [pipeline])
  }

  package func heads(of pipeline: String) async throws -> [Run] {
    try await read("read heads") { try Self.heads(of: pipeline, in: $0) }
  }

  package func head(of pipeline: String, branch: String) async throws -> Run? {
    try await read("read head") { transaction in
      try transaction.first(
        "SELECT run.* FROM branch JOIN run ON run.id = run_id WHERE branch.pipeline = ? AND name = ?",
        [pipeline, branch]
      ).map(JobRows.run)
    }
  }

  private static func heads(of pipeline: String, in transaction: any SQLTransaction) throws -> [Run] {
    try transaction.rows(
      "SELECT run.* FROM branch JOIN run ON run.id = run_id WHERE branch.pipeline = ? ORDER BY name", [pipeline]
    ).map(JobRows.run)
  }

  // MARK: Jobs

  package func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool {
    // Usually no job has to be changed. In this case no write transaction is needed.
    let isNeeded = try await read("read jobs") { transaction in
      let now = try transaction.now()
      let rows = try Self.rows(of: pipeline, in: transaction)
      let plans = plan(try Self.basis(of: pipeline, jobs: rows, now: now, in: transaction))
      return JobArming(rows, now: now).isNeeded(plans, retriesFailures: retriesFailures)
    }
    guard isNeeded else { return false }
    return try await write("plan jobs", of: pipeline) { transaction in
      let now = try transaction.now()
      let rows = try Self.rows(of: pipeline, in: transaction)
      // The row of the pipeline must exist, because a claim locks it.
      if rows.isEmpty { try Self.enter(pipeline, in: transaction) }
      let plans = plan(try Self.basis(of: pipeline, jobs: rows, now: now, in: transaction))
      return try JobArming(rows, now: now).apply(
        plans, of: pipeline, retriesFailures: retriesFailures, in: transaction)
    }
  }

  private static func basis(
    of pipeline: String, jobs: [SQLRow], now: Date, in transaction: any SQLTransaction
  ) throws -> PlanningBasis {
    var extracted: [String: String] = [:]
    for row in jobs where row["stage"] == Stage.extract.rawValue {
      if let done: String = row["done"] { extracted[row["scope"]] = done }
    }
    return PlanningBasis(
      now: now, heads: try heads(of: pipeline, in: transaction), ownTips: try lastTips(of: pipeline, in: transaction),
      work: try pendingWork(of: pipeline, in: transaction), extracted: extracted,
      failing: FailingVendors(
        try jobs.filter { ($0["failing_since"] as Double?) != nil }.map(JobRows.job), now: now
      ).since)
  }

  private static func rows(of pipeline: String, in transaction: any SQLTransaction) throws -> [SQLRow] {
    try transaction.rows("SELECT * FROM job WHERE pipeline = ? ORDER BY id", [pipeline])
  }

  package func jobs(of pipeline: String) async throws -> [Job] {
    try await read("read jobs") { try Self.rows(of: pipeline, in: $0).map(JobRows.job) }
  }

  package func claimJobs(
    of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int
  ) async throws -> [Job] {
    let due = DueJobs(stages: stages, limit: limit)
    let found = try await read("find due jobs") { try due.rows(of: pipelines, in: $0).map { $0["pipeline"] as String } }
    guard !found.isEmpty else { return [] }
    let isExclusive = isExclusive
    return try await write("claim jobs", of: nil) { transaction in
      let free = try transaction.lockFree(isExclusive ? pipelines : Set(found), for: owner)
      guard !free.isEmpty else { return [] }
      let now = try transaction.now()
      let held = Lease(owner: owner, until: now.addingTimeInterval(lease.seconds))
      var claimed: [Job] = []
      var busy: Set<[String]> = []
      for row in try due.rows(of: free, in: transaction)
      where busy.insert([row["pipeline"], row["lane"]]).inserted {
        var job = try JobRows.job(row)
        if job.state.name == .waiting {
          job = try job.applying(.due(at: now))
          guard try JobRows.save(job, at: now, in: transaction) else { continue }
        }
        job = try job.applying(.claim(held))
        guard try JobRows.save(job, at: now, in: transaction) else { continue }
        claimed.append(job)
      }
      return claimed
    }
  }

  @discardableResult
  package func move(
    _ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?
  ) async throws -> Job {
    try await write("update job \(job.id.rawValue)", of: job.pipeline) { transaction in
      let now = try transaction.now()
      let (row, stored) = try JobRows.held(job, in: transaction)
      var moved = try stored.applying(event, at: now)
      let isWantedAgain = stored.inputs != job.inputs || row["again"] as Bool
      if moved.state.name == .succeeded { moved.done = job.inputs }
      if isWantedAgain, moved.state.name != .running {
        // The job's inputs changed or the job was woken while it ran. It runs again at the stored due time.
        moved.state = .queued(due: JobRows.date(row["due"]))
        moved.attempts = 0
      }
      guard try JobRows.save(moved, at: now, in: transaction) else { throw StoreConflict(job: job.id) }
      if let findings, findings != stored.findings {
        moved.findings = findings
        try transaction.execute(
          "UPDATE job SET findings = ? WHERE id = ?", [try JobRows.text(of: findings), job.id.rawValue])
      }
      try LedgerWriter(transaction: transaction, pipeline: job.pipeline).apply(changes)
      return moved
    }
  }

  package func record(_ changes: [LedgerChange], under job: Job) async throws {
    try await write("change ledger", of: job.pipeline) { transaction in
      _ = try JobRows.held(job, in: transaction)
      try LedgerWriter(transaction: transaction, pipeline: job.pipeline).apply(changes)
    }
  }

  package func heartbeat(_ job: Job, for length: Duration) async throws {
    try await write("extend lease", of: job.pipeline) { transaction in
      let now = try transaction.now()
      let until = now.addingTimeInterval(length.seconds)
      let (row, stored) = try JobRows.held(job, in: transaction)
      guard try JobRows.save(stored.applying(.heartbeat(until: until)), at: now, in: transaction) else {
        throw StoreConflict(job: job.id)
      }
      // `save` resets the due time and the wake-up that were stored for the time after the job's end.
      try transaction.execute(
        "UPDATE job SET due = ?, again = ? WHERE id = ?",
        [row["due"] as Double?, row["again"] as Bool, row["id"] as Int64])
    }
  }

  package func recoverJobs(except owner: String) async throws {
    // If only this process uses the store, every lease of another owner belongs to a process that has ended.
    let lost =
      isExclusive
      ? "state = 'running' AND lease_owner <> ?1 AND ?2 > 0"
      : "state = 'running' AND lease_owner <> ?1 AND lease_until < ?2"
    try await write("recover jobs", of: nil) { transaction in
      let now = try transaction.now()
      let arguments: SQLArguments = [owner, now.timeIntervalSince1970]
      let names = Set(
        try transaction.values(String.self, "SELECT DISTINCT pipeline FROM job WHERE \(lost)", arguments))
      guard !names.isEmpty else { return }
      try transaction.lock(names)
      let rows = try transaction.rows("SELECT * FROM job WHERE \(lost)", arguments)
        .filter { names.contains($0["pipeline"]) }
      try JobRows.move(rows, by: .leaseExpired(at: now), at: now, in: transaction)
    }
  }

  package func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws {
    try await write("wake jobs", of: pipeline) { transaction in
      let now = try transaction.now()
      let arguments: SQLArguments = [pipeline, now.timeIntervalSince1970, stage?.rawValue, scope]
      let rows = try transaction.rows(
        """
        SELECT * FROM job WHERE pipeline = ?1 AND state IN ('queued', 'waiting') AND due > ?2
          AND (stage = ?3 OR ?3 IS NULL) AND (scope = ?4 OR ?4 IS NULL)
        """, arguments)
      try JobRows.move(rows, by: .due(at: now), at: now, in: transaction)
      try transaction.execute(
        """
        UPDATE job SET again = 1, due = ?2 WHERE pipeline = ?1 AND state = 'running'
          AND (stage = ?3 OR ?3 IS NULL) AND (scope = ?4 OR ?4 IS NULL)
        """, arguments)
    }
  }

  package func hasDueJob(of pipeline: String, stage: Stage) async throws -> Bool {
    try await read("read jobs") { transaction in
      try transaction.first(
        LedgerQueries.dueJob, [pipeline, stage.rawValue, transaction.now().timeIntervalSince1970]) != nil
    }
  }

  package func nextDue(of pipelines: Set<String>) async throws -> Date? {
    try await read("read jobs") { try DueJobs.next(of: pipelines, in: $0) }
  }
}
