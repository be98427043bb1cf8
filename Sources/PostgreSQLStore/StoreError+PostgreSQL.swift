import LedgerStore
import Pipeline
import PostgreSQLClient

extension StoreError {
  /// Converts an error of the database.
  /// - Returns: `nil` if the error concerns neither the database nor its values.
  init?(_ error: any Error, operation: String, place: String) {
    switch error {
    case let error as PostgreSQLError: self.init(error, operation, place)
    case let error as LedgerDamage:
      self.init(
        .corrupt, operation: operation, detail: "the ledger in \(place) is damaged: \(error). \(Self.restoringDatabase)"
      )
    case let error as LedgerValueError:
      switch error {
      case .newerFormat:
        self.init(
          .newerSchema, operation: operation,
          detail: "\(place) contains values of a newer version of Dragoman (\(error)). Install that version")
      case .damaged:
        self.init(
          .corrupt, operation: operation,
          detail: "the ledger in \(place) is damaged (\(error)). \(Self.restoringDatabase)")
      }
    default: return nil
    }
  }

  private init(_ error: PostgreSQLError, _ operation: String, _ place: String) {
    let words = error.description
    switch error.kind {
    case .connection, .deadline:
      self.init(
        .unreachable, operation: operation,
        detail:
          "cannot reach \(place): \(words). Check that the server runs and can be reached; a running daemon retries automatically"
      )
    case .unknownOutcome:
      self.init(
        .unreachable, operation: operation,
        detail:
          "the connection to \(place) was lost during a commit: \(words). Dragoman checks the result and retries")
    case .conflict:
      self.init(
        .busy, operation: operation,
        detail: "other processes changed the same data in \(place): \(words). Dragoman retries")
    case .full:
      let (resource, advice) = Self.missingResource(error.sqlState)
      self.init(
        .full, operation: operation,
        detail: "\(place) is out of \(resource): \(words). Dragoman retries; check \(advice)")
    case .refused:
      self.init(
        .userRefused, operation: operation,
        detail:
          "\(place) refuses this user: \(words). Check the user, its password and its permissions; a running worker "
          + "retries automatically")
    case .configuration:
      self.init(
        .refused, operation: operation,
        detail: "\(place) cannot be used: \(words). Check the address, and create the database with createdb")
    case .constraint, .statement:
      self.init(.database, operation: operation, detail: "cannot \(operation) in \(place): \(words)")
    }
  }

  /// Returns the resource that the server lacks, and what a person should check. Only errors of statements have a code: a connection that the server
  /// refuses has none.
  private static func missingResource(_ sqlState: String?) -> (resource: String, advice: String) {
    switch sqlState {
    case "53100": ("disk space", "the server's disk")
    case "53200": ("memory", "the server's memory and its settings, such as work_mem and max_locks_per_transaction")
    case "53300", nil: ("connections", "max_connections of the server")
    default: ("a resource", "the server's log and limits")
    }
  }

  /// The next step after damage to a ledger in a database (operating.md).
  private static let restoringDatabase = "Stop all workers, and restore the database from a backup"
}
