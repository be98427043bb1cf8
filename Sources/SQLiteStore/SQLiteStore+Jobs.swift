package import FoundationEssentials
internal import GRDB
package import Pipeline

extension SQLiteStore {
  package func startRun(pipeline: String, branch: String, commit: CommitID, now: Date) async throws -> Run {
    try await startRunNow(pipeline, branch, commit, now)
  }

  private func startRunNow(_ pipeline: String, _ branch: String, _ commit: CommitID, _ now: Date) async throws -> Run {
    try await write("start run of \(branch)") { database in
      let head = try Row.fetchOne(
        database, sql: "SELECT run.* FROM branch JOIN run ON run.id = run_id WHERE branch.pipeline = ? AND name = ?",
        arguments: [pipeline, branch]
      ).map(JobRows.run)
      if let head, head.commit == commit { return head }
      let planned = try head.map { head in
        try Bool.fetchOne(
          database,
          sql: "SELECT EXISTS (SELECT 1 FROM job WHERE run_id = ? AND stage = 'diff' AND state = 'succeeded')",
          arguments: [head.id.rawValue]) ?? false
      }
      let pending = planned == true ? now : head?.pendingSince
      try database.execute(
        sql: """
          INSERT INTO run (pipeline, branch, commit_id, created, pending_since) VALUES (?, ?, ?, ?, ?)
          ON CONFLICT DO NOTHING
          """,
        arguments: [
          pipeline, branch, commit.rawValue, now.timeIntervalSince1970, pending?.timeIntervalSince1970,
        ])
      let isNew = database.changesCount == 1
      guard
        let run = try Row.fetchOne(
          database, sql: "SELECT * FROM run WHERE pipeline = ? AND branch = ? AND commit_id = ?",
          arguments: [pipeline, branch, commit.rawValue]
        ).map(JobRows.run)
      else { throw damaged("a run that was inserted is not there") }
      try database.execute(
        sql: "INSERT OR REPLACE INTO branch (pipeline, name, run_id) VALUES (?, ?, ?)",
        arguments: [pipeline, branch, run.id.rawValue])
      try cancelBranchJobs(of: pipeline, branch: branch, except: run.id, in: database)
      let scope = isNew ? "" : "again \(Int64(now.timeIntervalSince1970))"
      try JobRows.insert(
        [NewJob(run: run.id, stage: .extract, scope: scope, lane: run.lane, due: now)], in: database)
      return run
    }
  }

  /// Jobs of stages that belong to one commit; push and pull go on for the whole pipeline.
  private func cancelBranchJobs(
    of pipeline: String, branch: String, except run: RunID?, in database: Database
  ) throws {
    let stages = Stage.allCases.filter(\.isOfBranch).map { "'\($0.rawValue)'" }.joined(separator: ", ")
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT job.* FROM job JOIN run ON run.id = job.run_id
        WHERE job.pipeline = ? AND run.branch = ? AND run.id <> ? AND job.stage IN (\(stages))
          AND job.state IN ('queued', 'running', 'waiting')
        """,
      arguments: [pipeline, branch, run?.rawValue ?? -1])
    try JobRows.move(rows, by: .cancel, in: database)
  }

  package func keepBranches(_ names: Set<String>, of pipeline: String) async throws {
    try await keepBranchesNow(names, pipeline)
  }

  private func keepBranchesNow(_ names: Set<String>, _ pipeline: String) async throws {
    try await write("forget branches") { database in
      let known = try String.fetchAll(
        database, sql: "SELECT name FROM branch WHERE pipeline = ?", arguments: [pipeline])
      for name in known where !names.contains(name) {
        try database.execute(
          sql: "DELETE FROM branch WHERE pipeline = ? AND name = ?", arguments: [pipeline, name])
        try cancelBranchJobs(of: pipeline, branch: name, except: nil, in: database)
      }
    }
  }

  package func heads(of pipeline: String) async throws -> [Run] {
    try await read("read heads") { database in
      try Row.fetchAll(
        database,
        sql: "SELECT run.* FROM branch JOIN run ON run.id = run_id WHERE branch.pipeline = ? ORDER BY name",
        arguments: [pipeline]
      ).map(JobRows.run)
    }
  }

  package func run(_ id: RunID) async throws -> Run? {
    try await read("read run") {
      try Row.fetchOne($0, sql: "SELECT * FROM run WHERE id = ?", arguments: [id.rawValue]).map(JobRows.run)
    }
  }

  package func claimJobs(of pipelines: Set<String>, lease: Lease, now: Date, limit: Int) async throws -> [Job] {
    try await claimJobsNow(pipelines, lease, now, limit)
  }

  private func claimJobsNow(_ pipelines: Set<String>, _ lease: Lease, _ now: Date, _ limit: Int) async throws -> [Job] {
    let names = try await read("look for jobs") {
      try unfinished(of: pipelines, due: now, in: $0).isEmpty
    }
    guard !names else { return [] }
    return try await write("claim jobs") { database in
      var claimed: [Job] = []
      let rows = try unfinished(of: pipelines, due: now, in: database)
      for (_, own) in Dictionary(grouping: rows, by: { $0["pipeline"] as String }).sorted(by: { $0.key < $1.key }) {
        var jobs = try own.map { (job: try JobRows.job($0), lane: $0["lane"] as String) }
        let front = jobs.map(\.job.stage.rank).min() ?? 0
        var busy = Set(jobs.filter { $0.job.state.name == .running }.map(\.lane))
        jobs.removeAll { $0.job.state.name == .running || $0.job.stage.rank != front }
        for (job, lane) in jobs.sorted(by: { $0.job.id < $1.job.id }) {
          guard claimed.count < limit, busy.insert(lane).inserted else { continue }
          var job = job
          if job.state.name == .waiting {
            job = try job.applying(.due(at: now))
            guard try JobRows.save(job, in: database) else { continue }
          }
          job = try job.applying(.claim(lease))
          guard try JobRows.save(job, in: database) else { continue }
          claimed.append(job)
        }
      }
      return claimed
    }
  }

  /// Jobs that are running or due.
  private func unfinished(of pipelines: Set<String>, due: Date, in database: Database) throws -> [Row] {
    let marks = databaseQuestionMarks(count: pipelines.count)
    var arguments = StatementArguments(pipelines.sorted())
    arguments += [due.timeIntervalSince1970]
    return try Row.fetchAll(
      database,
      sql: """
        SELECT * FROM job WHERE pipeline IN (\(marks))
          AND (state = 'running' OR (state IN ('queued', 'waiting') AND due <= ?)) ORDER BY id
        """,
      arguments: arguments)
  }

  package func enqueue(_ jobs: [NewJob]) async throws { try await enqueueNow(jobs) }

  private func enqueueNow(_ jobs: [NewJob]) async throws {
    try await write("enqueue jobs") { try JobRows.insert(jobs, in: $0) }
  }

  @discardableResult
  package func move(_ job: Job, by event: JobEvent, next: [NewJob], changes: [LedgerChange]) async throws -> Job {
    try await moveNow(job, event, next, changes)
  }

  private func moveNow(_ job: Job, _ event: JobEvent, _ next: [NewJob], _ changes: [LedgerChange]) async throws -> Job {
    try await write("move job \(job.id.rawValue)") { database in
      var job = job
      // A heartbeat of ours may have counted the version up meanwhile.
      if let row = try Row.fetchOne(database, sql: "SELECT * FROM job WHERE id = ?", arguments: [job.id.rawValue]) {
        let stored = try JobRows.job(row)
        if case .running(let lease) = stored.state, case .running(let own) = job.state, lease.owner == own.owner,
          stored.attempts == job.attempts
        {
          job = stored
        }
      }
      let moved = try job.applying(event)
      guard try JobRows.save(moved, in: database) else { throw StoreConflict(job: job.id) }
      try JobRows.insert(next, in: database)
      try LedgerWriter(database: database, pipeline: job.pipeline).apply(changes)
      return moved
    }
  }

  package func heartbeat(_ job: Job, until: Date) async throws { try await heartbeatNow(job, until) }

  private func heartbeatNow(_ job: Job, _ until: Date) async throws {
    try await write("prolong lease") { database in
      guard case .running(let own) = job.state,
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM job WHERE id = ? AND state = 'running' AND lease_owner = ?",
          arguments: [job.id.rawValue, own.owner])
      else { return }
      _ = try JobRows.save(JobRows.job(row).applying(.heartbeat(until: until)), in: database)
    }
  }

  package func recoverJobs(now: Date, all: Bool) async throws { try await recoverJobsNow(now, all) }

  private func recoverJobsNow(_ now: Date, _ all: Bool) async throws {
    try await write("recover jobs") { database in
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM job WHERE state = 'running' AND (? OR lease_until < ?)",
        arguments: [all, now.timeIntervalSince1970])
      try JobRows.move(rows, by: .leaseExpired(at: now), in: database)
    }
  }

  package func wake(_ pipeline: String, now: Date) async throws { try await wakeNow(pipeline, now) }

  private func wakeNow(_ pipeline: String, _ now: Date) async throws {
    try await write("wake jobs") { database in
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT * FROM job WHERE pipeline = ? AND state IN ('queued', 'waiting') AND due > ?",
        arguments: [pipeline, now.timeIntervalSince1970])
      try JobRows.move(rows, by: .due(at: now), in: database)
    }
  }

  package func unfinishedJobs(of pipeline: String) async throws -> [Job] {
    try await read("read jobs") { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM job WHERE pipeline = ? AND state IN ('queued', 'running', 'waiting') ORDER BY id",
        arguments: [pipeline]
      ).map(JobRows.job)
    }
  }

  package func nextDue(of pipelines: Set<String>) async throws -> Date? {
    try await read("read jobs") { database in
      try Double.fetchOne(
        database,
        sql: """
          SELECT min(due) FROM job WHERE state IN ('queued', 'waiting')
            AND pipeline IN (\(databaseQuestionMarks(count: pipelines.count)))
          """,
        arguments: StatementArguments(pipelines.sorted())
      ).map { Date(timeIntervalSince1970: $0) }
    }
  }

  package func failedJobs(of run: RunID) async throws -> [Job] {
    try await read("read jobs") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT * FROM job AS old WHERE run_id = ? AND state = 'failed' AND NOT EXISTS
            (SELECT 1 FROM job WHERE run_id = old.run_id AND stage = old.stage AND id > old.id AND state = 'succeeded')
          ORDER BY id
          """,
        arguments: [run.rawValue]
      ).map(JobRows.job)
    }
  }
}
