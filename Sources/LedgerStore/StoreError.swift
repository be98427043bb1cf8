package import Localization

/// The error for a store that cannot be used, or for an operation of the store that failed.
package struct StoreError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another Dragoman process uses the store.
    case inUse
    /// Another program, such as a backup, holds the write lock, or two transactions conflicted.
    case busy
    /// The disk is full, or the database server lacks disk space, memory or a free connection.
    case full
    /// A newer version of Dragoman wrote the ledger; or an older version wrote it, and this process may not update it.
    case newerSchema
    case corrupt
    /// The file was deleted or replaced while it was open.
    case replaced
    /// A folder or file cannot be read or written, or a file exists that would have to be replaced.
    case unwritable
    /// The database server cannot be reached at the moment, or the connection to it was lost.
    case unreachable
    /// The database server refuses the user, or an operation of this user. Workers try again, because passwords and permissions may be changed while
    /// the workers run.
    case userRefused
    /// The address is invalid, the database does not exist or cannot be used as a ledger, or the ledger was moved to a database.
    case refused
    case database
  }

  package let kind: Kind
  /// The failed operation, for logs. The operation is not part of the message.
  package let operation: String
  /// The message: the problem, the file or database, and in most cases the next step.
  package let detail: String

  package init(_ kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var disposition: Disposition {
    switch kind {
    case .busy, .full, .unreachable, .userRefused: .retry
    case .refused, .inUse, .newerSchema, .corrupt, .replaced, .unwritable: .askPerson
    case .database: .permanent
    }
  }

  package var description: String { detail }
}
