private import FoundationEssentials
internal import GRDB
private import Glibc
package import LedgerStore
import Localization

/// Functions that copy a ledger, and check and restore copies.
package enum LedgerCopies {
  /// Makes a consistent copy of the ledger of a store folder in a new file, even while a daemon writes to the ledger. The copy is checked as in
  /// ``restore(_:to:suffix:)``, and is written to disk before it gets its name. The ledger may be from an older version.
  /// - Parameter endsOnSignal: whether SIGTERM and SIGINT may end the process during the backup. The partial copy is then deleted.
  /// - Throws: `StoreError`, for example if the file exists. An existing file is never overwritten.
  package static func back(
    up folder: String, to path: String, endsOnSignal: Bool = false
  ) throws -> LedgerContents {
    let operation = "back up the ledger"
    // A symbolic link without a target exists, too.
    var status = stat()
    guard lstat(path, &status) != 0 else {
      throw StoreError(.unwritable, operation: operation, detail: "\(path) exists. Choose another name, or delete it")
    }
    let source = try SQLiteStore(reading: folder, takesOlder: true)
    PartialCopies.removeAbandoned(for: path)
    let part = PartialCopies.path(for: path)
    func attempt() throws -> LedgerContents {
      do { return try copy(source, to: path, by: part) } catch {
        PartialCopies.remove(part)
        guard let error = error as? StoreError else { throw error }
        throw StoreError(error.kind, operation: error.operation, detail: error.detail.replacing(part, with: path))
      }
    }
    return endsOnSignal ? try SignalCleanup.deleting(PartialCopies.files(of: part), during: attempt) : try attempt()
  }

  private static func copy(_ source: SQLiteStore, to path: String, by part: String) throws -> LedgerContents {
    let operation = "back up the ledger"
    try StoreFiles.prepareDatabase(part)
    let found = try wrapping(operation, part) {
      let copy = try DatabaseQueue(path: part)
      try source.database.backup(to: copy)
      // The copy is a single file, without a write-ahead log.
      try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = DELETE") }
      try copy.close()
      return try contents(of: part, asOf: source.path)
    }
    try StoreFiles.sync(file: part)
    guard try StoreFiles.giveName(path, to: part) else {
      throw StoreError(.unwritable, operation: operation, detail: "\(path) exists. Another backup has just made it")
    }
    try StoreFiles.sync(folder: StoreFiles.parent(of: path))
    return found
  }

  /// Checks the ledger of a store folder, even while a daemon uses it.
  /// - Throws: the same errors as ``check(file:)``.
  package static func check(ledgerOf folder: String) throws -> LedgerContents {
    let store = try SQLiteStore(reading: folder, takesOlder: true)
    return try wrapping("check the ledger", store.path) {
      try store.database.read { try contents(in: $0, path: store.path) }
    }
  }

  /// Checks every page, index and reference of a ledger's file, and whether the books agree with the units. The books of an older ledger are not
  /// checked, because its tables may differ. It is migrated when it is opened.
  /// - Throws: `StoreError` with the first fault.
  package static func check(file path: String) throws -> LedgerContents {
    try wrapping("check the ledger", path) { try contents(of: path, asOf: path) }
  }

  /// Checks a ledger that is not in use, such as a backup. If the ledger is damaged, the error's message advises the user to choose another backup
  /// instead of restoring one.
  package static func check(copy path: String) throws -> LedgerContents {
    do { return try check(file: path) } catch let error as StoreError where error.kind == .corrupt {
      throw StoreError(
        .corrupt, operation: error.operation,
        detail: error.detail.replacing(StoreError.restoring, with: "Choose another backup"))
    }
  }

  /// Replaces the ledger of a store folder with a copy. The file of the copy is not changed.
  /// - Returns: the contents of the copy, and the path of the former ledger; `nil` if the folder had no ledger.
  /// - Throws: `StoreError` if a daemon uses the store, its ledger was moved to a database, or the copy is damaged or from a newer version. In these
  ///   cases nothing is changed.
  package static func restore(_ path: String, to folder: String, suffix: String) throws -> (
    LedgerContents, former: String?
  ) {
    try StoreFiles.prepareFolder(folder)
    let lock = try StoreLock(folder: folder)
    defer { withExtendedLifetime(lock) {} }
    let contents = try check(copy: path)
    let ledger = folder + "/ledger.sqlite"
    let endings = ["", "-wal", "-shm", "-journal"].filter { access(ledger + $0, F_OK) == 0 }
    if endings.isEmpty {
      try LedgerPresence.requireHere(
        folder, for: "restore the ledger",
        orElse: "To go back to a ledger in this folder, stop the workers of the database and move")
    }
    let aside = "\(ledger).before-\(suffix)"
    guard endings.isEmpty || access(aside, F_OK) != 0 else {
      throw StoreError(
        .unwritable, operation: "restore the ledger",
        detail: "\(aside) exists. The former ledger would be moved there; move the file away")
    }
    let part = ledger + ".part"
    try StoreFiles.remove(part)
    do { try StoreFiles.copy(path, to: part) } catch {
      try? StoreFiles.remove(part)
      throw error
    }
    var former: String?
    if !endings.isEmpty {
      // The log belongs to the former ledger, and SQLite would replay it into the copy. The ledger is moved first and its log afterwards, so the log
      // is never lost.
      for ending in endings {
        guard rename(ledger + ending, aside + ending) == 0 else { throw StoreFiles.cannotWrite(aside + ending) }
      }
      former = endings.first.map { aside + $0 }
    }
    guard rename(part, ledger) == 0 else { throw StoreFiles.cannotWrite(ledger) }
    try StoreFiles.sync(folder: folder)
    return (contents, former)
  }

  // MARK: Contents

  /// Checks the ledger in a file and returns its contents.
  /// - Parameter name: the name of the file in messages.
  private static func contents(of path: String, asOf name: String) throws -> LedgerContents {
    guard access(path, R_OK) == 0 else {
      throw StoreError(
        .unwritable, operation: "check the ledger", detail: "cannot read \(path) (\(String(cString: strerror(errno))))")
    }
    // A named pipe would block SQLite until another process opens it.
    var status = stat()
    guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw StoreError(.corrupt, operation: "check the ledger", detail: "\(path) is not a regular file")
    }
    // The ledger is read with its log, but not changed.
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(path: path, configuration: configuration)
    return try database.read { try contents(in: $0, path: name) }
  }

  private static func contents(in database: Database, path: String) throws -> LedgerContents {
    func damaged(_ what: String) -> StoreError {
      StoreError(
        .corrupt, operation: "check the ledger", detail: "\(path) is damaged (\(what)). \(StoreError.restoring)")
    }
    let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(3)")
    guard found == ["ok"] else { throw damaged(found.first ?? "unknown damage") }
    let migrator = Schema.migrator
    let done = try migrator.appliedIdentifiers(database)
    guard !done.isEmpty else {
      throw StoreError(
        .corrupt, operation: "check the ledger", detail: "\(path) is a SQLite database, but not a Dragoman ledger")
    }
    guard try !migrator.hasBeenSuperseded(database) else {
      throw StoreError(
        .newerSchema, operation: "check the ledger",
        detail: "\(path) was written by a newer version of Dragoman. Use that version")
    }
    if let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") {
      throw damaged("an entry of the table \(row[0] as String? ?? "?") refers to a missing entry")
    }
    let isCurrent = try migrator.hasCompletedMigrations(database)
    // The tables of an older ledger may have other names. The ledger is migrated when it is opened.
    guard isCurrent else {
      func some(_ what: String) -> Int { (try? count(what, in: database)) ?? 0 }
      return LedgerContents(
        pipelines: some("pipeline"), rounds: some("round"), outstanding: some("sent_unit WHERE state = 'outstanding'"),
        size: try size(of: database))
    }
    if let fault = try booksFault(in: database) { throw damaged(fault) }
    return LedgerContents(
      pipelines: try count("pipeline", in: database), rounds: try count("round", in: database),
      outstanding: try count("sent_unit WHERE state = 'outstanding'", in: database), size: try size(of: database))
  }

  private static func count(_ what: String, in database: Database) throws -> Int {
    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(what)") ?? 0
  }

  private static func size(of database: Database) throws -> Int64 {
    let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
    return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
  }

  /// Returns a description of the first difference between the books and the units that the books count; `nil` if there is no difference. Triggers
  /// keep the books up to date, so a difference means that the ledger is damaged.
  private static func booksFault(in database: Database) throws -> String? {
    let states = ["returned", "outstanding", "withdrawn", "superseded"]
    let sums = states.map { "sum(state = '\($0)')" }.joined(separator: ", ")
    let columns = states.joined(separator: ", ")
    let units = """
      SELECT round_id, vendor, language, count(*) AS sent, \(sums) FROM sent_unit GROUP BY round_id, vendor, language
      """
    let books = "SELECT round_id, vendor, language, sent, \(columns) FROM books WHERE sent > 0"
    let row = try Row.fetchOne(
      database,
      sql: "SELECT * FROM (\(units) EXCEPT \(books)) UNION ALL SELECT * FROM (\(books) EXCEPT \(units)) LIMIT 1")
    guard let row, let vendor: String = row["vendor"], let language: String = row["language"] else { return nil }
    return "the books of round id \(row["round_id"] as Int64? ?? 0), \(vendor), \(language) disagree with its units"
  }

  private static func wrapping<Value>(_ operation: String, _ path: String, _ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      throw StoreError(error, operation: operation, path: path)
    }
  }
}
