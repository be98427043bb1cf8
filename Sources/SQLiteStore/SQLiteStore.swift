package import FoundationEssentials
internal import GRDB
private import Glibc
package import LedgerStore
import Localization
import Pipeline

/// The threads for calls of SQLite. One thread writes, because SQLite allows only one writer at a time. Several threads read.
package struct StoreThreads: Sendable {
  let writer: BlockingPool
  let readers: BlockingPool
  static let readerCount = 3

  package init() {
    writer = BlockingPool("ledger writer", width: 1)
    readers = BlockingPool("ledger readers", width: Self.readerCount)
  }

  private init(inline pool: BlockingPool) { (writer, readers) = (pool, pool) }

  /// The threads for the ledger of a process. Additional stores, as in tests, share them.
  package static let shared = StoreThreads()

  /// Threads for a program that has only one thread: each call runs directly on the caller's thread.
  package static let inline = StoreThreads(inline: .inline("ledger"))
}

/// A ledger in a SQLite file. Only one process at a time runs its pipelines, but other processes can read the ledger and record decisions.
///
/// All reads and writes run on `StoreThreads`. They may wait for the disk and for other programs, and must not block other tasks of the process. A
/// call completes even if its task is cancelled, because jobs are returned to the queue while a process stops.
package struct SQLiteStore: SQLLedger {
  let database: DatabasePool
  let path: String
  private let lock: StoreLock?
  /// The identity of the open file, by which a deleted or replaced file is detected; `nil` if this is not checked.
  private let file: StoreFiles.Identity?
  private let threads: StoreThreads
  private let waiting = WaitingWrites()
  /// The store's clock, which is used for leases and due times.
  let clock: @Sendable () -> Date

  /// Opens or creates the ledger of a store folder.
  /// - Parameters:
  ///   - busyTimeout: the time, in seconds, for which a call waits if another program holds SQLite's lock.
  /// - Throws: `StoreError` with the next step for the user, for example if another process uses the ledger, a newer version wrote it, or it is
  ///   missing, damaged or not writable.
  package init(
    folder: String, busyTimeout: Double = 5, threads: StoreThreads = .shared,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) throws {
    try StoreFiles.prepareFolder(folder)
    let lock = try StoreLock(folder: folder)
    let path = folder + "/ledger.sqlite"
    try LedgerPresence.require(in: folder)
    try StoreFiles.prepareDatabase(path)
    try self.init(path: path, lock: lock, busyTimeout: busyTimeout, threads: threads, clock: clock)
    // The folders are synced too, so the names of new files and of the folder itself survive a power failure.
    try StoreFiles.sync(folder: folder)
    try StoreFiles.sync(folder: StoreFiles.parent(of: folder))
  }

  /// Opens or creates a ledger on a disk that only SQLite accesses, such as the simulated disk. Only SQLite creates files, and no lock is taken.
  package init(
    unlockedFile path: String, threads: StoreThreads, clock: @escaping @Sendable () -> Date
  ) throws {
    try self.init(path: path, lock: nil, busyTimeout: 0, threads: threads, clock: clock)
  }

  private init(
    path: String, lock: StoreLock?, busyTimeout: Double, threads: StoreThreads,
    clock: @escaping @Sendable () -> Date
  ) throws {
    self.path = path
    self.lock = lock
    self.threads = threads
    self.clock = clock
    let operation = "open ledger"
    do {
      database = try DatabasePool(path: path, configuration: Self.configuration(busyTimeout: busyTimeout))
      file = lock == nil ? nil : StoreFiles.Identity(path)
      // The setting is repeated here, because GRDB sets NORMAL on the writer after it has applied the configuration.
      try database.writeWithoutTransaction { try $0.execute(sql: Self.durability) }
      let migrator = Schema.migrator
      if try database.read({ try migrator.hasBeenSuperseded($0) }) {
        throw StoreError(
          .newerSchema, operation: operation,
          detail: "\(path) was written by a newer version of Dragoman. Install that version, or restore an older backup"
        )
      }
      // The simulated disk never damages data.
      if lock != nil { try checkOncePerDay() }
      if try !database.read({ try migrator.hasCompletedMigrations($0) }) {
        try migrator.migrate(database)
        // The write-ahead log of a migration is as large as the ledger, so its space is returned at once.
        try database.writeWithoutTransaction { try Self.emptyLog(of: $0) }
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, operation: operation, path: path)
    }
  }

  /// Opens a ledger read-only, even while another process uses it. SQLite rejects writes.
  /// - Parameter takesOlder: whether the ledger may be from an older version, for copying or checking it.
  package init(reading folder: String, takesOlder: Bool = false) throws {
    try self.init(existing: folder, isReadOnly: true, takesOlder: takesOlder)
  }

  /// Opens a ledger to record decisions of people, even while a daemon uses it. Each decision is one transaction, and the daemon applies it within
  /// seconds. Stages must not use this store, because jobs and leases belong to the process that locked the store folder.
  package init(deciding folder: String) throws { try self.init(existing: folder, isReadOnly: false) }

  private init(existing folder: String, isReadOnly: Bool, takesOlder: Bool = false) throws {
    lock = nil
    file = nil
    threads = .shared
    clock = { Date() }
    path = folder + "/ledger.sqlite"
    let operation = "open ledger"
    try LedgerPresence.require(in: folder)
    guard access(path, F_OK) == 0 else {
      guard errno != EACCES else {
        throw PipelineError(
          .refused, operation: "read store \(folder)",
          detail: "only its owner has permission to read it. Run this command as the user that runs dragoman",
          disposition: .askPerson)
      }
      throw PipelineError(
        .notFound, operation: "read store \(folder)",
        detail: "it has no ledger yet. Check --store, or start `dragoman run` or `serve` first",
        disposition: .permanent)
    }
    do {
      var configuration = Self.configuration(busyTimeout: 5)
      configuration.readonly = isReadOnly
      database = try DatabasePool(path: path, configuration: configuration)
      if !isReadOnly { try database.writeWithoutTransaction { try $0.execute(sql: Self.durability) } }
      let migrator = Schema.migrator
      let (isComplete, isNewer) = try database.read {
        (try migrator.hasCompletedMigrations($0), try migrator.hasBeenSuperseded($0))
      }
      guard isComplete || takesOlder, !isNewer else {
        throw StoreError(
          .newerSchema, operation: operation,
          detail: isNewer
            ? "\(path) was written by a newer version of Dragoman. Use that version"
            : "\(path) was written by an older version of Dragoman, or is not set up yet. Start `dragoman run` "
              + "or `serve`, which updates it")
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, operation: operation, path: path)
    }
  }

  /// Lets SQLite check every page when the ledger is opened for the first time on a day. Otherwise, units on a damaged page would count as missing
  /// and would be sent again. The day of the last check is stored as the database's user version, which migrations do not use.
  private func checkOncePerDay() throws {
    let today = Int(clock().timeIntervalSince1970 / 86_400)
    try database.writeWithoutTransaction { database in
      guard try Int.fetchOne(database, sql: "PRAGMA user_version") != today else { return }
      let found = try String.fetchAll(database, sql: "PRAGMA quick_check(3)")
      guard found == ["ok"] else {
        let first = found.first?.split(separator: "\n").first(where: { !$0.hasPrefix("***") }) ?? "unknown damage"
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: String(first))
      }
      try database.execute(sql: "PRAGMA user_version = \(today)")
    }
  }

  /// The setting that makes SQLite write every commit to disk before the call returns. With NORMAL, SQLite syncs the write-ahead log only at
  /// checkpoints. A power failure could then undo the receipt of a bundle that the vendor has already archived, and the bundle's translations would
  /// be lost.
  private static let durability = "PRAGMA synchronous = FULL"

  private static func configuration(busyTimeout: Double) -> Configuration {
    var configuration = Configuration()
    configuration.label = "ledger"
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(busyTimeout)
    configuration.maximumReaderCount = StoreThreads.readerCount
    configuration.prepareDatabase { try $0.execute(sql: durability) }
    return configuration
  }

  /// Copies the write-ahead log into the database and returns its space to the disk. If another program, such as a backup, is reading an older state,
  /// SQLite copies the log at a later time.
  static func emptyLog(of database: Database) throws {
    do {
      try database.checkpoint(.truncate)
    } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode) {}
  }

  package var isExclusive: Bool { true }

  package func now() async throws -> Date { clock() }

  package func read<Value: Sendable>(
    _ operation: String, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await threads.readers.run { [self] in
      do {
        // The file is also checked before reads, because an idle daemon only reads.
        try checkFile(operation)
        return try database.read { try body(SQLiteTransaction(database: $0, clock: clock)) }
      } catch {
        throw wrapped(error, operation)
      }
    }
  }

  @discardableResult
  package func write<Value: Sendable>(
    _ operation: String, of pipeline: String?, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let write = WaitingWrites.Write { [self] database in
      try checkFile(operation)
      return try body(SQLiteTransaction(database: database, clock: clock))
    }
    waiting.add(write)
    return try await threads.writer.run { [self] in
      do { return try waiting.perform(write, in: database) } catch { throw wrapped(error, operation) }
    }
  }

  package func tidy() async throws {
    try await maintain("tidy the ledger") { database in
      // The statistics are based on a sample, because reading the whole indexes of a large ledger would block writers.
      try database.execute(sql: "PRAGMA analysis_limit = 400; PRAGMA optimize")
      try Self.emptyLog(of: database)
    }
  }

  /// Runs statements outside a transaction, on the writer connection.
  func maintain(_ operation: String, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
    try await threads.writer.run { [self] in
      do { try database.writeWithoutTransaction(body) } catch { throw wrapped(error, operation) }
    }
  }

  /// Throws an error if the file was deleted or replaced. SQLite would continue to use the old file, and everything written to that file would be
  /// lost when the last process closes it.
  private func checkFile(_ operation: String) throws {
    guard let file, StoreFiles.Identity(path) != file else { return }
    throw StoreError(
      .replaced, operation: operation,
      detail:
        "\(path) was deleted or replaced while dragoman was using it, so nothing more is written. Stop dragoman, restore the "
        + "ledger, and start dragoman again")
  }

  private func wrapped(_ error: any Error, _ operation: String) -> any Error {
    error is DatabaseError || error is LedgerValueError || error is LedgerDamage
      ? StoreError(error, operation: operation, path: path) : error
  }
}
