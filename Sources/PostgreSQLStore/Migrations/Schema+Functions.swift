extension Schema {
  /// The SQL function for digests of texts. The database stores text as UTF-8, so the digest of a text never changes.
  static let functions = #"""
    CREATE FUNCTION text_digest(text) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
      AS $$ SELECT sha256(convert_to($1, 'UTF8')) $$;
    """#

  /// The books and their triggers. At any time, every sent unit is counted in exactly one of the counts for `returned`, `outstanding`, `withdrawn`
  /// and `superseded`.
  static let books = #"""
    CREATE TABLE books (
      round_id BIGINT NOT NULL REFERENCES round (id), vendor TEXT COLLATE "C" NOT NULL,
      language TEXT COLLATE "C" NOT NULL, pipeline TEXT COLLATE "C" NOT NULL,
      sent BIGINT NOT NULL DEFAULT 0, returned BIGINT NOT NULL DEFAULT 0, outstanding BIGINT NOT NULL DEFAULT 0,
      withdrawn BIGINT NOT NULL DEFAULT 0, superseded BIGINT NOT NULL DEFAULT 0,
      PRIMARY KEY (round_id, vendor, language),
      CHECK (sent = returned + outstanding + withdrawn + superseded),
      CHECK (least(sent, returned, outstanding, withdrawn, superseded) >= 0));
    CREATE INDEX books_outstanding ON books (pipeline, vendor, language, outstanding) WHERE outstanding > 0;

    CREATE FUNCTION enter_sent_unit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.state <> 'outstanding' THEN RAISE EXCEPTION 'a sent unit begins outstanding'; END IF;
      INSERT INTO books (round_id, vendor, language, pipeline, sent, outstanding)
        VALUES (NEW.round_id, NEW.vendor, NEW.language, NEW.pipeline, 1, 1)
        ON CONFLICT (round_id, vendor, language)
        DO UPDATE SET sent = books.sent + 1, outstanding = books.outstanding + 1;
      RETURN NULL;
    END $$;
    CREATE TRIGGER sent_unit_sent AFTER INSERT ON sent_unit FOR EACH ROW EXECUTE FUNCTION enter_sent_unit();

    CREATE FUNCTION move_sent_unit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      UPDATE books SET
        returned = returned + (NEW.state = 'returned')::int - (OLD.state = 'returned')::int,
        outstanding = outstanding + (NEW.state = 'outstanding')::int - (OLD.state = 'outstanding')::int,
        withdrawn = withdrawn + (NEW.state = 'withdrawn')::int - (OLD.state = 'withdrawn')::int,
        superseded = superseded + (NEW.state = 'superseded')::int - (OLD.state = 'superseded')::int
      WHERE round_id = NEW.round_id AND vendor = NEW.vendor AND language = NEW.language;
      RETURN NULL;
    END $$;
    CREATE TRIGGER sent_unit_moved AFTER UPDATE OF state ON sent_unit FOR EACH ROW
      WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION move_sent_unit();

    CREATE FUNCTION keep_sent_unit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'a sent unit is never deleted';
    END $$;
    CREATE TRIGGER sent_unit_kept BEFORE DELETE ON sent_unit FOR EACH ROW EXECUTE FUNCTION keep_sent_unit();
    """#

  /// Tables for the workers that share the ledger, for the pipeline files that they run, and for the identity of the installation. Workers are
  /// notified of changes on the channel `dragoman`.
  static let fleet = #"""
    CREATE TABLE worker (
      id TEXT COLLATE "C" PRIMARY KEY, name TEXT NOT NULL, started DOUBLE PRECISION NOT NULL,
      -- When its lease ends. It is then taken for dead, and its pipelines go to others.
      until DOUBLE PRECISION NOT NULL);
    CREATE TABLE definition (
      name TEXT COLLATE "C" PRIMARY KEY, path TEXT NOT NULL, text TEXT NOT NULL, version BIGINT NOT NULL,
      applied DOUBLE PRECISION NOT NULL);
    CREATE SEQUENCE definition_version;
    -- One row: what tells this installation from others at vendors.
    CREATE TABLE installation (identity TEXT NOT NULL, one BOOLEAN NOT NULL DEFAULT TRUE UNIQUE CHECK (one));

    CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      PERFORM pg_notify('dragoman', TG_ARGV[0]);
      RETURN NULL;
    END $$;
    CREATE TRIGGER job_queued AFTER INSERT OR UPDATE OF state, due ON job FOR EACH ROW
      WHEN (NEW.state = 'queued') EXECUTE FUNCTION announce('jobs');
    CREATE TRIGGER pipeline_decided AFTER UPDATE OF decisions ON pipeline FOR EACH ROW
      WHEN (OLD.decisions <> NEW.decisions) EXECUTE FUNCTION announce('pipelines');
    CREATE TRIGGER pipeline_freed AFTER UPDATE OF holder ON pipeline FOR EACH ROW
      WHEN (OLD.holder IS NOT NULL AND NEW.holder IS NULL) EXECUTE FUNCTION announce('pipelines');
    CREATE TRIGGER definition_changed AFTER INSERT OR UPDATE OR DELETE ON definition FOR EACH STATEMENT
      EXECUTE FUNCTION announce('pipelines');
    """#
}
