package import FoundationEssentials
internal import GRDB
package import Localization
package import Pipeline

extension SQLiteStore {
  package func now() async throws -> Date { clock() }

  // MARK: Heads

  package func adopt(
    _ heads: [BranchHead], of pipeline: String, over expected: Set<BranchHead>?
  ) async throws -> [Run]? {
    let now = clock().timeIntervalSince1970
    return try await write("adopt branches") { database in
      let stored = try Self.heads(of: pipeline, in: database)
      if let expected, expected != Set(stored.map(BranchHead.init)) { return nil }
      let known = Dictionary(stored.map { ($0.branch, $0) }, uniquingKeysWith: { first, _ in first })
      if stored.isEmpty {
        try database.execute(
          sql: "INSERT INTO pipeline (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING", arguments: [pipeline])
      }
      let names = Set(heads.map(\.name))
      for name in known.keys where !names.contains(name) {
        try database.execute(
          sql: "DELETE FROM branch WHERE pipeline = ? AND name = ?", arguments: [pipeline, name])
      }
      for head in heads where known[head.name]?.commit != head.commit {
        let old = known[head.name]
        // A branch that is seen for the first time does not wait.
        let pending = old.flatMap { $0.isCompared ? now : $0.pendingSince?.timeIntervalSince1970 }
        try database.execute(
          sql: """
            INSERT INTO run (pipeline, branch, commit_id, created, pending_since) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (pipeline, branch, commit_id) DO UPDATE SET
              created = excluded.created, pending_since = excluded.pending_since, compared = NULL
            """,
          arguments: [pipeline, head.name, head.commit.rawValue, now, pending])
        try database.execute(
          sql: """
            INSERT OR REPLACE INTO branch (pipeline, name, run_id)
            SELECT pipeline, branch, id FROM run WHERE pipeline = ? AND branch = ? AND commit_id = ?
            """,
          arguments: [pipeline, head.name, head.commit.rawValue])
      }
      return try Self.heads(of: pipeline, in: database)
    }
  }

  package func heads(of pipeline: String) async throws -> [Run] {
    try await read("read heads") { try Self.heads(of: pipeline, in: $0) }
  }

  private static func heads(of pipeline: String, in database: Database) throws -> [Run] {
    try Row.fetchAll(
      database.cachedStatement(
        sql: "SELECT run.* FROM branch JOIN run ON run.id = run_id WHERE branch.pipeline = ? ORDER BY name"),
      arguments: [pipeline]
    ).map(JobRows.run)
  }

  // MARK: Jobs

  package func arm(
    of pipeline: String, retriesFailures: Bool, plan: @escaping @Sendable (PlanningBasis) -> [JobPlan]
  ) async throws -> Bool {
    // In most passes no job has changed, and no write transaction is needed.
    let now = clock()
    let isNeeded = try await read("read jobs") { database in
      let rows = try Self.rows(of: pipeline, in: database)
      let plans = plan(try Self.basis(of: pipeline, jobs: rows, now: now, in: database))
      return JobArming(rows, now: now).isNeeded(plans, retriesFailures: retriesFailures)
    }
    guard isNeeded else { return false }
    return try await write("arm jobs") { database in
      let rows = try Self.rows(of: pipeline, in: database)
      let plans = plan(try Self.basis(of: pipeline, jobs: rows, now: now, in: database))
      return try JobArming(rows, now: now).apply(
        plans, of: pipeline, retriesFailures: retriesFailures, in: database)
    }
  }

  private static func basis(
    of pipeline: String, jobs: [Row], now: Date, in database: Database
  ) throws -> PlanningBasis {
    var extracted: [String: String] = [:]
    for row in jobs where row["stage"] == Stage.extract.rawValue {
      if let done: String = row["done"] { extracted[row["scope"]] = done }
    }
    return PlanningBasis(
      now: now, heads: try heads(of: pipeline, in: database), ownTips: try lastTips(of: pipeline, in: database),
      work: try pendingWork(of: pipeline, in: database), extracted: extracted,
      failing: FailingVendors(
        try jobs.filter { $0["failing_since"] as Double? != nil }.map(JobRows.job), now: now
      ).since)
  }

  private static func rows(of pipeline: String, in database: Database) throws -> [Row] {
    try Row.fetchAll(
      database.cachedStatement(sql: "SELECT * FROM job WHERE pipeline = ? ORDER BY id"), arguments: [pipeline])
  }

  package func jobs(of pipeline: String) async throws -> [Job] {
    try await read("read jobs") { try Self.rows(of: pipeline, in: $0).map(JobRows.job) }
  }

  package func claimJobs(
    of pipelines: Set<String>, stages: Set<Stage>, owner: String, lease: Duration, limit: Int
  ) async throws -> [Job] {
    let now = clock()
    let held = Lease(owner: owner, until: now.addingTimeInterval(lease.seconds))
    let stages = "[" + stages.map { "\"\($0.rawValue)\"" }.sorted().joined(separator: ",") + "]"
    let candidates: @Sendable (Database) throws -> [Row] = { database in
      let due = try Row.fetchCursor(
        database.cachedStatement(sql: Self.claimable), arguments: [now.timeIntervalSince1970, stages])
      var rows: [Row] = []
      while rows.count < limit, let row = try due.next() {
        if pipelines.contains(row["pipeline"]) { rows.append(row.copy()) }
      }
      return rows
    }
    guard try await !read("look for jobs", { try candidates($0).isEmpty }) else { return [] }
    return try await write("claim jobs") { database in
      var claimed: [Job] = []
      var busy: Set<[String]> = []
      for row in try candidates(database) where busy.insert([row["pipeline"], row["lane"]]).inserted {
        var job = try JobRows.job(row)
        if job.state.name == .waiting {
          job = try job.applying(.due(at: now))
          guard try JobRows.save(job, at: now, in: database) else { continue }
        }
        job = try job.applying(.claim(held))
        guard try JobRows.save(job, at: now, in: database) else { continue }
        claimed.append(job)
      }
      return claimed
    }
  }

  /// Selects due jobs that nothing blocks: no job of the same lane is running, and no job of a stage that they wait for is due or
  /// running. The rows come in the order of the index, longest due first. The caller checks which pipelines run in this process, because
  /// a list of a thousand names would cost more than the rest of the statement.
  private static let claimable = """
    SELECT * FROM job AS own WHERE state IN ('queued', 'waiting') AND due <= ?1
      AND stage IN (SELECT value FROM json_each(?2))
      AND NOT EXISTS (SELECT 1 FROM job AS other WHERE other.pipeline = own.pipeline
        AND other.state IN ('queued', 'running', 'waiting')
        AND (other.state = 'running' AND other.lane = own.lane
          OR (other.state = 'running' OR other.due <= ?1) AND instr(own.waits_for, ' ' || other.stage || ' ')))
    ORDER BY due, id
    """

  @discardableResult
  package func move(
    _ job: Job, by event: JobEvent, changes: [LedgerChange], findings: [Diagnostic]?
  ) async throws -> Job {
    let now = clock()
    return try await write("move job \(job.id.rawValue)") { database in
      let (row, stored) = try JobRows.held(job, in: database)
      var moved = try stored.applying(event, at: now)
      let isWantedAgain = stored.inputs != job.inputs || row["again"] as Bool
      if moved.state.name == .succeeded { moved.done = job.inputs }
      if isWantedAgain, moved.state.name != .running {
        // Its inputs changed or it was woken while it ran. It runs again at the saved due time.
        moved.state = .queued(due: JobRows.date(row["due"]))
        moved.attempts = 0
      }
      guard try JobRows.save(moved, at: now, in: database) else { throw StoreConflict(job: job.id) }
      if let findings, findings != stored.findings {
        moved.findings = findings
        try database.execute(
          sql: "UPDATE job SET findings = ? WHERE id = ?",
          arguments: [try JobRows.text(of: findings), job.id.rawValue])
      }
      try LedgerWriter(database: database, pipeline: job.pipeline).apply(changes)
      return moved
    }
  }

  package func record(_ changes: [LedgerChange], under job: Job) async throws {
    try await write("change ledger") { database in
      _ = try JobRows.held(job, in: database)
      try LedgerWriter(database: database, pipeline: job.pipeline).apply(changes)
    }
  }

  package func heartbeat(_ job: Job, for length: Duration) async throws {
    let now = clock()
    let until = now.addingTimeInterval(length.seconds)
    try await write("prolong lease") { database in
      let (row, stored) = try JobRows.held(job, in: database)
      guard try JobRows.save(stored.applying(.heartbeat(until: until)), at: now, in: database) else {
        throw StoreConflict(job: job.id)
      }
      // `save` resets the due time and the wake-up that were saved for after the job's end.
      try database.execute(
        sql: "UPDATE job SET due = ?, again = ? WHERE id = ?",
        arguments: [row["due"] as Double?, row["again"] as Bool, row["id"] as Int64])
    }
  }

  package func recoverJobs(except owner: String) async throws {
    let now = clock()
    try await write("recover jobs") { database in
      // The folder is locked, so no other process that could hold a lease is running.
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM job WHERE state = 'running' AND lease_owner <> ?", arguments: [owner])
      try JobRows.move(rows, by: .leaseExpired(at: now), at: now, in: database)
    }
  }

  package func wake(_ pipeline: String, stage: Stage?, scope: String?) async throws {
    let now = clock()
    try await write("wake jobs") { database in
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM job WHERE pipeline = ? AND state IN ('queued', 'waiting') AND due > ?
            AND (?3 IS NULL OR stage = ?3) AND (?4 IS NULL OR scope = ?4)
          """,
        arguments: [pipeline, now.timeIntervalSince1970, stage?.rawValue, scope])
      try JobRows.move(rows, by: .due(at: now), at: now, in: database)
      try database.execute(
        sql: """
          UPDATE job SET again = 1, due = ? WHERE pipeline = ? AND state = 'running'
            AND (?3 IS NULL OR stage = ?3) AND (?4 IS NULL OR scope = ?4)
          """,
        arguments: [now.timeIntervalSince1970, pipeline, stage?.rawValue, scope])
    }
  }

  package func nextDue(of pipelines: Set<String>) async throws -> Date? {
    let now = clock().timeIntervalSince1970
    return try await read("read jobs") { database in
      let waiting = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT due, pipeline FROM job WHERE state IN ('queued', 'waiting') AND due > ? ORDER BY due"),
        arguments: [now])
      while let row = try waiting.next() {
        if pipelines.contains(row["pipeline"]) { return Date(timeIntervalSince1970: row["due"]) }
      }
      return nil
    }
  }
}
