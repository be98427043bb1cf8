package import FoundationEssentials
import Localization
import Pipeline

/// Functions that rename vendors and delete old data.
extension SQLLedger {
  package func renameVendor(
    _ old: String, to new: String, joining joins: Bool, of pipeline: String
  ) async throws {
    guard old != new else { return }
    try await write("rename vendor", of: pipeline) { transaction in
      // Only these two tables are checked, because rows of sent units and books belong to shipments, and notices alone need no renaming. Both tables
      // are small or have an index.
      func isUsed(_ name: String) throws -> Bool {
        try ["shipment", "bundle"].contains { table in
          try transaction.value(
            Bool.self, "SELECT EXISTS (SELECT 1 FROM \(table) WHERE pipeline = ? AND vendor = ?)", [pipeline, name])
            == true
        }
      }
      guard try isUsed(old) else { return }
      if try isUsed(new) {
        guard try joins && !Self.overlap(old, new, of: pipeline, in: transaction) else {
          throw PipelineError(
            .inconsistent, operation: "rename vendor \(old)",
            detail: "the ledger of pipeline \(pipeline) already has entries of a vendor named \(new)"
              + (joins ? ", and both vendors have units of the same round or bundle. Remove `formerly: \(old)`" : ""),
            disposition: .askPerson)
        }
        // The vendor was renamed before `formerly` was set, and its units were sent again. The vendor must not be notified that the old units were
        // withdrawn, because it still has the same units.
        try transaction.execute(
          """
          UPDATE sent_unit SET notified = 1 WHERE pipeline = ?1 AND vendor = ?2 AND EXISTS
            (SELECT 1 FROM sent_unit AS again WHERE again.pipeline = ?1 AND again.vendor = ?3
              AND again.source_id = sent_unit.source_id AND again.language = sent_unit.language)
          """, [pipeline, old, new])
        try transaction.execute(
          """
          DELETE FROM notice WHERE pipeline = ?1 AND vendor = ?2 AND ended IS NULL AND EXISTS
            (SELECT 1 FROM notice AS own WHERE own.pipeline = ?1 AND own.vendor = ?3 AND own.ended IS NULL
              AND own.event = notice.event AND own.about = notice.about)
          """, [pipeline, old, new])
      }
      for table in try transaction.tables(with: "vendor") {
        try transaction.execute(
          "UPDATE \"\(table)\" SET vendor = ? WHERE pipeline = ? AND vendor = ?", [new, pipeline, old])
      }
      // The vendor's jobs are planned again under the new name.
      try transaction.execute(
        "DELETE FROM job WHERE pipeline = ? AND stage IN ('push', 'pull') AND scope = ?", [pipeline, old])
    }
  }

  /// Returns whether two vendors of a pipeline both have an entry for the same round and language, or for the same bundle. A vendor can have only one
  /// such entry, so these two vendors cannot become one vendor.
  private static func overlap(
    _ one: String, _ other: String, of pipeline: String, in transaction: any SQLTransaction
  ) throws -> Bool {
    try ["a.round_id = b.round_id AND a.language = b.language": "shipment", "a.digest = b.digest": "bundle"].contains {
      same, table in
      try transaction.value(
        Bool.self,
        """
        SELECT EXISTS (SELECT 1 FROM \(table) AS a JOIN \(table) AS b ON \(same) AND b.pipeline = a.pipeline
          WHERE a.pipeline = ?1 AND a.vendor = ?2 AND b.vendor = ?3)
        """, [pipeline, one, other]) == true
    }
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
