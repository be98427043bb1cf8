package import Localization

/// The error of a failed request to PostgreSQL.
///
/// The text of a server's error is its primary message. The message's details and the statement are omitted, because they contain the project's data.
package struct PostgreSQLError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// The server cannot be reached, is shutting down or is read-only, or the connection was lost. Uncommitted changes are rolled back.
    case connection
    /// The server did not respond before the deadline, and the connection is closed. Or the server cancelled the statement.
    case deadline
    /// The connection was lost, or the deadline passed, during a commit. The transaction may or may not be committed.
    case unknownOutcome
    /// Two transactions conflicted. The transaction can be repeated immediately.
    case conflict
    /// The server lacks a resource: its disk or memory is full, or it accepts no more connections.
    case full
    /// The server refuses the user, or the operation for this user.
    case refused
    /// The URL is invalid, or the database does not exist or cannot be used as a ledger.
    case configuration
    /// A constraint forbids the change.
    case constraint
    /// Any other error of a statement.
    case statement
  }

  package let kind: Kind
  /// The five characters of the server's error code; `nil` if the error does not come from the server.
  package let sqlState: String?
  package let detail: String

  package init(_ kind: Kind, sqlState: String? = nil, detail: String) {
    self.kind = kind
    self.sqlState = sqlState
    self.detail = detail
  }

  /// Derives the kind from the server's error code (PostgreSQL documentation, appendix A).
  init(sqlState: String, detail: String) {
    let kind: Kind =
      switch sqlState {
      case "40001", "40P01", "55P03": .conflict
      // 25006: a standby server that is not yet promoted reports that it is read-only.
      case "57P01", "57P02", "57P03", "25006": .connection
      case "57014": .deadline
      case _ where sqlState.hasPrefix("08"): .connection
      case _ where sqlState.hasPrefix("53"): .full
      case "3D000", "3F000": .configuration
      case "42501": .refused
      case _ where sqlState.hasPrefix("28"): .refused
      case _ where sqlState.hasPrefix("23"): .constraint
      default: .statement
      }
    self.init(kind, sqlState: sqlState, detail: detail)
  }

  package var disposition: Disposition {
    switch kind {
    case .connection, .deadline, .unknownOutcome, .conflict, .full: .retry
    case .refused, .configuration: .askPerson
    case .constraint, .statement: .permanent
    }
  }

  package var description: String { sqlState.map { "\(detail) (SQLSTATE \($0))" } ?? detail }
}
