import FoundationEssentials
package import Pipeline

/// Functions that record people's decisions, and functions for the audit log and the tokens of the API.
extension SQLLedger {
  package func overrule(_ reason: String, for id: ReturnedUnitID, on branch: String) async throws {
    try await write("accept held unit", of: nil) { transaction in
      let pipeline = try Self.decide(on: id, branch, states: [nil, "held"], in: transaction) {
        try transaction.execute(
          "DELETE FROM branch_outcome WHERE returned_unit_id = ? AND branch = ?", [id.rawValue, branch])
      }
      try transaction.execute(
        """
        INSERT INTO overruled_reason (returned_unit_id, branch, reason, pipeline) VALUES (?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """, [id.rawValue, branch, reason, pipeline])
    }
  }

  package func overruled(of pipeline: String, branch: String) async throws -> [ReturnedUnitID: Set<String>] {
    try await read("read decisions") { transaction in
      var found: [ReturnedUnitID: Set<String>] = [:]
      try transaction.forEach(
        "SELECT returned_unit_id, reason FROM overruled_reason WHERE pipeline = ? AND branch = ?", [pipeline, branch]
      ) { row in
        found[ReturnedUnitID(rawValue: row[0]), default: []].insert(row[1])
      }
      return found
    }
  }

  package func drop(_ id: ReturnedUnitID, on branch: String) async throws {
    try await write("drop held unit", of: nil) { transaction in
      _ = try Self.decide(on: id, branch, states: ["held"], in: transaction) {
        try transaction.execute(
          """
          UPDATE branch_outcome SET state = 'passed over', reason = '{"code":"skipped"}'
          WHERE returned_unit_id = ? AND branch = ?
          """, [id.rawValue, branch])
      }
    }
  }

  /// Makes a change if the unit's outcome on a branch has one of the given states (`nil`: no outcome), and counts the change as a decision. Locks
  /// the unit's pipeline until the transaction ends.
  /// - Returns: the pipeline of the unit.
  /// - Throws: `PipelineError` if there is no such unit, or if its outcome has another state.
  private static func decide(
    on id: ReturnedUnitID, _ branch: String, states: [String?], in transaction: any SQLTransaction,
    _ change: () throws -> Void
  ) throws -> String {
    guard
      let pipeline = try transaction.value(
        String.self, "SELECT pipeline FROM returned_unit WHERE id = ?", [id.rawValue])
    else { throw PipelineError.notHeld(id, on: branch) }
    try transaction.lock([pipeline])
    let state = try transaction.value(
      String.self, "SELECT state FROM branch_outcome WHERE returned_unit_id = ? AND branch = ?", [id.rawValue, branch])
    guard states.contains(state) else { throw PipelineError.notHeld(id, on: branch) }
    try change()
    try LedgerWriter(transaction: transaction, pipeline: pipeline).decide()
    return pipeline
  }

  package func setPause(_ pause: PipelinePause?, of pipeline: String) async throws {
    try await write("pause pipeline", of: pipeline) { transaction in
      try transaction.execute(
        """
        INSERT INTO pipeline (name, revision, paused_since, paused_by, pause_reason) VALUES (?1, 0, ?2, ?3, ?4)
        ON CONFLICT (name) DO UPDATE SET paused_since = ?2, paused_by = ?3, pause_reason = ?4
        """, [pipeline, pause?.since.timeIntervalSince1970, pause?.by, pause?.reason])
    }
  }

  package func requestLook(at pipeline: String) async throws {
    try await write("request a check", of: pipeline) { transaction in
      try transaction.execute(
        """
        INSERT INTO pipeline (name, revision, looks) VALUES (?, 0, 1)
        ON CONFLICT (name) DO UPDATE SET looks = pipeline.looks + 1
        """, [pipeline])
    }
  }

  package func beginAudit(_ action: AuditAction) async throws -> AuditID {
    try await write("record an action", of: nil) { transaction in
      let ids = try transaction.insertAll(
        "INSERT INTO audit (at, actor, way, action, pipeline, subject, detail) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
        [
          [
            try transaction.now().timeIntervalSince1970, action.actor.name, action.actor.way.rawValue, action.action,
            action.pipeline, action.subject, action.detail,
          ]
        ])
      guard let id = ids.first else { throw damaged("an entry of the audit log has no number") }
      return AuditID(rawValue: id)
    }
  }

  package func settleAudit(_ id: AuditID, outcome: String) async throws {
    try await write("record the result of an action", of: nil) { transaction in
      try transaction.execute(
        "UPDATE audit SET outcome = ? WHERE id = ? AND outcome IS NULL", [outcome, id.rawValue])
    }
  }

  package func audit(of pipeline: String?, before id: AuditID?, limit: Int) async throws -> [AuditEntry] {
    try await read("read the audit log") { transaction in
      try transaction.rows(
        """
        SELECT id, at, actor, way, action, pipeline, subject, detail, outcome FROM audit
        WHERE (pipeline = ?1 OR ?1 IS NULL) AND id < ?2 ORDER BY id DESC LIMIT ?3
        """, [pipeline, id?.rawValue ?? Int64.max, limit]
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
    try await read("read tokens") { transaction in
      try transaction.rows("SELECT name, role, hash, created FROM api_token ORDER BY name").map { row in
        guard let role = Role(rawValue: row[1]) else { throw damaged("a token has no known role") }
        return APIToken(name: row[0], role: role, hash: row[2], created: JobRows.date(row[3]))
      }
    }
  }

  package func addToken(_ token: APIToken) async throws -> Bool {
    try await write("add token", of: nil) { transaction in
      try transaction.execute(
        "INSERT INTO api_token (name, role, hash, created) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO NOTHING",
        [token.name, token.role.rawValue, token.hash, token.created.timeIntervalSince1970]) == 1
    }
  }

  package func removeToken(named name: String) async throws -> Bool {
    try await write("remove token", of: nil) { transaction in
      try transaction.execute("DELETE FROM api_token WHERE name = ?", [name]) == 1
    }
  }
}
