package import FoundationEssentials
internal import GRDB
import Localization
import Pipeline

/// Renames pipelines and vendors, and deletes old data.
extension SQLiteStore {
  package func renamePipeline(_ old: String, to new: String) async throws {
    guard old != new else { return }
    try await write("rename pipeline") { database in
      // All tables with rows of a pipeline have its name in a column `pipeline`.
      var tables = try Self.tables(with: "pipeline", in: database).map { (table: $0, column: "pipeline") }
      tables.append((table: "pipeline", column: "name"))
      func isUsed(_ name: String) throws -> Bool {
        try tables.contains { table, column in
          try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM \"\(table)\" WHERE \(column) = ?)", arguments: [name]) == true
        }
      }
      func rename(_ name: String, to new: String) throws {
        for (table, column) in tables {
          try database.execute(
            sql: "UPDATE \"\(table)\" SET \(column) = ? WHERE \(column) = ?", arguments: [new, name])
        }
      }
      guard try isUsed(old) else { return }
      // A row that only records a watch fault under the new name is not kept.
      try database.execute(
        sql: "DELETE FROM pipeline WHERE name = ? AND revision = 0 AND decisions = 0", arguments: [new])
      if try isUsed(new) {
        // The pipeline was started under the new name before `formerly` was set. It has sent nothing yet, because the old name owns its
        // vendors.
        guard try !Self.hasEffects(new, in: database) else {
          throw PipelineError(
            .refused, operation: "rename pipeline \(old)",
            detail:
              "pipeline \(new) already sent or delivered units of its own. Remove `formerly: \(old)`, or choose another name",
            disposition: .askPerson)
        }
        // The ledger never deletes data: the units are withdrawn and kept under a separate name.
        var retired = "\(new) (unused)"
        while try isUsed(retired) { retired += "'" }
        try database.execute(
          sql: "UPDATE sent_unit SET state = 'withdrawn', notified = 1 WHERE pipeline = ? AND state = 'outstanding'",
          arguments: [new])
        try database.execute(sql: "DELETE FROM job WHERE pipeline = ?", arguments: [new])
        try rename(new, to: retired)
      }
      try rename(old, to: new)
    }
  }

  package func renameVendor(_ old: String, to new: String, of pipeline: String) async throws {
    guard old != new else { return }
    try await write("rename vendor") { database in
      // All other tables with vendors refer to these two, which are small or have an index.
      func isUsed(_ name: String) throws -> Bool {
        try ["shipment", "bundle"].contains { table in
          try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM \(table) WHERE pipeline = ? AND vendor = ?)",
            arguments: [pipeline, name]) == true
        }
      }
      guard try isUsed(old) else { return }
      guard try !isUsed(new) else {
        throw PipelineError(
          .inconsistent, operation: "rename vendor \(old)",
          detail:
            "the ledger of pipeline \(pipeline) already has entries of a vendor named \(new). Choose another name",
          disposition: .askPerson)
      }
      for table in try Self.tables(with: "vendor", in: database) {
        try database.execute(
          sql: "UPDATE \"\(table)\" SET vendor = ? WHERE pipeline = ? AND vendor = ?", arguments: [new, pipeline, old])
      }
      // Jobs are planned again from the current state.
      try database.execute(
        sql: "DELETE FROM job WHERE pipeline = ? AND stage IN ('push', 'pull') AND scope = ?",
        arguments: [pipeline, old])
    }
  }

  /// Whether a pipeline has sent, received or delivered anything.
  private static func hasEffects(_ pipeline: String, in database: Database) throws -> Bool {
    try [
      "SELECT EXISTS (SELECT 1 FROM shipment WHERE pipeline = ? AND receipt IS NOT NULL)",
      "SELECT EXISTS (SELECT 1 FROM bundle WHERE pipeline = ?)",
      "SELECT EXISTS (SELECT 1 FROM delivery WHERE pipeline = ?)",
    ].contains { try Bool.fetchOne(database, sql: $0, arguments: [pipeline]) == true }
  }

  private static func tables(with column: String, in database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT t.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
        WHERE t.type = 'table' AND c.name = ? ORDER BY t.name
        """,
      arguments: [column])
  }

  package func prune(of pipeline: String, olderThan instant: Date) async throws {
    try await write("delete old runs") { database in
      try database.execute(
        sql: """
          DELETE FROM run WHERE pipeline = ? AND created < ?
            AND NOT EXISTS (SELECT 1 FROM branch WHERE branch.pipeline = run.pipeline AND branch.run_id = run.id)
            AND (compared IS NULL OR EXISTS
              (SELECT 1 FROM run AS later WHERE later.pipeline = run.pipeline AND later.branch = run.branch
                AND later.compared > run.compared))
          """,
        arguments: [pipeline, instant.timeIntervalSince1970])
    }
    try await maintain("tidy the ledger") { database in
      // The statistics use a sample: reading whole indexes of a large ledger would block writers.
      try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
      try Self.emptyLog(of: database)
    }
  }
}
