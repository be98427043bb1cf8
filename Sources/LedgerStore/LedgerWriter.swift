import FoundationEssentials
import Localization
import Pipeline

/// A writer of changes to the ledger of one pipeline, in one transaction.
struct LedgerWriter {
  let transaction: any SQLTransaction
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
        if try move(ids, to: state) > 0 { try lookAgain() }
      case .refused(let shipment, let units): try refuse(units, of: shipment)
      case .planAgain: try decide()
      case .notified(let ids):
        try run(
          "UPDATE sent_unit SET notified = 1 WHERE id IN (SELECT value FROM json_each(?))",
          [SQLValue.integers(ids.map(\.rawValue))])
      case .recalled(let ids):
        try run(
          "UPDATE sent_unit SET notified = 0 WHERE state = 'returned' AND id IN (SELECT value FROM json_each(?))",
          [SQLValue.integers(ids.map(\.rawValue))])
      case .receive(let bundle):
        try receive(bundle)
        try lookAgain()
      case .acknowledged(let vendor, let digest):
        try run(
          "UPDATE bundle SET acknowledged = 1 WHERE pipeline = ? AND vendor = ? AND digest = ?",
          [pipeline, vendor, digest])
      case .outcomes(let outcomes, let branch):
        try place(outcomes, on: branch, delivery: nil)
        try forgetTaken(outcomes, on: branch)
      case .reviewed(let outcomes, let branch, let decisions):
        guard try transaction.value(Int64.self, LedgerQueries.decisions, [pipeline]) ?? 0 == decisions else { break }
        try place(outcomes, on: branch, delivery: nil)
        try forgetTaken(outcomes, on: branch)
      case .answered(let pins):
        for (unit, pin) in pins.sorted(by: { $0.key < $1.key }) { try answer(unit, pin) }
      case .deliver(let delivery, let branch): try deliver(delivery, on: branch)
      case .delivery(let id, let state):
        try end(id, state)
        // The units of an abandoned delivery must be merged again.
        if state == .abandoned { try lookAgain() }
      case .compared(let ids): try compared(ids)
      case .reopen(let ids, let branch): try reopen(ids, on: branch)
      case .outdated(let new, let gone): try outdated(new, gone: gone)
      case .proposed(let content, let target): try propose(content, on: target)
      case .rename(let old, let new): try rename(old, to: new)
      }
    }
  }

  /// Increments the pipeline's revision, which makes the next merge read the ledger again.
  func lookAgain() throws {
    try run(
      "INSERT INTO pipeline (name, revision) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET revision = pipeline.revision + 1",
      [pipeline])
  }

  /// Increments the number of decisions, which makes planning run again, and the revision (``lookAgain()``).
  func decide() throws {
    try lookAgain()
    try run("UPDATE pipeline SET decisions = decisions + 1 WHERE name = ?", [pipeline])
  }

  /// Changes the state of outstanding units, which also updates the books. The function uses a single statement, because PostgreSQL updates the books
  /// once for each statement.
  /// - Returns: the number of units that were outstanding.
  @discardableResult
  private func move(_ ids: [SentUnitID], to state: SentUnitState) throws -> Int {
    try transaction.execute(
      "UPDATE sent_unit SET state = ? WHERE state = 'outstanding' AND id IN (SELECT value FROM json_each(?))",
      [state.rawValue, SQLValue.integers(ids.map(\.rawValue))])
  }

  /// Marks heads as compared. Later comparisons get higher numbers.
  private func compared(_ ids: [RunID]) throws {
    let last =
      try transaction.value(
        Double.self, "SELECT max(compared) FROM run WHERE pipeline = ? AND compared IS NOT NULL", [pipeline]) ?? 0
    for id in ids { try run("UPDATE run SET compared = ? WHERE id = ?", [last + 1, id.rawValue]) }
  }

  private func outdated(_ new: Set<OutdatedTranslation>, gone: Set<OutdatedTranslation>) throws {
    func arguments(_ row: OutdatedTranslation) -> SQLArguments {
      [
        pipeline, row.unit.catalog.text, row.unit.key.text, row.pin.rawValue, row.origin.rawValue,
        row.language.rawValue, row.translation,
      ]
    }
    try transaction.executeAll(
      """
      DELETE FROM outdated
      WHERE pipeline = ? AND catalog = ? AND key = ? AND pin = ? AND origin = ? AND language = ? AND translation = ?
      """, gone.map(arguments))
    try transaction.executeAll(
      """
      INSERT INTO outdated (pipeline, catalog, key, pin, origin, language, translation) VALUES (?, ?, ?, ?, ?, ?, ?)
      """, new.map(arguments))
  }

  private func propose(_ content: ProposedContent, on target: String) throws {
    try run(
      """
      INSERT INTO proposal (pipeline, target, mark, parts) VALUES (?, ?, ?, ?)
      ON CONFLICT (pipeline, target) DO UPDATE SET mark = excluded.mark, parts = excluded.parts
      """, [pipeline, target, content.mark, try content.stored()])
  }

  private func refuse(_ units: [UnitID: String], of shipment: ShipmentID) throws {
    var closed = 0
    for (unit, reason) in units.sorted(by: { $0.key < $1.key }) {
      closed += try transaction.execute(
        """
        UPDATE sent_unit SET state = 'withdrawn', notified = 1, refusal = ?1
        WHERE shipment_id = ?2 AND state = 'outstanding' AND id IN (
          SELECT u.id FROM sent_unit AS u JOIN source AS s ON s.id = u.source_id
          WHERE u.shipment_id = ?2 AND s.key = ?3 AND coalesce(u.catalog, s.catalog) = ?4)
        """, [reason, shipment.rawValue, unit.key.text, unit.catalog.text])
    }
    if closed > 0 { try decide() }
  }

  private func reopen(_ ids: [ReturnedUnitID], on branch: String) throws {
    for id in ids {
      try run("DELETE FROM branch_outcome WHERE returned_unit_id = ? AND branch = ?", [id.rawValue, branch])
    }
    if !ids.isEmpty { try lookAgain() }
  }

  func run(_ sql: String, _ arguments: SQLArguments) throws { try transaction.execute(sql, arguments) }

  /// Runs an INSERT that returns the id of its row.
  func insert(_ sql: String, _ arguments: SQLArguments) throws -> Int64 {
    guard let id = try transaction.value(Int64.self, sql, arguments) else {
      throw damaged("an inserted row is missing")
    }
    return id
  }

  private func receive(_ bundle: NewBundle) throws {
    let id = try insert(
      """
      INSERT INTO bundle (pipeline, vendor, digest, reference, received, review) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (pipeline, vendor, digest) DO UPDATE SET review = excluded.review, acknowledged = 0 RETURNING id
      """,
      [
        pipeline, bundle.vendor, bundle.digest, bundle.reference, bundle.received.timeIntervalSince1970, bundle.review,
      ])
    // Held units are reviewed again, because people return a bundle a second time for this purpose.
    try run(
      """
      DELETE FROM branch_outcome WHERE \(LedgerQueries.isHeldForReview)
        AND returned_unit_id IN (SELECT id FROM returned_unit WHERE bundle_id = ?)
      """, [id])
    let answers = bundle.returnedUnits.compactMap { unit in unit.sentUnit.map { (unit: unit, sent: $0.rawValue) } }
    // If a unit was sent again, the same returned texts count as the return of the new sent unit, and are merged again.
    try transaction.executeAll(
      """
      DELETE FROM branch_outcome WHERE returned_unit_id IN
        (SELECT id FROM returned_unit WHERE bundle_id = ? AND catalog = ? AND key = ? AND language = ?
          AND sent_unit_id IS DISTINCT FROM ?)
      """,
      answers.map { [id, $0.unit.unit.catalog.text, $0.unit.unit.key.text, $0.unit.language.rawValue, $0.sent] })
    try transaction.executeAll(
      """
      INSERT INTO returned_unit (pipeline, bundle_id, catalog, key, language, units, source_id, sent_unit_id)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (bundle_id, catalog, key, language) DO UPDATE SET
        source_id = coalesce(excluded.source_id, returned_unit.source_id),
        sent_unit_id = coalesce(excluded.sent_unit_id, returned_unit.sent_unit_id)
      """,
      try bundle.returnedUnits.map {
        [
          pipeline, id, $0.unit.catalog.text, $0.unit.key.text, $0.language.rawValue, try LedgerCoding.encode($0.units),
          $0.source?.rawValue, $0.sentUnit?.rawValue,
        ]
      })
    try move(answers.filter(\.unit.isFinished).map { SentUnitID(rawValue: $0.sent) }, to: .returned)
  }

  /// Counts a returned unit that has no sent unit as the return of the outstanding unit with a given source pin, if there is such a unit.
  private func answer(_ unit: ReturnedUnitID, _ pin: PinDigest) throws {
    let sent = try transaction.first(
      """
      SELECT u.id, u.source_id FROM returned_unit AS r JOIN bundle AS b ON b.id = r.bundle_id
        JOIN source AS s ON s.pipeline = r.pipeline AND s.key = r.key AND s.pin = ?
        JOIN sent_unit AS u ON u.source_id = s.id AND u.language = r.language AND u.vendor = b.vendor
      WHERE r.id = ? AND r.sent_unit_id IS NULL AND u.state = 'outstanding' AND coalesce(u.catalog, s.catalog) = r.catalog
      ORDER BY u.id DESC LIMIT 1
      """, [pin.rawValue, unit.rawValue])
    guard let sent else { return }
    let (id, source): (Int64, Int64) = (sent[0], sent[1])
    try run("UPDATE returned_unit SET sent_unit_id = ?, source_id = ? WHERE id = ?", [id, source, unit.rawValue])
    try move([SentUnitID(rawValue: id)], to: .returned)
  }

  private func place(_ outcomes: [BranchOutcome], on branch: String, delivery: Int64?) throws {
    let encoder = JSONEncoder()
    try transaction.executeAll(
      """
      INSERT INTO branch_outcome (returned_unit_id, branch, state, reviewed, reason, translation, delivery_id)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (returned_unit_id, branch) DO UPDATE SET state = excluded.state, reviewed = excluded.reviewed,
        reason = excluded.reason, translation = excluded.translation, delivery_id = excluded.delivery_id
      """,
      try outcomes.map { outcome in
        [
          outcome.returnedUnit.rawValue, branch, outcome.state.rawValue, outcome.reviewed.rawValue,
          try outcome.reason.map { String(decoding: try encoder.encode($0), as: UTF8.self) }, outcome.translation,
          delivery,
        ]
      })
  }

  /// Deletes the decisions to take translations although they were removed from the branch, because the translations have been removed again.
  private func forgetTaken(_ outcomes: [BranchOutcome], on branch: String) throws {
    for outcome in outcomes where outcome.reason?.removal != nil {
      try run(
        "DELETE FROM overruled_reason WHERE returned_unit_id = ? AND branch = ? AND reason = 'removed'",
        [outcome.returnedUnit.rawValue, branch])
    }
  }

  private func deliver(_ delivery: NewDelivery, on branch: String) throws {
    for id in delivery.replaces { try end(id, .abandoned) }
    let id = try insert(
      """
      INSERT INTO delivery
        (pipeline, branch, source, target, expected, base, commits, units, created, state, brings_catalogs)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'planned', ?) RETURNING id
      """,
      [
        pipeline, branch, delivery.source.rawValue, delivery.target, delivery.expected?.rawValue,
        delivery.base.rawValue, delivery.commits.map(\.rawValue).joined(separator: " "), delivery.units,
        delivery.created.timeIntervalSince1970, delivery.bringsCatalogs,
      ])
    try place(delivery.outcomes, on: branch, delivery: id)
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
    try run(
      """
      INSERT INTO rename (pipeline, old, new) VALUES (?, ?, ?)
      ON CONFLICT (pipeline, old) DO UPDATE SET new = excluded.new
      """, [pipeline, old.text, new.text])
    // Renaming a catalog back must not create a cycle.
    try run("DELETE FROM rename WHERE pipeline = ? AND old = ?", [pipeline, new.text])
    // Vendors use the name that the catalog had when the unit was sent, so sent units keep this name.
    try run(
      """
      UPDATE sent_unit SET catalog = ?1
      WHERE catalog IS NULL AND source_id IN (SELECT id FROM source WHERE pipeline = ?2 AND catalog = ?1)
      """, [old.text, pipeline])
    // Units that were held because no catalog had the old name may be deliverable now.
    try run(
      """
      DELETE FROM branch_outcome WHERE \(LedgerQueries.isHeldForReview)
        AND returned_unit_id IN (SELECT id FROM returned_unit WHERE pipeline = ? AND catalog = ?)
      """, [pipeline, old.text])
    try lookAgain()
    // If an entry already exists under the new name, both entries are left unchanged.
    try run(
      """
      UPDATE source SET catalog = ?1 WHERE pipeline = ?2 AND catalog = ?3 AND NOT EXISTS (SELECT 1 FROM source AS own
        WHERE own.pipeline = ?2 AND own.catalog = ?1 AND own.key = source.key AND own.pin = source.pin)
      """, [new.text, pipeline, old.text])
    try run(
      """
      UPDATE returned_unit SET catalog = ?1 WHERE pipeline = ?2 AND catalog = ?3
        AND NOT EXISTS (SELECT 1 FROM returned_unit AS own WHERE own.bundle_id = returned_unit.bundle_id
          AND own.catalog = ?1 AND own.key = returned_unit.key AND own.language = returned_unit.language)
      """, [new.text, pipeline, old.text])
  }
}
