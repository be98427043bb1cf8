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
      func rename(_ name: String, to new: String) throws {
        for (table, column) in tables {
          try database.execute(
            sql: "UPDATE \"\(table)\" SET \(column) = ? WHERE \(column) = ?", arguments: [new, name])
        }
      }
      guard try isUsed(old) else { return }
      // That it could not be put together or looked at under the new name is nothing to keep.
      try database.execute(
        sql: "DELETE FROM pipeline WHERE name = ? AND revision = 0 AND decisions = 0", arguments: [new])
      if try isUsed(new) {
        // Begun under the new name before it was said what the old one was, and kept from the vendors by the old one's claim.
        guard try !Self.hasEffects(new, in: database) else {
          throw PipelineError(
            .refused, operation: "rename pipeline \(old)",
            detail:
              "pipeline \(new) already sent or delivered units of its own. Remove `formerly: \(old)`, or choose another name",
            disposition: .askPerson)
        }
        // Nothing of a ledger is deleted: what was begun is called off, and kept under a name of its own.
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
            "the ledger of pipeline \(pipeline) already has entries of a vendor named \(new). Choose another name",
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

  /// Whether anything left this machine for a pipeline, or came back.
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
      // The statistics are taken from a sample: reading whole indices of a large ledger would keep writers waiting.
      try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
      try Self.emptyLog(of: database)
    }
  }
}
