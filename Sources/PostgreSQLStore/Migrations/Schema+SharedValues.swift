extension Schema {
  /// The table of trigrams for searches. It has the same columns as in SQLite's ledger.
  static let sourceGrams = """
    CREATE TABLE source_gram (
      pipeline TEXT COLLATE "C" NOT NULL, gram BIGINT NOT NULL, sources TEXT, PRIMARY KEY (pipeline, gram));
    """

  /// Tables for the facts that workers share (`SharedPacks`). These facts are not part of the ledger, and can be deleted at any time.
  static let sharedValues = """
    CREATE TABLE shared_seal (
      key TEXT NOT NULL, one BOOLEAN NOT NULL DEFAULT TRUE UNIQUE CHECK (one));
    CREATE TABLE shared_pack (
      id TEXT COLLATE "C" PRIMARY KEY, size BIGINT NOT NULL, used DOUBLE PRECISION NOT NULL, in_bucket BIGINT NOT NULL);
    CREATE INDEX shared_pack_used ON shared_pack (used);
    CREATE TABLE shared_value (
      name TEXT COLLATE "C" PRIMARY KEY, pack TEXT COLLATE "C" NOT NULL REFERENCES shared_pack (id) ON DELETE CASCADE,
      start BIGINT NOT NULL, length BIGINT NOT NULL);
    CREATE INDEX shared_value_pack ON shared_value (pack);
    -- Not in the log of changes: after a crash of the server it is empty, and facts are made again.
    CREATE UNLOGGED TABLE shared_content (
      pack TEXT COLLATE "C" PRIMARY KEY REFERENCES shared_pack (id) ON DELETE CASCADE, bytes BYTEA NOT NULL);
    -- Parts of a value that is not compressed are read without the rest.
    ALTER TABLE shared_content ALTER COLUMN bytes SET STORAGE EXTERNAL;
    """
}
