import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLStore
import SQLiteStore

/// Opens the ledger of a location.
enum OpenLedger {
  /// Opens a ledger to run pipelines: with exclusive access, or as one of several workers.
  /// - Throws: `StoreError`.
  static func working(
    _ location: StoreLocation, _ credentials: Credentials, clock: @escaping @Sendable () -> Date
  ) throws -> (ledger: any SQLLedger, fleet: (any FleetStore)?, folder: StoreFolder?) {
    switch location.ledger {
    case .sqlite: return (try SQLiteStore(folder: location.folder, clock: clock), nil, nil)
    case .postgreSQL:
      // Workers on one machine must not share their mirrors.
      let folder = try StoreFolder(location.folder)
      let store = try database(location, credentials, .working)
      return (store, store, folder)
    }
  }

  /// Opens a ledger to read it, even while others use it.
  static func reading(
    _ location: StoreLocation, _ credentials: Credentials = Credentials.ofProcess
  ) throws -> any SQLLedger {
    location.isLocal ? try SQLiteStore(reading: location.folder) : try database(location, credentials, .deciding)
  }

  /// Opens a ledger to save people's decisions, even while others use it.
  static func deciding(
    _ location: StoreLocation, _ credentials: Credentials = Credentials.ofProcess
  ) throws -> any SQLLedger {
    location.isLocal ? try SQLiteStore(deciding: location.folder) : try database(location, credentials, .deciding)
  }

  /// - Throws: `PipelineError` if the ledger is not in a database.
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
