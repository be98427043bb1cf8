import Localization
package import Pipeline

/// Functions that rename pipelines and record their former names.
extension SQLLedger {
  package func successors(of names: Set<String>) async throws -> [String: String] {
    try await read("read former names") { transaction in
      var found: [String: String] = [:]
      for name in names {
        found[name] = try transaction.value(String.self, "SELECT pipeline FROM former_name WHERE name = ?", [name])
      }
      return found
    }
  }

  @discardableResult
  package func takeOver(_ formerNames: [String], by pipeline: String) async throws -> [SetAsidePipeline] {
    let formerNames = formerNames.filter { $0 != pipeline }
    // Most pipelines have no former name. For these, nothing is locked.
    if formerNames.isEmpty {
      let hasRecord = try await read("read former names") {
        try $0.value(Bool.self, "SELECT EXISTS (SELECT 1 FROM former_name WHERE pipeline = ?)", [pipeline]) == true
      }
      guard hasRecord else { return [] }
    }
    return try await write("take over former names", of: nil) { transaction in
      try transaction.lock(Set(formerNames + [pipeline]))
      let names = try LedgerNames(transaction)
      let setAside = try formerNames.compactMap { try names.move($0, to: pipeline) }
      // Earlier records of these names are deleted. Otherwise, a pipeline that gets one of its former names back would still be recorded as renamed.
      for name in [pipeline] + formerNames {
        try transaction.execute("DELETE FROM former_name WHERE pipeline = ?", [name])
      }
      for name in formerNames {
        try transaction.execute("DELETE FROM former_name WHERE name = ?", [name])
        try transaction.execute("INSERT INTO former_name (name, pipeline) VALUES (?, ?)", [name, pipeline])
      }
      return setAside
    }
  }
}

/// Access to the rows of a pipeline in all tables, by the pipeline's name.
private struct LedgerNames {
  private let transaction: any SQLTransaction
  /// The tables with data of a pipeline, without the table `pipeline`.
  private let tables: [String]

  init(_ transaction: any SQLTransaction) throws {
    self.transaction = transaction
    // All tables with data of a pipeline have a column `pipeline` with its name. The audit log may have entries of a pipeline that has never run,
    // such as the upload of its file, so these are not data of the pipeline.
    tables = try transaction.tables(with: "pipeline").filter { !["former_name", "audit"].contains($0) }
  }

  /// Moves the data of a pipeline's former name to its new name. If both names have data, the data of one of them is set aside: that of the former
  /// name if the new name has already sent, received or delivered anything, and otherwise that of the new name.
  /// - Returns: the data that was set aside; `nil` if nothing was set aside.
  /// - Throws: `PipelineError` if setting the data of the former name aside would lose work or send units again.
  func move(_ old: String, to new: String) throws -> SetAsidePipeline? {
    try movePause(of: old, to: new)
    guard try isUsed(old) else {
      try deleteRow(of: old)
      return nil
    }
    guard try isUsed(new) else {
      try rename(old, to: new)
      return nil
    }
    if try hasEffects(new) {
      try requireNothingOpen(of: old, beside: new)
      let kept = try setAside(old)
      try deleteRow(of: old)
      return kept
    }
    // The pipeline was started under the new name before `formerly` was set. Under the new name, the pipeline has sent nothing yet, because the
    // vendors still belong to the old name.
    let kept = try setAside(new)
    try rename(old, to: new)
    return kept
  }

  /// Returns whether a name has data. A row in `pipeline` does not count if it contains only a fault, a pause, a requested look, the time
  /// since which notices are recorded, or the worker that holds the pipeline.
  private func isUsed(_ name: String) throws -> Bool {
    if try exists("SELECT 1 FROM pipeline WHERE name = ? AND (revision <> 0 OR decisions <> 0)", [name]) { return true }
    return try tables.contains { try exists("SELECT 1 FROM \"\($0)\" WHERE pipeline = ?", [name]) }
  }

  private func exists(_ sql: String, _ arguments: SQLArguments) throws -> Bool {
    try transaction.value(Bool.self, "SELECT EXISTS (\(sql))", arguments) == true
  }

  /// Moves the pause of the old name to the new name. If both names are paused, the new name keeps its own pause.
  private func movePause(of old: String, to new: String) throws {
    guard try exists("SELECT 1 FROM pipeline WHERE name = ? AND paused_since IS NOT NULL", [old]) else { return }
    try transaction.execute("INSERT INTO pipeline (name, revision) VALUES (?, 0) ON CONFLICT DO NOTHING", [new])
    try transaction.execute(
      """
      UPDATE pipeline SET (paused_since, paused_by, pause_reason) =
        (SELECT o.paused_since, o.paused_by, o.pause_reason FROM pipeline AS o WHERE o.name = ?1)
      WHERE name = ?2 AND paused_since IS NULL
      """, [old, new])
    try transaction.execute(
      "UPDATE pipeline SET paused_since = NULL, paused_by = NULL, pause_reason = NULL WHERE name = ?", [old])
  }

  private func deleteRow(of name: String) throws {
    try transaction.execute("DELETE FROM pipeline WHERE name = ?", [name])
  }

  /// Moves all data of a pipeline, and its entries in the audit log, to a name without data. If the new name has a row in `pipeline`, this row is
  /// kept, because it contains the worker that holds the pipeline.
  private func rename(_ name: String, to new: String) throws {
    for table in tables + ["audit"] { try move(name, to: new, in: table) }
    guard try exists("SELECT 1 FROM pipeline WHERE name = ?", [new]) else {
      try transaction.execute("UPDATE pipeline SET name = ? WHERE name = ?", [new, name])
      return
    }
    try transaction.execute(
      """
      UPDATE pipeline SET (revision, decisions, looks, notices_since, watch_fault, watch_fault_since) =
        (SELECT o.revision, o.decisions, o.looks, o.notices_since, o.watch_fault, o.watch_fault_since
          FROM pipeline AS o WHERE o.name = ?1)
      WHERE name = ?2 AND EXISTS (SELECT 1 FROM pipeline AS o WHERE o.name = ?1)
      """, [name, new])
    try deleteRow(of: name)
  }

  private func move(_ name: String, to new: String, in table: String) throws {
    try transaction.execute("UPDATE \"\(table)\" SET pipeline = ? WHERE pipeline = ?", [new, name])
  }

  /// Moves the data of a name to an unused name, because rounds and returned units are never deleted. Only the jobs are deleted, and outstanding
  /// units are withdrawn. The row of the name in `pipeline` and its entries in the audit log are left unchanged.
  private func setAside(_ name: String) throws -> SetAsidePipeline {
    var retired = "\(name) (unused)"
    while try exists("SELECT 1 FROM pipeline WHERE name = ?", [retired]) || isUsed(retired) { retired += "'" }
    try transaction.execute(
      "UPDATE sent_unit SET state = 'withdrawn', notified = 1 WHERE pipeline = ? AND state = 'outstanding'", [name])
    try transaction.execute("DELETE FROM job WHERE pipeline = ?", [name])
    for table in tables { try move(name, to: retired, in: table) }
    try transaction.execute(
      """
      INSERT INTO pipeline (name, revision, decisions, notices_since)
      SELECT CAST(?1 AS TEXT), revision, decisions, notices_since FROM pipeline WHERE name = ?2
      """, [retired, name])
    return SetAsidePipeline(name: name, keptAs: retired)
  }

  /// Returns whether a pipeline has sent, received or delivered anything.
  private func hasEffects(_ pipeline: String) throws -> Bool {
    try [
      "SELECT 1 FROM shipment WHERE pipeline = ? AND receipt IS NOT NULL",
      "SELECT 1 FROM bundle WHERE pipeline = ?",
      "SELECT 1 FROM delivery WHERE pipeline = ?",
    ].contains { try exists($0, [pipeline]) }
  }

  /// Checks that the rows of a former name can be set aside without losing work or sending units again. There are two conditions. First, the former
  /// name has no round before the first round of the new name, which means that the former name was used by mistake after the rename. Second, the
  /// former name has no open work that the new name lacks.
  /// - Throws: `PipelineError` if one of the conditions is not met.
  private func requireNothingOpen(of old: String, beside new: String) throws {
    func first(_ name: String) throws -> Int64? {
      try transaction.value(Int64.self, "SELECT min(id) FROM round WHERE pipeline = ?", [name])
    }
    if let beginning = try first(old), beginning < (try first(new) ?? .max) {
      throw PipelineError(
        .refused, operation: "rename pipeline \(old)",
        detail: "pipeline \(new) already sent or delivered units of its own before `formerly: \(old)` was set, and two "
          + "pipelines cannot be merged. For the pipeline that continues \(old), choose a name that was never used; or let "
          + "\(old) finish under its old file, and then remove `formerly: \(old)`",
        disposition: .askPerson)
    }
    let open = try [
      (Self.outstanding, [old, new], "outstanding only in \(old) (text units × languages)"),
      (Self.returned, [old], "returned, and held or not merged yet"),
      (Self.deliveries, [old], "deliveries not merged yet"),
    ].compactMap { sql, names, what -> String? in
      let count = try transaction.value(Int.self, sql, names) ?? 0
      return count == 0 ? nil : "\(what): \(count)"
    }
    guard !open.isEmpty else { return }
    throw PipelineError(
      .refused, operation: "rename pipeline \(old)",
      detail:
        "the rename would lose work of \(old) that \(new) does not have (\(open.joined(separator: "; "))). If \(old) was run "
        + "again after it was renamed to \(new), leave `formerly: \(old)` as it is, and finish this work with the old file "
        + "of \(old): run it until everything is returned, and merge its deliveries, or cancel its rounds with "
        + "`dragoman rounds cancel`. Then delete that file, and start \(new). If they are two pipelines, they cannot be "
        + "merged: for the pipeline that continues \(old), choose a name that was never used",
      disposition: .askPerson)
  }

  /// Counts the outstanding units that were sent for a pipeline and are not also outstanding for the other pipeline. The other pipeline would send
  /// these units again, or received their translations long ago.
  private static let outstanding = """
    SELECT count(*) FROM sent_unit AS u JOIN source AS s ON s.id = u.source_id JOIN shipment AS h ON h.id = u.shipment_id
    WHERE u.pipeline = ?1 AND u.state = 'outstanding' AND h.receipt IS NOT NULL AND NOT EXISTS
      (SELECT 1 FROM source AS o JOIN sent_unit AS v ON v.source_id = o.id
        WHERE o.pipeline = ?2 AND o.catalog = s.catalog AND o.key = s.key AND o.pin = s.pin AND v.language = u.language
          AND v.state = 'outstanding')
    """

  private static let returned = """
    SELECT count(*) FROM returned_unit AS r WHERE r.pipeline = ? AND
      (EXISTS (SELECT 1 FROM branch_outcome AS o WHERE o.returned_unit_id = r.id AND o.state IN ('delivered', 'held'))
        OR NOT EXISTS (SELECT 1 FROM branch_outcome AS o WHERE o.returned_unit_id = r.id))
    """

  private static let deliveries = "SELECT count(*) FROM delivery WHERE pipeline = ? AND state IN ('planned', 'pushed')"
}
