package import FoundationEssentials
internal import GRDB
import Localization
import Pipeline

/// New names of pipelines and vendors, and what is no longer needed.
extension SQLiteStore {
  package func renamePipeline(_ old: String, to new: String) async throws {
    guard old != new else { return }
    try await write("rename pipeline") { database in
      // Every table of a pipeline's rows names it in a column of the same name.
      var tables = try Self.tables(with: "pipeline", in: database).map { (table: $0, column: "pipeline") }
      tables.append((table: "pipeline", column: "name"))
      func isUsed(_ name: String) throws -> Bool {
        try tables.contains { table, column in
          try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM \"\(table)\" WHERE \(column) = ?)", arguments: [name]) == true
        }
      }
      guard try isUsed(old) else { return }
      guard try !isUsed(new) else {
        throw PipelineError(
          .inconsistent, operation: "rename pipeline \(old)",
          detail: "the ledger already has entries of a pipeline named \(new); choose another name",
          disposition: .askPerson)
      }
      for (table, column) in tables {
        try database.execute(
          sql: "UPDATE \"\(table)\" SET \(column) = ? WHERE \(column) = ?", arguments: [new, old])
      }
    }
  }

  package func renameVendor(_ old: String, to new: String, of pipeline: String) async throws {
    guard old != new else { return }
    try await write("rename vendor") { database in
      // Whatever else has a vendor belongs to one of these, which are small or have an index.
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
            "the ledger of pipeline \(pipeline) already has entries of a vendor named \(new); choose another name",
          disposition: .askPerson)
      }
      for table in try Self.tables(with: "vendor", in: database) {
        try database.execute(
          sql: "UPDATE \"\(table)\" SET vendor = ? WHERE pipeline = ? AND vendor = ?", arguments: [new, pipeline, old])
      }
      // Jobs are planned anew from what is.
      try database.execute(
        sql: "DELETE FROM job WHERE pipeline = ? AND stage IN ('push', 'pull') AND scope = ?",
        arguments: [pipeline, old])
    }
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
      // The statistics are taken from a sample: reading whole indices of a large ledger would keep writers waiting.
      try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
      try Self.emptyLog(of: database)
    }
  }
}
