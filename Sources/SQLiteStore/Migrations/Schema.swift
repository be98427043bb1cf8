internal import GRDB

/// The ledger's migrations. A released migration is never edited; every change is a new migration.
enum Schema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("0001 runs, jobs, rounds and deliveries") { try $0.execute(sql: first) }
    migrator.registerMigration("0002 provenance") { try $0.execute(sql: provenance) }
    migrator.registerMigration("0003 sent units, returned units and readable values", migrate: useLedgerWords)
    migrator.registerMigration("0004 one job for each stage and scope") { try $0.execute(sql: jobsByScope) }
    migrator.registerMigration("0005 catalogs as vendors know them") { try $0.execute(sql: sentCatalogs) }
    migrator.registerMigration("0006 deliveries that bring catalogs") { try $0.execute(sql: broughtCatalogs) }
    migrator.registerMigration("0007 what is wrong until something is done again") { try $0.execute(sql: findings) }
    // Versions without the stage `propose` cannot read its jobs, so they must not open the ledger.
    migrator.registerMigration("0008 jobs of the stage propose") { _ in }
    migrator.registerMigration("0009 notices") { try $0.execute(sql: notices) }
    // This migration exists for the same reason as 0008.
    migrator.registerMigration("0010 jobs of the stage report") { _ in }
    migrator.registerMigration("0011 history of commits") { try $0.execute(sql: commitHistory) }
    // This migration exists for the same reason as 0008.
    migrator.registerMigration("0012 jobs of the stage review") { _ in }
    migrator.registerMigration("0013 refused units and failing jobs") { try $0.execute(sql: refusals) }
    migrator.registerMigration("0014 what people look at and decide") { try $0.execute(sql: people) }
    // This migration only changes the books in PostgreSQL.
    migrator.registerMigration("0015 books by statement") { _ in }
    // This migration changes nothing here, because only workers with PostgreSQL share facts.
    migrator.registerMigration("0016 shared facts") { _ in }
    migrator.registerMigration("0017 trigrams for searches") { try $0.execute(sql: sourceGrams) }
    // This migration changes nothing here, because only PostgreSQL ledgers have several workers.
    migrator.registerMigration("0018 faults of workers' pipeline files") { _ in }
    migrator.registerMigration("0019 former names of pipelines") { try $0.execute(sql: formerNames) }
    migrator.registerMigration("0020 newest recorded commits") { try $0.execute(sql: recordedBranches) }
    migrator.registerMigration("0021 jobs with a problem") { try $0.execute(sql: troubledJobs) }
    migrator.registerMigration("0022 outdated translations") { try $0.execute(sql: outdated) }
    migrator.registerMigration("0023 one origin for each outdated translation") { try $0.execute(sql: oneOrigin) }
    migrator.registerMigration("0024 contents of pull requests") { try $0.execute(sql: proposals) }
    return migrator
  }

  /// The table with the last content of each delivery branch's pull request. The parts are a JSON array of digests.
  private static let proposals = """
    CREATE TABLE proposal (
      pipeline TEXT NOT NULL, target TEXT NOT NULL, mark TEXT NOT NULL, parts TEXT NOT NULL,
      PRIMARY KEY (pipeline, target)) WITHOUT ROWID;
    """

  /// The table of translations on watched branches that were made for an earlier source text.
  private static let outdated = """
    CREATE TABLE outdated (
      pipeline TEXT NOT NULL, catalog TEXT NOT NULL, key TEXT NOT NULL, pin TEXT NOT NULL, origin TEXT NOT NULL,
      language TEXT NOT NULL, translation TEXT NOT NULL);
    CREATE INDEX outdated_pipeline ON outdated (pipeline, pin);
    """

  /// Removes rows that differ from an earlier row only in the origin. Earlier versions could add such a row, with a wrong origin, when they compared
  /// the same commits again.
  private static let oneOrigin = """
    DELETE FROM outdated WHERE rowid NOT IN (
      SELECT min(rowid) FROM outdated GROUP BY pipeline, catalog, key, pin, language, translation);
    """

  /// Indexes of the few jobs that the dashboard's first page counts: failed jobs, and jobs with findings.
  private static let troubledJobs = """
    CREATE INDEX job_failed ON job (pipeline) WHERE state = 'failed';
    CREATE INDEX job_findings ON job (pipeline) WHERE findings IS NOT NULL;
    """

  /// The table of former names of pipelines, each with the pipeline's current name.
  private static let formerNames = """
    CREATE TABLE former_name (name TEXT PRIMARY KEY, pipeline TEXT NOT NULL) WITHOUT ROWID;
    """

  /// The table with the newest commit of each branch up to which the commit history is recorded.
  private static let recordedBranches = """
    CREATE TABLE recorded_branch (
      pipeline TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL, PRIMARY KEY (pipeline, branch)
    ) WITHOUT ROWID;
    """

  /// The table of trigrams of each pipeline's source texts (`TextGrams`). In an older ledger, the trigrams of a pipeline's source texts are added
  /// with its next round.
  private static let sourceGrams = """
    CREATE TABLE source_gram (
      pipeline TEXT NOT NULL, gram INTEGER NOT NULL, sources TEXT, PRIMARY KEY (pipeline, gram)) WITHOUT ROWID;
    """

  /// Tables for the changes for translators in each commit, and for the freeze points of branches.
  private static let commitHistory = """
    CREATE TABLE history_commit (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, commit_id TEXT NOT NULL, parent TEXT, author TEXT NOT NULL,
      email TEXT NOT NULL, seconds INTEGER NOT NULL, subject TEXT NOT NULL, ours INTEGER NOT NULL,
      added INTEGER NOT NULL, changed INTEGER NOT NULL, commented INTEGER NOT NULL, removed INTEGER NOT NULL,
      translations INTEGER NOT NULL, fault TEXT,
      UNIQUE (pipeline, commit_id));
    CREATE TABLE history_change (
      commit_row INTEGER NOT NULL REFERENCES history_commit (id), place INTEGER NOT NULL, pipeline TEXT NOT NULL,
      catalog TEXT NOT NULL, key TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('added', 'changed', 'commented', 'removed')),
      text TEXT NOT NULL, former TEXT, path TEXT, line INTEGER,
      PRIMARY KEY (commit_row, place)) WITHOUT ROWID;
    CREATE INDEX history_change_key ON history_change (key, pipeline);
    CREATE TABLE freeze_point (
      pipeline TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL, PRIMARY KEY (pipeline, branch)
    ) WITHOUT ROWID;
    """

  /// Columns for the reason why a vendor refused a unit that was then withdrawn, and for the time since which every attempt of a job has failed.
  private static let refusals = """
    ALTER TABLE sent_unit ADD COLUMN refusal TEXT;
    CREATE INDEX sent_unit_refused ON sent_unit (pipeline) WHERE refusal IS NOT NULL;
    ALTER TABLE job ADD COLUMN failing_since REAL;
    """

  /// Tables and columns for the completion by day, pauses, requested looks, overruled reasons, tokens of the API, and the audit log. Extraction runs
  /// once more to record the completion of every branch.
  private static let people = """
    ALTER TABLE pipeline ADD COLUMN paused_since REAL;
    ALTER TABLE pipeline ADD COLUMN paused_by TEXT;
    ALTER TABLE pipeline ADD COLUMN pause_reason TEXT;
    ALTER TABLE pipeline ADD COLUMN looks INTEGER NOT NULL DEFAULT 0;
    -- One row for each day on which a branch was read: `day` counts from 1970.
    CREATE TABLE completion (
      pipeline TEXT NOT NULL, branch TEXT NOT NULL, day INTEGER NOT NULL, language TEXT NOT NULL,
      commit_id TEXT NOT NULL, total INTEGER NOT NULL, translated INTEGER NOT NULL, needs_review INTEGER NOT NULL,
      untranslated INTEGER NOT NULL, PRIMARY KEY (pipeline, branch, day, language)) WITHOUT ROWID;
    CREATE TABLE overruled_reason (
      returned_unit_id INTEGER NOT NULL REFERENCES returned_unit (id), branch TEXT NOT NULL, reason TEXT NOT NULL,
      pipeline TEXT NOT NULL, PRIMARY KEY (returned_unit_id, branch, reason)) WITHOUT ROWID;
    CREATE INDEX overruled_reason_pipeline ON overruled_reason (pipeline, branch);
    CREATE TABLE audit (
      id INTEGER PRIMARY KEY, at REAL NOT NULL, actor TEXT NOT NULL, way TEXT NOT NULL, action TEXT NOT NULL,
      pipeline TEXT, subject TEXT NOT NULL, detail TEXT, outcome TEXT);
    CREATE INDEX audit_pipeline ON audit (pipeline, id);
    CREATE TABLE api_token (
      name TEXT PRIMARY KEY, role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')), hash TEXT NOT NULL UNIQUE,
      created REAL NOT NULL) WITHOUT ROWID;
    UPDATE job SET inputs = '', done = NULL WHERE stage = 'extract';
    """

  /// Tables for the notices, and for the lines of messages that are not yet sent. `message` is the id of the message that contains a line.
  private static let notices = """
    ALTER TABLE pipeline ADD COLUMN notices_since REAL;
    CREATE TABLE notice (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, event TEXT NOT NULL, about TEXT NOT NULL, vendor TEXT NOT NULL,
      text TEXT NOT NULL, began REAL NOT NULL, ended REAL,
      -- A JSON array of the receivers that were told, or will be.
      told TEXT NOT NULL);
    -- A problem is open once.
    CREATE UNIQUE INDEX notice_open ON notice (pipeline, event, about, vendor) WHERE ended IS NULL;
    CREATE INDEX notice_ended ON notice (pipeline, ended);
    CREATE TABLE notice_line (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, receiver TEXT NOT NULL, event TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('began', 'ended', 'happened')), text TEXT NOT NULL, at REAL NOT NULL,
      message TEXT);
    CREATE INDEX notice_line_receiver ON notice_line (pipeline, receiver);
    """

  /// Columns for the findings of the last run of a job, as a JSON array, and for the reason why a pipeline's repository cannot be read.
  private static let findings = """
    ALTER TABLE job ADD COLUMN findings TEXT;
    ALTER TABLE pipeline ADD COLUMN watch_fault TEXT;
    ALTER TABLE pipeline ADD COLUMN watch_fault_since REAL;
    """

  /// Columns for the commit that added a source text, its author and its time. Either all three columns are set, or none of them is.
  private static let provenance = """
    ALTER TABLE source ADD COLUMN brought_commit TEXT;
    ALTER TABLE source ADD COLUMN brought_author TEXT;
    ALTER TABLE source ADD COLUMN brought_seconds INTEGER;
    """

  /// A new table of jobs, and columns for the time at which a head was compared and for the number of decisions. Old jobs are dropped, because jobs
  /// are derived from the current state. Jobs are planned again at the next check of a repository.
  private static let jobsByScope = """
    ALTER TABLE run ADD COLUMN compared REAL;
    UPDATE run SET compared = created WHERE EXISTS
      (SELECT 1 FROM job WHERE job.run_id = run.id AND job.stage = 'diff' AND job.state = 'succeeded');
    CREATE INDEX run_compared ON run (pipeline, compared) WHERE compared IS NOT NULL;
    ALTER TABLE pipeline ADD COLUMN decisions INTEGER NOT NULL DEFAULT 0;
    DROP TABLE job;
    CREATE TABLE job (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, stage TEXT NOT NULL, scope TEXT NOT NULL, lane TEXT NOT NULL,
      -- The stages before it, each between spaces.
      waits_for TEXT NOT NULL,
      -- Digests of the inputs that it is wanted for, and that it last succeeded with.
      inputs TEXT NOT NULL, done TEXT,
      state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'succeeded', 'failed')),
      due REAL, lease_owner TEXT, lease_until REAL, failure TEXT, failed_at REAL,
      -- Set on a running job that was woken: it is queued once more when it ends.
      again INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL, version INTEGER NOT NULL, armed REAL NOT NULL, moved REAL NOT NULL,
      UNIQUE (pipeline, stage, scope));
    CREATE INDEX job_due ON job (due) WHERE state IN ('queued', 'waiting');
    CREATE INDEX job_unfinished ON job (pipeline, state) WHERE state IN ('queued', 'running', 'waiting');
    """

  /// A column for the path that a unit's catalog had when the unit was planned. It is set only if the catalog was renamed later.
  private static let sentCatalogs = "ALTER TABLE sent_unit ADD COLUMN catalog TEXT"

  /// A column that tells whether a delivery contains catalog changes other than translations. The value is 0 for older deliveries, for which this is
  /// unknown.
  private static let broughtCatalogs = "ALTER TABLE delivery ADD COLUMN brings_catalogs INTEGER NOT NULL DEFAULT 0"

  private static let first = """
    CREATE TABLE run (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, branch TEXT NOT NULL, commit_id TEXT NOT NULL,
      created REAL NOT NULL, pending_since REAL,
      UNIQUE (pipeline, branch, commit_id));
    CREATE TABLE branch (
      pipeline TEXT NOT NULL, name TEXT NOT NULL, run_id INTEGER NOT NULL REFERENCES run (id),
      PRIMARY KEY (pipeline, name)) WITHOUT ROWID;
    CREATE TABLE job (
      id INTEGER PRIMARY KEY, run_id INTEGER NOT NULL REFERENCES run (id), pipeline TEXT NOT NULL,
      stage TEXT NOT NULL, scope TEXT NOT NULL, lane TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled')),
      due REAL, lease_owner TEXT, lease_until REAL, failure TEXT, failed_at REAL,
      attempts INTEGER NOT NULL, version INTEGER NOT NULL, created REAL NOT NULL,
      UNIQUE (run_id, stage, scope));
    CREATE INDEX job_unfinished ON job (pipeline, state) WHERE state IN ('queued', 'running', 'waiting');

    CREATE TABLE round (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, number INTEGER NOT NULL, created REAL NOT NULL,
      cancelled INTEGER NOT NULL DEFAULT 0,
      UNIQUE (pipeline, number));
    CREATE TABLE source (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, catalog TEXT NOT NULL, key TEXT NOT NULL, pin TEXT NOT NULL,
      canonical TEXT NOT NULL, forms BLOB, commit_id TEXT NOT NULL, author TEXT NOT NULL,
      UNIQUE (pipeline, catalog, key, pin));
    CREATE TABLE shipment (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, round_id INTEGER NOT NULL REFERENCES round (id),
      vendor TEXT NOT NULL, language TEXT NOT NULL, source_language TEXT NOT NULL, receipt TEXT, sent_at REAL,
      UNIQUE (round_id, vendor, language));
    CREATE TABLE consignment (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, round_id INTEGER NOT NULL REFERENCES round (id),
      shipment_id INTEGER NOT NULL REFERENCES shipment (id), source_id INTEGER NOT NULL REFERENCES source (id),
      vendor TEXT NOT NULL, language TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('outstanding', 'returned', 'withdrawn', 'superseded')),
      baseline BLOB, commit_id TEXT NOT NULL, notified INTEGER NOT NULL DEFAULT 0);
    CREATE INDEX consignment_state ON consignment (pipeline, state);
    CREATE INDEX consignment_shipment ON consignment (shipment_id);
    CREATE INDEX consignment_source ON consignment (source_id, language);
    CREATE INDEX consignment_vendor ON consignment (pipeline, vendor, language);
    -- Nothing is out twice.
    CREATE UNIQUE INDEX consignment_outstanding ON consignment (source_id, language) WHERE state = 'outstanding';

    -- Double entry: every consignment is in exactly one account, at any time.
    CREATE TABLE books (
      round_id INTEGER NOT NULL REFERENCES round (id), vendor TEXT NOT NULL, language TEXT NOT NULL,
      sent INTEGER NOT NULL DEFAULT 0, returned INTEGER NOT NULL DEFAULT 0, outstanding INTEGER NOT NULL DEFAULT 0,
      withdrawn INTEGER NOT NULL DEFAULT 0, superseded INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (round_id, vendor, language),
      CHECK (sent = returned + outstanding + withdrawn + superseded),
      CHECK (min(sent, returned, outstanding, withdrawn, superseded) >= 0)) WITHOUT ROWID;
    CREATE TRIGGER consignment_sent AFTER INSERT ON consignment BEGIN
      SELECT RAISE(ABORT, 'a consignment begins outstanding') WHERE NEW.state <> 'outstanding';
      INSERT INTO books (round_id, vendor, language, sent, outstanding)
        VALUES (NEW.round_id, NEW.vendor, NEW.language, 1, 1)
        ON CONFLICT DO UPDATE SET sent = sent + 1, outstanding = outstanding + 1;
    END;
    CREATE TRIGGER consignment_moved AFTER UPDATE OF state ON consignment WHEN OLD.state <> NEW.state BEGIN
      UPDATE books SET
        returned = returned + (NEW.state = 'returned') - (OLD.state = 'returned'),
        outstanding = outstanding + (NEW.state = 'outstanding') - (OLD.state = 'outstanding'),
        withdrawn = withdrawn + (NEW.state = 'withdrawn') - (OLD.state = 'withdrawn'),
        superseded = superseded + (NEW.state = 'superseded') - (OLD.state = 'superseded')
      WHERE round_id = NEW.round_id AND vendor = NEW.vendor AND language = NEW.language;
    END;
    CREATE TRIGGER consignment_kept BEFORE DELETE ON consignment BEGIN
      SELECT RAISE(ABORT, 'a consignment is never deleted');
    END;

    CREATE TABLE bundle (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, vendor TEXT NOT NULL, digest TEXT NOT NULL,
      reference TEXT NOT NULL, received REAL NOT NULL, review TEXT, acknowledged INTEGER NOT NULL DEFAULT 0,
      UNIQUE (pipeline, vendor, digest));
    CREATE TABLE arrival (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, bundle_id INTEGER NOT NULL REFERENCES bundle (id),
      catalog TEXT NOT NULL, key TEXT NOT NULL, language TEXT NOT NULL, units BLOB NOT NULL,
      source_id INTEGER REFERENCES source (id), consignment_id INTEGER REFERENCES consignment (id),
      UNIQUE (bundle_id, catalog, key, language));
    CREATE INDEX arrival_unit ON arrival (pipeline, key, catalog, language);
    CREATE INDEX arrival_source ON arrival (source_id, language);
    CREATE TABLE delivery (
      id INTEGER PRIMARY KEY, pipeline TEXT NOT NULL, branch TEXT NOT NULL, source TEXT NOT NULL, target TEXT NOT NULL,
      expected TEXT, base TEXT NOT NULL, commits TEXT NOT NULL, units INTEGER NOT NULL, created REAL NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('planned', 'pushed', 'settled', 'abandoned')));
    CREATE INDEX delivery_branch ON delivery (pipeline, branch, state);
    CREATE TABLE placement (
      arrival_id INTEGER NOT NULL REFERENCES arrival (id), branch TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('delivered', 'settled', 'held', 'passed over')),
      reviewed TEXT NOT NULL, reason TEXT, translation TEXT, delivery_id INTEGER REFERENCES delivery (id),
      PRIMARY KEY (arrival_id, branch)) WITHOUT ROWID;
    CREATE INDEX placement_delivery ON placement (delivery_id) WHERE delivery_id IS NOT NULL;
    CREATE TABLE rename (
      pipeline TEXT NOT NULL, old TEXT NOT NULL, new TEXT NOT NULL, PRIMARY KEY (pipeline, old)) WITHOUT ROWID;
    """
}
