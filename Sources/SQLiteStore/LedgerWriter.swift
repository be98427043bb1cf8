import FoundationEssentials
internal import GRDB
import Localization
import Pipeline

/// Writes changes of the ledger, within one transaction.
struct LedgerWriter {
  let database: Database
  let pipeline: String

  func apply(_ changes: [LedgerChange]) throws {
    for change in changes {
      switch change {
      case .plan(let round): try plan(round)
      case .shipped(let id, let receipt, let at):
        let text = String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self)
        try run(
          "UPDATE shipment SET receipt = ?, sent_at = ? WHERE id = ?", [text, at.timeIntervalSince1970, id.rawValue])
      case .neverArrived(let id):
        try run(
          "UPDATE sent_unit SET notified = 1 WHERE shipment_id = ? AND state IN ('withdrawn', 'superseded')",
          [id.rawValue])
      case .close(let ids, let state):
        var closed = 0
        for id in ids {
          try run(
            "UPDATE sent_unit SET state = ? WHERE id = ? AND state = 'outstanding'", [state.rawValue, id.rawValue])
          closed += database.changesCount
        }
        if closed > 0 { try lookAgain() }
      case .refused(let shipment, let units): try refuse(units, of: shipment)
      case .planAgain: try decide()
      case .notified(let ids):
        for id in ids { try run("UPDATE sent_unit SET notified = 1 WHERE id = ?", [id.rawValue]) }
      case .receive(let bundle):
        try receive(bundle)
        try lookAgain()
      case .acknowledged(let vendor, let digest):
        try run(
          "UPDATE bundle SET acknowledged = 1 WHERE pipeline = ? AND vendor = ? AND digest = ?",
          [pipeline, vendor, digest])
      case .outcomes(let outcomes, let branch): try place(outcomes, on: branch, delivery: nil)
      case .deliver(let delivery, let branch): try deliver(delivery, on: branch)
      case .delivery(let id, let state):
        try end(id, state)
        // The units of an abandoned delivery must be merged again.
        if state == .abandoned { try lookAgain() }
      case .compared(let ids): try compared(ids)
      case .reopen(let ids, let branch): try reopen(ids, on: branch)
      case .rename(let old, let new): try rename(old, to: new)
      }
    }
  }

  /// Increments the pipeline's revision: something changed, and a merge must run again.
  func lookAgain() throws {
    try run(
      "INSERT INTO pipeline (name, revision) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET revision = revision + 1",
      [pipeline])
  }

  /// Increments the number of decisions, which makes planning run again.
  func decide() throws {
    try lookAgain()
    try run("UPDATE pipeline SET decisions = decisions + 1 WHERE name = ?", [pipeline])
  }

  /// Marks heads as compared. Later comparisons get higher numbers.
  private func compared(_ ids: [RunID]) throws {
    let last =
      try Double.fetchOne(
        database.cachedStatement(sql: "SELECT max(compared) FROM run WHERE pipeline = ? AND compared IS NOT NULL"),
        arguments: [pipeline]) ?? 0
    for id in ids { try run("UPDATE run SET compared = ? WHERE id = ?", [last + 1, id.rawValue]) }
  }

  private func refuse(_ units: [UnitID: String], of shipment: ShipmentID) throws {
    var closed = 0
    for (unit, reason) in units.sorted(by: { $0.key < $1.key }) {
      try run(
        """
        UPDATE sent_unit SET state = 'withdrawn', notified = 1, refusal = ?1
        WHERE shipment_id = ?2 AND state = 'outstanding' AND id IN (
          SELECT u.id FROM sent_unit AS u JOIN source AS s ON s.id = u.source_id
          WHERE u.shipment_id = ?2 AND s.key = ?3 AND coalesce(u.catalog, s.catalog) = ?4)
        """, [reason, shipment.rawValue, unit.key.text, unit.catalog.text])
      closed += database.changesCount
    }
    if closed > 0 { try decide() }
  }

  private func reopen(_ ids: [ReturnedUnitID], on branch: String) throws {
    for id in ids {
      try run("DELETE FROM branch_outcome WHERE returned_unit_id = ? AND branch = ?", [id.rawValue, branch])
    }
    if !ids.isEmpty { try lookAgain() }
  }

  private func run(_ sql: String, _ arguments: StatementArguments) throws {
    try database.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  private func plan(_ round: PlannedRound) throws {
    try run(
      """
      INSERT INTO round (pipeline, number, created)
      SELECT ?, coalesce(max(number), 0) + 1, ? FROM round WHERE pipeline = ?
      """, [pipeline, round.created.timeIntervalSince1970, pipeline])
    let id = database.lastInsertedRowID
    var sources: [PlannedSource: Int64] = [:]
    let insert = try database.cachedStatement(
      sql: """
        INSERT INTO sent_unit
          (pipeline, round_id, shipment_id, source_id, vendor, language, state, baseline, commit_id)
        VALUES (?, ?, ?, ?, ?, ?, 'outstanding', ?, ?)
        """)
    for shipment in round.shipments {
      try run(
        "INSERT INTO shipment (pipeline, round_id, vendor, language, source_language) VALUES (?, ?, ?, ?, ?)",
        [pipeline, id, shipment.vendor, shipment.language.rawValue, shipment.sourceLanguage.rawValue])
      let shipmentID = database.lastInsertedRowID
      for sentUnit in shipment.sentUnits {
        let name = PlannedSource(unit: sentUnit.unit, pin: sentUnit.pin)
        let source = try sources[name] ?? source(sentUnit)
        sources[name] = source
        try insert.execute(arguments: [
          pipeline, id, shipmentID, source, shipment.vendor, shipment.language.rawValue,
          try sentUnit.baseline.map(LedgerCoding.encode), sentUnit.commit.rawValue,
        ])
      }
    }
  }

  private struct PlannedSource: Hashable {
    var unit: UnitID
    var pin: SourcePin
  }

  private func source(_ sentUnit: PlannedUnit) throws -> Int64 {
    let digest = PinDigest(sentUnit.pin).rawValue
    let unit = sentUnit.unit
    try run(
      """
      INSERT INTO source
        (pipeline, catalog, key, pin, canonical, forms, commit_id, author, brought_commit, brought_author, brought_seconds)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (pipeline, catalog, key, pin) DO UPDATE SET commit_id = excluded.commit_id
      """,
      [
        pipeline, unit.catalog.text, unit.key.text, digest, sentUnit.pin.canonical,
        try sentUnit.source.map(LedgerCoding.encode), sentUnit.commit.rawValue, sentUnit.author,
        sentUnit.provenance?.commit.rawValue, sentUnit.provenance?.author, sentUnit.provenance?.seconds,
      ])
    let statement = try database.cachedStatement(
      sql: "SELECT id FROM source WHERE pipeline = ? AND catalog = ? AND key = ? AND pin = ?")
    guard
      let id = try Int64.fetchOne(statement, arguments: [pipeline, unit.catalog.text, unit.key.text, digest])
    else { throw damaged("an inserted source is missing") }
    return id
  }

  private func receive(_ bundle: NewBundle) throws {
    try run(
      """
      INSERT INTO bundle (pipeline, vendor, digest, reference, received, review) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (pipeline, vendor, digest) DO UPDATE SET review = excluded.review, acknowledged = 0
      """,
      [
        pipeline, bundle.vendor, bundle.digest, bundle.reference, bundle.received.timeIntervalSince1970, bundle.review,
      ])
    guard
      let id = try Int64.fetchOne(
        database, sql: "SELECT id FROM bundle WHERE pipeline = ? AND vendor = ? AND digest = ?",
        arguments: [pipeline, bundle.vendor, bundle.digest])
    else { throw damaged("an inserted bundle is missing") }
    // Held units are reviewed again: a bundle is returned a second time for that purpose.
    try run(
      """
      DELETE FROM branch_outcome WHERE state = 'held'
        AND returned_unit_id IN (SELECT id FROM returned_unit WHERE bundle_id = ?)
      """, [id])
    for returnedUnit in bundle.returnedUnits {
      if let sentUnit = returnedUnit.sentUnit {
        // If a unit was sent again, the same returned texts answer the new sent unit, and are merged again.
        try run(
          """
          DELETE FROM branch_outcome WHERE returned_unit_id IN
            (SELECT id FROM returned_unit WHERE bundle_id = ? AND catalog = ? AND key = ? AND language = ?
              AND sent_unit_id IS NOT ?)
          """,
          [
            id, returnedUnit.unit.catalog.text, returnedUnit.unit.key.text, returnedUnit.language.rawValue,
            sentUnit.rawValue,
          ])
      }
      try run(
        """
        INSERT INTO returned_unit (pipeline, bundle_id, catalog, key, language, units, source_id, sent_unit_id)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (bundle_id, catalog, key, language) DO UPDATE SET
          source_id = coalesce(excluded.source_id, source_id),
          sent_unit_id = coalesce(excluded.sent_unit_id, sent_unit_id)
        """,
        [
          pipeline, id, returnedUnit.unit.catalog.text, returnedUnit.unit.key.text, returnedUnit.language.rawValue,
          try LedgerCoding.encode(returnedUnit.units), returnedUnit.source?.rawValue, returnedUnit.sentUnit?.rawValue,
        ])
      if returnedUnit.isFinished, let sentUnit = returnedUnit.sentUnit {
        try run(
          "UPDATE sent_unit SET state = 'returned' WHERE id = ? AND state = 'outstanding'", [sentUnit.rawValue])
      }
    }
  }

  private func place(_ outcomes: [BranchOutcome], on branch: String, delivery: Int64?) throws {
    let encoder = JSONEncoder()
    for outcome in outcomes {
      let reason = try outcome.reason.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
      try run(
        """
        INSERT OR REPLACE INTO branch_outcome (returned_unit_id, branch, state, reviewed, reason, translation, delivery_id)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          outcome.returnedUnit.rawValue, branch, outcome.state.rawValue, outcome.reviewed.rawValue, reason,
          outcome.translation, delivery,
        ])
    }
  }

  private func deliver(_ delivery: NewDelivery, on branch: String) throws {
    for id in delivery.replaces { try end(id, .abandoned) }
    try run(
      """
      INSERT INTO delivery
        (pipeline, branch, source, target, expected, base, commits, units, created, state, brings_catalogs)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?)
      """,
      [
        pipeline, branch, delivery.source.rawValue, delivery.target, delivery.expected?.rawValue,
        delivery.base.rawValue, delivery.commits.map(\.rawValue).joined(separator: " "), delivery.units,
        delivery.created.timeIntervalSince1970, delivery.bringsCatalogs,
      ])
    try place(delivery.outcomes, on: branch, delivery: database.lastInsertedRowID)
  }

  private func end(_ id: DeliveryID, _ state: Delivery.State) throws {
    try run("UPDATE delivery SET state = ? WHERE id = ?", [state.rawValue, id.rawValue])
    switch state {
    case .settled:
      try run(
        "UPDATE branch_outcome SET state = 'settled' WHERE delivery_id = ? AND state = 'delivered'", [id.rawValue])
    case .abandoned:
      try run("DELETE FROM branch_outcome WHERE delivery_id = ? AND state = 'delivered'", [id.rawValue])
    case .planned, .pushed: break
    }
  }

  private func rename(_ old: TreePath, to new: TreePath) throws {
    try run("INSERT OR REPLACE INTO rename (pipeline, old, new) VALUES (?, ?, ?)", [pipeline, old.text, new.text])
    // A rename back must not create a cycle.
    try run("DELETE FROM rename WHERE pipeline = ? AND old = ?", [pipeline, new.text])
    // Vendors use the catalog name from the time when the unit was sent.
    try run(
      """
      UPDATE sent_unit SET catalog = ?1
      WHERE catalog IS NULL AND source_id IN (SELECT id FROM source WHERE pipeline = ?2 AND catalog = ?1)
      """, [old.text, pipeline])
    // Units that were held because the old name did not exist may fit now.
    try run(
      """
      DELETE FROM branch_outcome WHERE state = 'held'
        AND returned_unit_id IN (SELECT id FROM returned_unit WHERE pipeline = ? AND catalog = ?)
      """, [pipeline, old.text])
    try lookAgain()
    for table in ["source", "returned_unit"] {
      try run(
        "UPDATE OR IGNORE \(table) SET catalog = ? WHERE pipeline = ? AND catalog = ?", [new.text, pipeline, old.text])
    }
  }
}
