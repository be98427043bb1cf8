import FoundationEssentials
internal import GRDB
import Pipeline

/// Migration 0003. It gives tables and columns the names of the glossary, converts stored values to JSON, and adds the table `pipeline` and indexes
/// for the queries.
///
/// The migration runs in one transaction, so the ledger is unchanged if the process dies. SQLite copies the rows one at a time, so memory use stays
/// small even for a large ledger. The disk needs space for a second copy of the ledger.
extension Schema {
  static func useLedgerWords(_ database: Database) throws {
    let functions = [
      storedValue("stored_translation") { bytes in
        var reader = ByteReader(bytes)
        return try LedgerCoding.encode(reader.oldTranslation())
      },
      storedValue("stored_units") { bytes in
        var reader = ByteReader(bytes)
        return try LedgerCoding.encode(reader.oldUnits())
      },
    ]
    for function in functions { database.add(function: function) }
    defer { for function in functions { database.remove(function: function) } }
    try database.execute(sql: ledgerWords)
  }

  private static func storedValue(
    _ name: String, _ convert: @escaping @Sendable ([UInt8]) throws -> String
  ) -> DatabaseFunction {
    DatabaseFunction(name, argumentCount: 1, pure: true) { values in
      guard let bytes = Data.fromDatabaseValue(values[0]) else { return nil }
      do {
        return try convert(Array(bytes))
      } catch {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a stored value cannot be converted: \(error)")
      }
    }
  }

  private static let ledgerWords = """
    DROP TRIGGER consignment_sent;
    DROP TRIGGER consignment_moved;
    DROP TRIGGER consignment_kept;

    -- What of a pipeline counts up: `revision` with every change after which a merge must look again.
    CREATE TABLE pipeline (name TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO pipeline SELECT DISTINCT pipeline, 1 FROM bundle;

    ALTER TABLE source RENAME TO old_source;
    CREATE TABLE source (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, catalog TEXT NOT NULL, key TEXT NOT NULL, pin TEXT NOT NULL,
      canonical TEXT NOT NULL, forms TEXT, commit_id TEXT NOT NULL, author TEXT NOT NULL,
      brought_commit TEXT, brought_author TEXT, brought_seconds INTEGER,
      UNIQUE (pipeline, catalog, key, pin));
    INSERT INTO source
      SELECT id, pipeline, catalog, key, pin, canonical, stored_translation(forms), commit_id, author,
        brought_commit, brought_author, brought_seconds FROM old_source;

    CREATE TABLE sent_unit (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, round_id INTEGER NOT NULL REFERENCES round (id),
      shipment_id INTEGER NOT NULL REFERENCES shipment (id), source_id INTEGER NOT NULL REFERENCES source (id),
      vendor TEXT NOT NULL, language TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('outstanding', 'returned', 'withdrawn', 'superseded')),
      baseline TEXT, commit_id TEXT NOT NULL, notified INTEGER NOT NULL DEFAULT 0);
    INSERT INTO sent_unit
      SELECT id, pipeline, round_id, shipment_id, source_id, vendor, language, state, stored_translation(baseline),
        commit_id, notified FROM consignment;

    CREATE TABLE returned_unit (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, bundle_id INTEGER NOT NULL REFERENCES bundle (id),
      catalog TEXT NOT NULL, key TEXT NOT NULL, language TEXT NOT NULL, units TEXT NOT NULL,
      source_id INTEGER REFERENCES source (id), sent_unit_id INTEGER REFERENCES sent_unit (id),
      UNIQUE (bundle_id, catalog, key, language));
    INSERT INTO returned_unit
      SELECT id, pipeline, bundle_id, catalog, key, language, stored_units(units), source_id, consignment_id
      FROM arrival;

    CREATE TABLE branch_outcome (
      returned_unit_id INTEGER NOT NULL REFERENCES returned_unit (id), branch TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('delivered', 'settled', 'held', 'passed over')),
      reviewed TEXT NOT NULL, reason TEXT, translation TEXT, delivery_id INTEGER REFERENCES delivery (id),
      PRIMARY KEY (returned_unit_id, branch)) WITHOUT ROWID;
    INSERT INTO branch_outcome
      SELECT arrival_id, branch, state, reviewed, reason, translation, delivery_id FROM placement;

    DROP TABLE placement;
    DROP TABLE arrival;
    DROP TABLE consignment;
    DROP TABLE old_source;

    -- Double entry: every sent unit is in exactly one account, at any time.
    ALTER TABLE books RENAME TO old_books;
    CREATE TABLE books (
      round_id INTEGER NOT NULL REFERENCES round (id), vendor TEXT NOT NULL, language TEXT NOT NULL,
      pipeline TEXT NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, outstanding INTEGER NOT NULL DEFAULT 0,
      withdrawn INTEGER NOT NULL DEFAULT 0, superseded INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (round_id, vendor, language),
      CHECK (sent = returned + outstanding + withdrawn + superseded),
      CHECK (min(sent, returned, outstanding, withdrawn, superseded) >= 0)) WITHOUT ROWID;
    INSERT INTO books
      SELECT b.round_id, b.vendor, b.language, r.pipeline, b.sent, b.returned, b.outstanding, b.withdrawn, b.superseded
      FROM old_books b JOIN round r ON r.id = b.round_id;
    DROP TABLE old_books;
    CREATE TRIGGER sent_unit_sent AFTER INSERT ON sent_unit BEGIN
      SELECT RAISE(ABORT, 'a sent unit begins outstanding') WHERE NEW.state <> 'outstanding';
      INSERT INTO books (round_id, vendor, language, pipeline, sent, outstanding)
        VALUES (NEW.round_id, NEW.vendor, NEW.language, NEW.pipeline, 1, 1)
        ON CONFLICT DO UPDATE SET sent = sent + 1, outstanding = outstanding + 1;
    END;
    CREATE TRIGGER sent_unit_moved AFTER UPDATE OF state ON sent_unit WHEN OLD.state <> NEW.state BEGIN
      UPDATE books SET
        returned = returned + (NEW.state = 'returned') - (OLD.state = 'returned'),
        outstanding = outstanding + (NEW.state = 'outstanding') - (OLD.state = 'outstanding'),
        withdrawn = withdrawn + (NEW.state = 'withdrawn') - (OLD.state = 'withdrawn'),
        superseded = superseded + (NEW.state = 'superseded') - (OLD.state = 'superseded')
      WHERE round_id = NEW.round_id AND vendor = NEW.vendor AND language = NEW.language;
    END;
    CREATE TRIGGER sent_unit_kept BEFORE DELETE ON sent_unit BEGIN
      SELECT RAISE(ABORT, 'a sent unit is never deleted');
    END;

    CREATE INDEX source_key ON source (pipeline, key);
    CREATE INDEX shipment_unsent ON shipment (pipeline, vendor) WHERE receipt IS NULL;
    CREATE INDEX sent_unit_state ON sent_unit (pipeline, state);
    CREATE INDEX sent_unit_round ON sent_unit (round_id, state);
    CREATE INDEX sent_unit_shipment ON sent_unit (shipment_id, state);
    CREATE INDEX sent_unit_source ON sent_unit (source_id, language);
    CREATE INDEX sent_unit_to_notify ON sent_unit (pipeline, vendor, shipment_id)
      WHERE state IN ('withdrawn', 'superseded') AND notified = 0;
    -- Nothing is out twice.
    CREATE UNIQUE INDEX sent_unit_outstanding ON sent_unit (source_id, language) WHERE state = 'outstanding';
    CREATE INDEX books_outstanding ON books (pipeline, vendor, language, outstanding) WHERE outstanding > 0;
    CREATE INDEX returned_unit_pipeline ON returned_unit (pipeline);
    CREATE INDEX returned_unit_unit ON returned_unit (pipeline, key, catalog, language);
    CREATE INDEX returned_unit_source ON returned_unit (source_id, language);
    CREATE INDEX returned_unit_sent_unit ON returned_unit (sent_unit_id) WHERE sent_unit_id IS NOT NULL;
    CREATE INDEX branch_outcome_delivery ON branch_outcome (delivery_id) WHERE delivery_id IS NOT NULL;
    CREATE INDEX branch_outcome_held ON branch_outcome (returned_unit_id) WHERE state = 'held';
    CREATE INDEX delivery_target ON delivery (pipeline, target);
    CREATE INDEX delivery_created ON delivery (pipeline, created);
    CREATE INDEX delivery_planned ON delivery (pipeline, branch) WHERE state = 'planned';
    """
}
