import FoundationEssentials
internal import GRDB
import Localization
import Pipeline

/// The ledger in one SQLite file, used by one process at a time.
///
/// Calls are short and go straight to SQLite on the caller's thread: they must end even where the task that makes them was cancelled,
/// because giving a job back is part of stopping.
package struct SQLiteStore: Sendable {
  let database: DatabasePool
  let path: String
  private let lock: StoreLock?

  /// Opens or makes the ledger of a store folder.
  /// - Throws: `StoreError`, each with what to do: another process uses it, a newer version wrote it, it is damaged, it cannot be
  ///   written.
  package init(folder: String) throws {
    try Self.makeFolder(folder)
    try self.init(path: folder + "/ledger.sqlite", lock: try StoreLock(folder: folder))
  }

  /// Opens or makes a ledger on a disk that only SQLite sees, such as the simulation's: nothing else is made, and nothing is locked.
  package init(unlockedFile path: String) throws {
    try self.init(path: path, lock: nil)
  }

  private init(path: String, lock: StoreLock?) throws {
    self.path = path
    self.lock = lock
    let operation = "open store \(path)"
    do {
      var configuration = Configuration()
      configuration.label = "ledger"
      configuration.foreignKeysEnabled = true
      configuration.busyMode = .timeout(5)
      configuration.prepareDatabase { database in
        // With the write-ahead log, `normal` loses no consistency when a process dies, only with the machine's power the last moment.
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
      }
      database = try DatabasePool(path: path, configuration: configuration)
      let migrator = Schema.migrator
      if try database.read({ try migrator.hasBeenSuperseded($0) }) {
        throw StoreError(
          .newerSchema, operation: operation,
          detail: "\(path) was written by a newer version of Dragoman; use that version, or restore an older backup")
      }
      try migrator.migrate(database)
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, operation: operation, path: path)
    }
  }

  /// Opens a ledger to look at it, also while another process uses it. Changes are refused by SQLite.
  package init(reading folder: String) throws {
    lock = nil
    path = folder + "/ledger.sqlite"
    let operation = "read store \(folder)"
    guard FileManager.default.fileExists(atPath: path) else {
      throw PipelineError(
        .notFound, operation: operation, detail: "there is no ledger; nothing was run with this store yet",
        disposition: .permanent)
    }
    do {
      var configuration = Configuration()
      configuration.label = "ledger"
      configuration.readonly = true
      configuration.busyMode = .timeout(5)
      database = try DatabasePool(path: path, configuration: configuration)
      let migrator = Schema.migrator
      guard try database.read({ try migrator.hasCompletedMigrations($0) && !migrator.hasBeenSuperseded($0) }) else {
        throw StoreError(
          .newerSchema, operation: operation,
          detail: "\(path) was written by another version of Dragoman; use that version, or run this one once")
      }
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(error, operation: operation, path: path)
    }
  }

  private static func makeFolder(_ folder: String) throws(StoreError) {
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw StoreError(
        .unwritable, operation: "open store \(folder)",
        detail: "the folder cannot be made (\(String(describing: error))); check the rights of the folder above it")
    }
  }

  func read<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
    do { return try database.read(body) } catch { throw wrapped(error, operation) }
  }

  func write<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
    do { return try database.write(body) } catch { throw wrapped(error, operation) }
  }

  private func wrapped(_ error: any Error, _ operation: String) -> any Error {
    error is DatabaseError ? StoreError(error, operation: operation, path: path) : error
  }
}

/// A row's damaged or unknown value.
func damaged(_ what: String) -> StoreError {
  StoreError(.corrupt, operation: "read ledger", detail: "\(what); restore the ledger from a backup")
}
