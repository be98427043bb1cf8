import FoundationEssentials
internal import GRDB
package import Pipeline

/// Decisions of people, who did what, and the tokens of the API.
extension SQLiteStore {
  package func overrule(_ reason: String, for id: ReturnedUnitID, on branch: String) async throws {
    try await write("take held unit") { database in
      let pipeline = try Self.decide(on: id, branch, states: [nil, "held"], in: database) {
        try database.execute(
          sql: "DELETE FROM branch_outcome WHERE returned_unit_id = ? AND branch = ?",
          arguments: [id.rawValue, branch])
      }
      try database.execute(
        sql: """
          INSERT INTO overruled_reason (returned_unit_id, branch, reason, pipeline) VALUES (?, ?, ?, ?)
          ON CONFLICT DO NOTHING
          """, arguments: [id.rawValue, branch, reason, pipeline])
    }
  }

  package func overruled(of pipeline: String, branch: String) async throws -> [ReturnedUnitID: Set<String>] {
    try await read("read decisions") { database in
      var found: [ReturnedUnitID: Set<String>] = [:]
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: "SELECT returned_unit_id, reason FROM overruled_reason WHERE pipeline = ? AND branch = ?"),
        arguments: [pipeline, branch])
      while let row = try rows.next() { found[ReturnedUnitID(rawValue: row[0]), default: []].insert(row[1]) }
      return found
    }
  }

  package func drop(_ id: ReturnedUnitID, on branch: String) async throws {
    try await write("drop held unit") { database in
      _ = try Self.decide(on: id, branch, states: ["held"], in: database) {
        try database.execute(
          sql: """
            UPDATE branch_outcome SET state = 'passed over', reason = '{"code":"skipped"}'
            WHERE returned_unit_id = ? AND branch = ?
            """, arguments: [id.rawValue, branch])
      }
    }
  }

  /// Runs a change if a unit has one of these outcomes on a branch, and counts it as a decision.
  /// - Returns: the pipeline of the unit.
  private static func decide(
    on id: ReturnedUnitID, _ branch: String, states: [String?], in database: Database, _ change: () throws -> Void
  ) throws -> String {
    let row = try Row.fetchOne(
      database,
      sql: """
        SELECT r.pipeline, o.state FROM returned_unit AS r
        LEFT JOIN branch_outcome AS o ON o.returned_unit_id = r.id AND o.branch = ?2 WHERE r.id = ?1
        """, arguments: [id.rawValue, branch])
    guard let row, states.contains(row[1]) else { throw PipelineError.notHeld(id, on: branch) }
    let pipeline: String = row[0]
    try change()
    try LedgerWriter(database: database, pipeline: pipeline).decide()
    return pipeline
  }

  package func setPause(_ pause: PipelinePause?, of pipeline: String) async throws {
    try await write("pause pipeline") { database in
      try database.execute(
        sql: """
          INSERT INTO pipeline (name, revision, paused_since, paused_by, pause_reason) VALUES (?1, 0, ?2, ?3, ?4)
          ON CONFLICT (name) DO UPDATE SET paused_since = ?2, paused_by = ?3, pause_reason = ?4
          """, arguments: [pipeline, pause?.since.timeIntervalSince1970, pause?.by, pause?.reason])
    }
  }

  package func requestLook(at pipeline: String) async throws {
    try await write("request a look") { database in
      try database.execute(
        sql: """
          INSERT INTO pipeline (name, revision, looks) VALUES (?, 0, 1) ON CONFLICT (name) DO UPDATE SET looks = looks + 1
          """, arguments: [pipeline])
    }
  }

  package func controls() async throws -> [String: PipelineControl] {
    try await read("read pauses") { database in
      var controls: [String: PipelineControl] = [:]
      let rows = try Row.fetchCursor(
        database.cachedStatement(
          sql: """
            SELECT name, paused_since, paused_by, pause_reason, looks FROM pipeline
            WHERE paused_since IS NOT NULL OR looks > 0
            """))
      while let row = try rows.next() {
        let since: Double? = row[1]
        controls[row[0]] = PipelineControl(
          pause: since.map { PipelinePause(since: JobRows.date($0), by: row[2] ?? "", reason: row[3]) }, looks: row[4])
      }
      return controls
    }
  }

  package func beginAudit(_ action: AuditAction) async throws -> AuditID {
    let now = clock().timeIntervalSince1970
    return try await write("note an action") { database in
      try database.execute(
        sql: "INSERT INTO audit (at, actor, way, action, pipeline, subject, detail) VALUES (?, ?, ?, ?, ?, ?, ?)",
        arguments: [
          now, action.actor.name, action.actor.way.rawValue, action.action, action.pipeline, action.subject,
          action.detail,
        ])
      return AuditID(rawValue: database.lastInsertedRowID)
    }
  }

  package func settleAudit(_ id: AuditID, outcome: String) async throws {
    try await write("note how an action ended") { database in
      try database.execute(
        sql: "UPDATE audit SET outcome = ? WHERE id = ? AND outcome IS NULL", arguments: [outcome, id.rawValue])
    }
  }

  package func audit(of pipeline: String?, before id: AuditID?, limit: Int) async throws -> [AuditEntry] {
    try await read("read the audit log") { database in
      let chosen = pipeline == nil ? "?1 IS NULL" : "pipeline = ?1"
      return try Row.fetchAll(
        database,
        sql: """
          SELECT id, at, actor, way, action, pipeline, subject, detail, outcome FROM audit
          WHERE \(chosen) AND id < ?2 ORDER BY id DESC LIMIT ?3
          """, arguments: [pipeline, id?.rawValue ?? Int64.max, limit]
      ).map { row in
        guard let way = Actor.Way(rawValue: row[3]) else { throw damaged("an entry of the audit log has no known way") }
        return AuditEntry(
          id: AuditID(rawValue: row[0]), at: JobRows.date(row[1]),
          action: AuditAction(
            actor: Actor(name: row[2], way: way), action: row[4], pipeline: row[5], subject: row[6], detail: row[7]),
          outcome: row[8])
      }
    }
  }

  package func tokens() async throws -> [APIToken] {
    try await read("read tokens") { database in
      try Row.fetchAll(
        database.cachedStatement(sql: "SELECT name, role, hash, created FROM api_token ORDER BY name")
      ).map { row in
        guard let role = Role(rawValue: row[1]) else { throw damaged("a token has no known role") }
        return APIToken(name: row[0], role: role, hash: row[2], created: JobRows.date(row[3]))
      }
    }
  }

  package func addToken(_ token: APIToken) async throws -> Bool {
    try await write("add token") { database in
      try database.execute(
        sql: "INSERT INTO api_token (name, role, hash, created) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
        arguments: [token.name, token.role.rawValue, token.hash, token.created.timeIntervalSince1970])
      return database.changesCount == 1
    }
  }

  package func removeToken(named name: String) async throws -> Bool {
    try await write("remove token") { database in
      try database.execute(sql: "DELETE FROM api_token WHERE name = ?", arguments: [name])
      return database.changesCount == 1
    }
  }
}
