/// SQL statements for shipments, returned units, deliveries, rounds, held units and jobs. A test checks the query plans of most statements, because a
/// statement that runs often must not scan a table that grows with a project's history.
enum LedgerQueries {
  static let sentUnits = """
    SELECT u.id, u.source_id, s.catalog, s.key, u.state, s.forms, s.canonical, u.baseline,
      coalesce(u.catalog, s.catalog), CASE WHEN u.refusal IS NULL THEN 0 ELSE 1 END
    FROM json_each(?) AS wanted
    CROSS JOIN source AS s ON s.pipeline = ? AND s.key = wanted.value
    CROSS JOIN sent_unit AS u ON u.source_id = s.id AND u.language = ?
    WHERE u.vendor = ? ORDER BY u.id
    """

  /// Selects the returned units whose outcome on a branch is not final. Two indexes find the candidates, so only the candidates' rows are read. Rows
  /// are large, because they contain the returned texts.
  static let returnedUnits = """
    WITH candidate AS MATERIALIZED (
      SELECT r.id, o.state, o.reviewed, o.reason, o.translation FROM returned_unit AS r
      LEFT JOIN branch_outcome AS o ON o.returned_unit_id = r.id AND o.branch = ?1
      WHERE r.pipeline = ?2 AND (o.state IS NULL OR o.state IN ('delivered', 'held')))
    SELECT r.id, r.catalog, r.key, r.language, r.units, r.source_id, s.pin, s.canonical, u.baseline, n.number,
      b.vendor, b.digest, b.received, c.state, c.reviewed, c.reason, c.translation, r.sent_unit_id,
      p.translation, pb.vendor, ps.pin, pr.id, u.commit_id, n.created
    FROM candidate AS c JOIN returned_unit AS r ON r.id = c.id JOIN bundle AS b ON b.id = r.bundle_id
    LEFT JOIN sent_unit AS u ON u.id = r.sent_unit_id LEFT JOIN source AS s ON s.id = r.source_id
    LEFT JOIN round AS n ON n.id = u.round_id
    LEFT JOIN returned_unit AS pr ON pr.id = (SELECT e.id FROM returned_unit AS e
        JOIN branch_outcome AS o ON o.returned_unit_id = e.id AND o.branch = ?1
        WHERE e.pipeline = r.pipeline AND e.key = r.key AND e.catalog = r.catalog AND e.language = r.language
          AND e.id <> r.id AND o.state IN ('delivered', 'settled') ORDER BY e.id DESC LIMIT 1)
    LEFT JOIN branch_outcome AS p ON p.returned_unit_id = pr.id AND p.branch = ?1
    LEFT JOIN bundle AS pb ON pb.id = pr.bundle_id LEFT JOIN source AS ps ON ps.id = pr.source_id ORDER BY r.id
    """

  static let returns = """
    SELECT r.id, r.source_id, r.language, o.branch, o.state, o.translation, o.reason, b.vendor
    FROM json_each(?) AS wanted
    CROSS JOIN returned_unit AS r ON r.source_id = wanted.value
    CROSS JOIN bundle AS b ON b.id = r.bundle_id
    LEFT JOIN branch_outcome AS o ON o.returned_unit_id = r.id WHERE r.pipeline = ? ORDER BY r.id
    """

  static let earlierReturns = """
    SELECT r.id, r.source_id, r.language, r.units, b.vendor, b.reference
    FROM json_each(?) AS wanted
    CROSS JOIN returned_unit AS r ON r.source_id = wanted.value
    CROSS JOIN bundle AS b ON b.id = r.bundle_id WHERE r.pipeline = ? ORDER BY r.id
    """

  /// Selects the returned units that were delivered or settled on a branch. The statement reads all returns of a pipeline, so it is used only in
  /// three cases: when a round of a pipeline with a translation memory has new texts, when a merge compares returned units with outdated
  /// translations, and when a delivery branch has translations that the ledger may lack.
  static let takenReturns = """
    SELECT r.catalog, r.key, r.language, r.units FROM returned_unit AS r WHERE r.pipeline = ?
      AND EXISTS (SELECT 1 FROM branch_outcome AS o
        WHERE o.returned_unit_id = r.id AND o.state IN ('delivered', 'settled'))
    ORDER BY r.id
    """

  static let unsentShipments = """
    SELECT s.id, r.number, s.language, s.source_language FROM shipment AS s JOIN round AS r ON r.id = s.round_id
    WHERE s.pipeline = ? AND s.vendor = ? AND s.receipt IS NULL
      AND EXISTS (SELECT 1 FROM sent_unit AS u WHERE u.shipment_id = s.id
        AND (u.state = 'outstanding' OR u.state IN ('withdrawn', 'superseded') AND u.notified = 0))
    ORDER BY r.number, s.language
    """

  static let outstandingShipments = """
    SELECT s.id, r.number, s.language, s.source_language, s.receipt FROM shipment AS s JOIN round AS r ON r.id = s.round_id
    WHERE s.pipeline = ? AND s.vendor = ? AND s.receipt IS NOT NULL
      AND EXISTS (SELECT 1 FROM sent_unit AS u WHERE u.shipment_id = s.id AND u.state = 'outstanding')
    ORDER BY r.number, s.language
    """

  static let heldShipments = """
    SELECT s.id, r.number, s.language, s.source_language, s.receipt, u.id, coalesce(u.catalog, x.catalog), x.key, x.pin,
      u.commit_id, o.reason
    FROM branch_outcome AS o JOIN returned_unit AS t ON t.id = o.returned_unit_id
    JOIN sent_unit AS u ON u.id = t.sent_unit_id JOIN shipment AS s ON s.id = u.shipment_id
    JOIN round AS r ON r.id = s.round_id JOIN source AS x ON x.id = u.source_id
    WHERE o.state = 'held' AND s.pipeline = ? AND s.vendor = ? AND s.receipt IS NOT NULL AND u.state = 'returned'
      AND NOT EXISTS (SELECT 1 FROM returned_unit AS n WHERE n.sent_unit_id = t.sent_unit_id AND n.id > t.id)
      AND NOT EXISTS (SELECT 1 FROM branch_outcome AS d
        WHERE d.returned_unit_id = t.id AND d.state IN ('delivered', 'settled'))
    ORDER BY r.number, s.language, s.id, u.id, o.branch
    """

  static let returnedShipments = """
    SELECT s.id, r.number, s.source_language, s.receipt, u.id, coalesce(u.catalog, x.catalog), x.key, x.pin, u.commit_id
    FROM round AS r CROSS JOIN shipment AS s ON s.round_id = r.id CROSS JOIN sent_unit AS u ON u.shipment_id = s.id
    CROSS JOIN source AS x ON x.id = u.source_id
    WHERE r.pipeline = ? AND s.vendor = ? AND s.language = ? AND s.receipt IS NOT NULL AND u.state = 'returned'
    ORDER BY r.number, u.id
    """

  static let newestReturns = """
    SELECT r.sent_unit_id, r.units FROM json_each(?) AS wanted
    CROSS JOIN returned_unit AS r ON r.id =
      (SELECT max(n.id) FROM returned_unit AS n WHERE n.sent_unit_id = wanted.value)
    WHERE r.pipeline = ?
    """

  /// Selects the receipts that contain variants.
  static let variants = """
    SELECT s.receipt FROM round AS r CROSS JOIN shipment AS s ON s.round_id = r.id AND s.vendor = ?2
    WHERE r.pipeline = ?1 AND s.receipt LIKE '%"variants":%' ORDER BY s.id
    """

  static let unitsOfShipment = """
    SELECT coalesce(u.catalog, s.catalog), s.key, s.pin, u.commit_id, u.state
    FROM sent_unit AS u JOIN source AS s ON s.id = u.source_id WHERE u.shipment_id = ? ORDER BY u.id
    """

  static let answeredUnits = """
    SELECT u.id, coalesce(u.catalog, s.catalog), s.key FROM sent_unit AS u JOIN source AS s ON s.id = u.source_id
    WHERE u.pipeline = ? AND u.vendor = ? AND u.state = 'returned' AND u.notified = ?
    """

  static let withdrawalNotices = """
    SELECT s.id, s.receipt, s.language, u.id, coalesce(u.catalog, o.catalog), o.key FROM sent_unit AS u
    JOIN shipment AS s ON s.id = u.shipment_id JOIN source AS o ON o.id = u.source_id
    WHERE u.pipeline = ? AND u.vendor = ? AND u.state IN ('withdrawn', 'superseded') AND u.notified = 0
      AND s.receipt IS NOT NULL ORDER BY s.id, u.id
    """

  static let lastCompared = """
    SELECT commit_id FROM run WHERE pipeline = ? AND compared IS NOT NULL AND commit_id <> ?
    ORDER BY branch = ? DESC, compared DESC, id DESC LIMIT 1
    """

  static let outstandingLanguages = "SELECT DISTINCT language FROM books WHERE pipeline = ? AND outstanding > 0"

  static let decisions = "SELECT decisions FROM pipeline WHERE name = ?"

  static let counters = "SELECT revision, decisions FROM pipeline WHERE name = ?"

  /// Selects a due or running job of a stage. Without INDEXED BY, SQLite would read all jobs of the stage, including the ended ones.
  static let dueJob = """
    SELECT id FROM job INDEXED BY job_unfinished WHERE pipeline = ?1 AND state IN ('queued', 'running', 'waiting')
      AND stage = ?2 AND (state = 'running' OR due <= ?3) LIMIT 1
    """

  static let pendingShipments = """
    SELECT b.vendor, coalesce(sum(b.outstanding) FILTER (WHERE s.receipt IS NULL), 0),
      coalesce(sum(b.outstanding) FILTER (WHERE s.receipt IS NOT NULL), 0), max(s.id) FILTER (WHERE s.receipt IS NULL)
    FROM books AS b
    CROSS JOIN shipment AS s ON s.round_id = b.round_id AND s.vendor = b.vendor AND s.language = b.language
    WHERE b.pipeline = ? AND b.outstanding > 0 GROUP BY b.vendor
    """

  static let pendingNotices = """
    SELECT u.vendor, count(*), max(u.id) FROM sent_unit AS u CROSS JOIN shipment AS s ON s.id = u.shipment_id
    WHERE u.pipeline = ? AND u.state IN ('withdrawn', 'superseded') AND u.notified = 0
      AND (s.receipt IS NOT NULL
        OR NOT EXISTS (SELECT 1 FROM sent_unit AS o WHERE o.shipment_id = s.id AND o.state = 'outstanding'))
    GROUP BY u.vendor
    """

  /// Selects the newest planned delivery of each branch. Without INDEXED BY, SQLite may choose an index of all deliveries.
  static let planned = """
    SELECT branch, max(id) FROM delivery INDEXED BY delivery_planned WHERE pipeline = ? AND state = 'planned'
    GROUP BY branch
    """

  static let lastDeliveries = """
    SELECT branch, base, commits FROM delivery WHERE id IN
      (SELECT max(id) FROM delivery WHERE pipeline = ? GROUP BY branch)
    """

  static let deliveryTargets =
    "SELECT target FROM delivery WHERE pipeline = ? AND branch = ? GROUP BY target ORDER BY max(id)"

  static let ownCommits = "SELECT commits FROM delivery WHERE pipeline = ? AND target = ?"

  static let openDeliveries = """
    SELECT * FROM delivery WHERE pipeline = ? AND branch = ? AND state IN ('planned', 'pushed') ORDER BY id
    """

  static let rounds = """
    SELECT \(roundColumns) FROM round AS r LEFT JOIN books AS b ON b.round_id = r.id WHERE r.pipeline = ?
    ORDER BY r.id, b.vendor, b.language
    """

  private static let roundColumns = """
    r.id, r.pipeline, r.number, r.created, r.cancelled, b.vendor, b.language, b.sent, b.returned, b.outstanding,
      b.withdrawn, b.superseded
    """

  /// Returns a statement that selects the newest rounds. Its arguments are an exclusive upper bound of the ids, the number of rounds, and the
  /// pipeline if `ofOne` is set.
  static func newestRounds(ofOne: Bool) -> String {
    """
    SELECT \(roundColumns) FROM
      (SELECT * FROM round WHERE id < ?1\(ofOne ? " AND pipeline = ?3" : "") ORDER BY id DESC LIMIT ?2) AS r
    LEFT JOIN books AS b ON b.round_id = r.id ORDER BY r.id DESC, b.vendor, b.language
    """
  }

  static let unitsOfRound = """
    SELECT catalog, key, pin, commit_id, brought_commit, brought_author, brought_seconds FROM source
    WHERE id IN (SELECT source_id FROM sent_unit WHERE round_id = ?) ORDER BY catalog, key, pin
    """

  static let pageOfRound = "\(unitsOfRound) LIMIT ? OFFSET ?"

  static let originsOfRound = """
    SELECT brought_commit, brought_author, brought_seconds, count(*) FROM source
    WHERE id IN (SELECT source_id FROM sent_unit WHERE round_id = ?)
    GROUP BY brought_commit, brought_author, brought_seconds
    """

  static let pipelines = "SELECT name, decisions, watch_fault, watch_fault_since FROM pipeline"

  static let heldUnits = heldUnits(where: "(r.pipeline = ?1 OR ?1 IS NULL) AND \(isOnWatchedBranch)")

  static let removedUnits = heldUnits(where: #"r.pipeline = ?1 AND o.reason LIKE '%"code":"removed"%'"#)

  private static func heldUnits(where condition: String) -> String {
    """
    SELECT r.pipeline, o.branch, r.catalog, r.key, r.language, b.vendor, b.digest, b.received, o.reason, r.units,
      u.round_id, r.id
    FROM branch_outcome AS o JOIN returned_unit AS r ON r.id = o.returned_unit_id JOIN bundle AS b ON b.id = r.bundle_id
    LEFT JOIN sent_unit AS u ON u.id = r.sent_unit_id
    WHERE o.state = 'held' AND \(condition)
    ORDER BY r.pipeline, o.branch, r.catalog, r.key, r.language, r.id
    """
  }

  /// The condition that the branch of an outcome `o` of a returned unit `r` is currently watched.
  static let isOnWatchedBranch = """
    EXISTS (SELECT 1 FROM branch AS w WHERE w.pipeline = r.pipeline AND w.name = o.branch)
    """

  static let headWhenSending = """
    SELECT commit_id FROM run WHERE pipeline = ?1 AND branch = ?2 AND (commit_id = ?3 OR created <= ?4)
    ORDER BY commit_id = ?3 DESC, created DESC, id DESC LIMIT 1
    """

  static let withdrawRound = """
    UPDATE sent_unit SET state = 'withdrawn' WHERE round_id = ? AND state = 'outstanding'
    """

  /// The condition that a row of `branch_outcome` is held for a reason other than a removal. Such rows are deleted to make a merge review the units
  /// again. A removal is reviewed again only after the branch has changed or a person takes the unit.
  static let isHeldForReview = #"state = 'held' AND coalesce(reason, '') NOT LIKE '%"code":"removed"%'"#

  static let reopenRound = """
    DELETE FROM branch_outcome WHERE \(isHeldForReview) AND returned_unit_id IN
      (SELECT r.id FROM sent_unit AS u JOIN returned_unit AS r ON r.sent_unit_id = u.id WHERE u.round_id = ?)
    """

  static let sentLedgerUnits = """
    SELECT id, source_id, vendor, language, state, 0 FROM sent_unit WHERE pipeline = ?1 AND state = 'outstanding'
    UNION ALL
    SELECT u.id, source_id, vendor, language, state, 0 FROM round AS r CROSS JOIN sent_unit AS u ON u.round_id = r.id
      WHERE r.pipeline = ?1 AND r.cancelled = 1 AND u.state = 'withdrawn'
    UNION ALL
    SELECT id, source_id, vendor, language, state, 1 FROM sent_unit WHERE pipeline = ?1 AND refusal IS NOT NULL
    UNION ALL
    SELECT id, source_id, vendor, language, state, 0 FROM sent_unit WHERE ?2 = 1 AND pipeline = ?1 AND state = 'returned'
    """
}
