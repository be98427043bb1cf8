import FoundationEssentials
import LedgerStore
import Localization
package import Pipeline
import PostgreSQLClient

/// The assignment of pipelines to workers.
extension PostgreSQLStore: FleetStore {
  package func attend(
    _ worker: FleetWorker, wanted: Set<String>?, lease: Duration
  ) async throws -> [String: Int64] {
    try await write("assign pipelines", of: nil) { transaction in
      let now = try transaction.now().timeIntervalSince1970
      try transaction.execute(
        """
        INSERT INTO worker (id, name, started, until, file_faults) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE SET until = excluded.until, file_faults = excluded.file_faults
        """, [worker.id, worker.name, now, now + lease.seconds, worker.fileFaults])
      try Self.freePipelines(at: now, in: transaction)
      let could = wanted.map { SQLValue.texts($0.sorted()) }
      let all =
        wanted == nil ? "SELECT name FROM definition WHERE ?1::text[] IS NULL" : "SELECT value FROM json_each(?1)"
      try Self.enter(all, could, in: transaction)
      try transaction.execute(
        "UPDATE pipeline SET holder = NULL WHERE holder = ?2 AND name NOT IN (\(all))", [could, worker.id])
      let held = try transaction.values(
        String.self, "SELECT name FROM pipeline WHERE holder = ? ORDER BY name", [worker.id])
      let count = try transaction.value(Int.self, "SELECT count(*) FROM (\(all)) AS t", [could]) ?? 0
      let workers = try transaction.value(Int.self, "SELECT count(*) FROM worker") ?? 1
      let share = (count + workers - 1) / max(1, workers)
      if held.count < share {
        let taken = try transaction.values(
          String.self,
          """
          UPDATE pipeline SET holder = ?2, last_holder = ?3 WHERE name IN
            (SELECT name FROM pipeline WHERE holder IS NULL AND name IN (\(all))
              ORDER BY last_holder = ?3 DESC NULLS LAST, name LIMIT ?4 FOR UPDATE SKIP LOCKED)
          RETURNING name
          """, [could, worker.id, worker.name, share - held.count])
        try JobRecovery.recover(taken, except: worker.id, in: transaction)
      } else if held.count > share {
        try Self.giveUp(min(held.count - share, max(1, count / 50)), of: worker, in: transaction)
      }
      let rows = try transaction.rows(
        """
        SELECT p.name, coalesce(d.version, 0) FROM pipeline AS p LEFT JOIN definition AS d ON d.name = p.name
        WHERE p.holder = ?
        """, [worker.id])
      return Dictionary(rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Removes the workers whose leases have expired, and frees the pipelines of all removed workers. A pipeline that another transaction is changing
  /// is skipped until the next call.
  private static func freePipelines(at now: Double, in transaction: any SQLTransaction) throws {
    try transaction.execute(
      "DELETE FROM worker WHERE id IN (SELECT id FROM worker WHERE until < ? FOR UPDATE SKIP LOCKED)", [now])
    try transaction.execute(
      """
      UPDATE pipeline SET holder = NULL WHERE name IN
        (SELECT name FROM pipeline WHERE holder IS NOT NULL AND NOT EXISTS
          (SELECT 1 FROM worker WHERE worker.id = pipeline.holder) FOR UPDATE SKIP LOCKED)
      """, [])
  }

  /// Adds rows for new pipelines, because a worker can hold a pipeline that has no other data in the ledger yet.
  /// - Parameters:
  ///   - names: a statement that selects the names of the pipelines.
  ///   - argument: the argument of the statement.
  private static func enter(_ names: String, _ argument: SQLValue?, in transaction: any SQLTransaction) throws {
    try transaction.execute(
      """
      INSERT INTO pipeline (name, revision) SELECT wanted.name, 0 FROM (\(names)) AS wanted (name)
      WHERE NOT EXISTS (SELECT 1 FROM pipeline AS known WHERE known.name = wanted.name)
      ORDER BY wanted.name ON CONFLICT DO NOTHING
      """, [argument])
  }

  /// Frees up to `count` of a worker's pipelines that have no running job. Workers with fewer pipelines can then hold these pipelines.
  private static func giveUp(_ count: Int, of worker: FleetWorker, in transaction: any SQLTransaction) throws {
    try transaction.execute(
      """
      UPDATE pipeline SET holder = NULL, last_holder = NULL WHERE name IN
        (SELECT name FROM pipeline AS own WHERE holder = ?1 AND NOT EXISTS
          (SELECT 1 FROM job WHERE job.pipeline = own.name AND job.state = 'running')
          ORDER BY name DESC LIMIT ?2 FOR UPDATE SKIP LOCKED)
      """, [worker.id, count])
  }

  package func succeed(_ worker: FleetWorker) async throws {
    try await write("remove an earlier worker", of: nil) { transaction in
      try transaction.execute("DELETE FROM worker WHERE name = ? AND id <> ?", [worker.name, worker.id])
      try Self.freePipelines(at: transaction.now().timeIntervalSince1970, in: transaction)
    }
  }

  package func leave(_ worker: FleetWorker) async throws {
    try await write("release pipelines", of: nil) { transaction in
      try transaction.execute("DELETE FROM worker WHERE id = ?", [worker.id])
      try transaction.execute("UPDATE pipeline SET holder = NULL WHERE holder = ?", [worker.id])
    }
  }

  package func workers() async throws -> [FleetMember] {
    try await read("read workers") { transaction in
      try transaction.rows(
        """
        SELECT w.name, w.started, w.until, (SELECT count(*) FROM pipeline AS p WHERE p.holder = w.id), w.file_faults
        FROM worker AS w WHERE w.until >= ? ORDER BY w.name, w.id
        """, [transaction.now().timeIntervalSince1970]
      ).map { row in
        FleetMember(
          name: row[0], started: Date(timeIntervalSince1970: row[1]), until: Date(timeIntervalSince1970: row[2]),
          pipelines: row[3], fileFaults: row[4])
      }
    }
  }

  package func prolong(_ worker: FleetWorker, lease: Duration) async throws {
    try await write("extend a worker's lease", of: nil) { transaction in
      try transaction.execute(
        "UPDATE worker SET until = ? WHERE id = ?",
        [transaction.now().timeIntervalSince1970 + lease.seconds, worker.id])
    }
  }

  /// Returns the identity of this installation; `nil` if no worker has run yet and no ledger was moved into the database.
  package func knownInstallation() throws -> String? {
    do {
      return try pool.with { connection in
        try connection.transaction(.reading) {
          try PostgreSQLTransaction(connection: connection, clock: clock)
            .value(String.self, "SELECT identity FROM installation")
        }
      }
    } catch {
      throw wrapped(error, "read the installation")
    }
  }

  package func installation(orElse identity: String) throws -> String {
    do {
      return try pool.with { connection in
        try connection.transaction(.writing) {
          let transaction = PostgreSQLTransaction(connection: connection, clock: clock)
          try transaction.execute("INSERT INTO installation (identity) VALUES (?) ON CONFLICT DO NOTHING", [identity])
          return try transaction.value(String.self, "SELECT identity FROM installation") ?? identity
        }
      }
    } catch {
      throw wrapped(error, "read the installation")
    }
  }
}
