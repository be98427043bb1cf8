import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLStore
import SQLiteStore

/// Functions that open the ledger of a store location.
enum OpenLedger {
  /// Opens a ledger to run pipelines. A SQLite ledger is opened with exclusive access, and a PostgreSQL ledger as one of several workers.
  /// - Returns: the ledger; for PostgreSQL, also the fleet's store (the same object) and the locked folder of the mirrors.
  /// - Throws: `StoreError` if the ledger cannot be opened, and `PipelineError` if the password of the database cannot be read.
  static func working(
    _ location: StoreLocation, _ credentials: Credentials, clock: @escaping @Sendable () -> Date
  ) throws -> (ledger: any SQLLedger, fleet: (any FleetStore)?, folder: StoreFolder?) {
    switch location.ledger {
    case .sqlite: return (try SQLiteStore(folder: location.folder, clock: clock), nil, nil)
    case .postgreSQL:
      // Two workers on one machine must not use the same folder of mirrors.
      let folder = try StoreFolder(location.folder)
      let store = try database(location, credentials, .working)
      return (store, store, folder)
    }
  }

  /// Opens a ledger for reading, even while other processes use it.
  static func reading(
    _ location: StoreLocation, _ credentials: Credentials = Credentials.ofProcess
  ) throws -> any SQLLedger {
    location.isLocal ? try SQLiteStore(reading: location.folder) : try database(location, credentials, .deciding)
  }

  /// Opens a ledger for recording people's decisions, even while other processes use it.
  static func deciding(
    _ location: StoreLocation, _ credentials: Credentials = Credentials.ofProcess
  ) throws -> any SQLLedger {
    location.isLocal ? try SQLiteStore(deciding: location.folder) : try database(location, credentials, .deciding)
  }

  /// Opens a ledger in a PostgreSQL database.
  /// - Throws: `PipelineError` if the ledger is in a SQLite file, its password cannot be read, or it does not exist and `use` does not create it;
  ///   `StoreError` if it cannot be opened.
  static func database(
    _ location: StoreLocation, _ credentials: Credentials, _ use: PostgreSQLStore.Use
  ) throws -> PostgreSQLStore {
    guard case .postgreSQL(let address, let password) = location.ledger else {
      throw PipelineError(
        .refused, operation: "open the database",
        detail: "\(location.folder) is a store in a folder. Give the URL of a PostgreSQL database with --store",
        disposition: .askPerson)
    }
    return try PostgreSQLStore.open(address, use: use) {
      try credentials.secret(password, for: "the database \(address)")
    }
  }
}

extension Credentials {
  static var ofProcess: Credentials { Credentials(environment: ProcessInfo.processInfo.environment) }
}
