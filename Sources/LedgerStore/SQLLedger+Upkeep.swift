package import FoundationEssentials
import Localization
import Pipeline

/// Renames pipelines and vendors, and deletes old data.
extension SQLLedger {
  package func renamePipeline(_ old: String, to new: String) async throws {
    guard old != new else { return }
    try await write("rename pipeline", of: nil) { transaction in
      try transaction.lock([old, new])
      // All tables with rows of a pipeline have its name in a column `pipeline`.
      var tables = try transaction.tables(with: "pipeline").map { (table: $0, column: "pipeline") }
      tables.append((table: "pipeline", column: "name"))
      func isUsed(_ name: String) throws -> Bool {
        try tables.contains { table, column in
          try transaction.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM \"\(table)\" WHERE \(column) = ?)", [name])
            == true
        }
      }
      func rename(_ name: String, to new: String) throws {
        for (table, column) in tables {
          try transaction.execute("UPDATE \"\(table)\" SET \(column) = ? WHERE \(column) = ?", [new, name])
        }
      }
      guard try isUsed(old) else { return }
      // A row that only records a watch fault under the new name is not kept.
      try transaction.execute("DELETE FROM pipeline WHERE name = ? AND revision = 0 AND decisions = 0", [new])
      if try isUsed(new) {
        // The pipeline was started under the new name before `formerly` was set. It has sent nothing yet, because the old name owns its
        // vendors.
        guard try !Self.hasEffects(new, in: transaction) else {
          throw PipelineError(
            .refused, operation: "rename pipeline \(old)",
            detail:
              "pipeline \(new) already sent or delivered units of its own. Remove `formerly: \(old)`, or choose another name",
            disposition: .askPerson)
        }
        // The ledger never deletes data: the units are withdrawn and kept under a separate name.
        var retired = "\(new) (unused)"
        while try isUsed(retired) { retired += "'" }
        try transaction.execute(
          "UPDATE sent_unit SET state = 'withdrawn', notified = 1 WHERE pipeline = ? AND state = 'outstanding'", [new])
        try transaction.execute("DELETE FROM job WHERE pipeline = ?", [new])
        try rename(new, to: retired)
      }
      try rename(old, to: new)
    }
  }

  package func renameVendor(_ old: String, to new: String, of pipeline: String) async throws {
    guard old != new else { return }
    try await write("rename vendor", of: pipeline) { transaction in
      // All other tables with vendors refer to these two, which are small or have an index.
      func isUsed(_ name: String) throws -> Bool {
        try ["shipment", "bundle"].contains { table in
          try transaction.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM \(table) WHERE pipeline = ? AND vendor = ?)", [pipeline, name])
            == true
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
      for table in try transaction.tables(with: "vendor") {
        try transaction.execute(
          "UPDATE \"\(table)\" SET vendor = ? WHERE pipeline = ? AND vendor = ?", [new, pipeline, old])
      }
      // Jobs are planned again from the current state.
      try transaction.execute(
        "DELETE FROM job WHERE pipeline = ? AND stage IN ('push', 'pull') AND scope = ?", [pipeline, old])
    }
  }

  /// Whether a pipeline has sent, received or delivered anything.
  private static func hasEffects(_ pipeline: String, in transaction: any SQLTransaction) throws -> Bool {
    try [
      "SELECT EXISTS (SELECT 1 FROM shipment WHERE pipeline = ? AND receipt IS NOT NULL)",
      "SELECT EXISTS (SELECT 1 FROM bundle WHERE pipeline = ?)",
      "SELECT EXISTS (SELECT 1 FROM delivery WHERE pipeline = ?)",
    ].contains { try transaction.value(Bool.self, $0, [pipeline]) == true }
  }

  package func prune(of pipeline: String, olderThan instant: Date) async throws {
    try await write("delete old runs", of: pipeline) { transaction in
      try transaction.execute(
        """
        DELETE FROM run WHERE pipeline = ? AND created < ?
          AND NOT EXISTS (SELECT 1 FROM branch WHERE branch.pipeline = run.pipeline AND branch.run_id = run.id)
          AND (compared IS NULL OR EXISTS
            (SELECT 1 FROM run AS later WHERE later.pipeline = run.pipeline AND later.branch = run.branch
              AND later.compared > run.compared))
        """, [pipeline, instant.timeIntervalSince1970])
    }
    try await tidy()
  }
}
