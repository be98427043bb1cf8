package import Localization

/// The error for a store that cannot be used, or for an operation of the store that failed.
package struct StoreError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another Dragoman process uses the store.
    case inUse
    /// Another program, such as a backup, holds the write lock, or two transactions conflicted.
    case busy
    /// The disk is full.
    case full
    /// A newer version wrote the ledger.
    case newerSchema
    case corrupt
    /// The file was deleted or replaced while it was open.
    case replaced
    /// The folder or file cannot be written.
    case unwritable
    /// The database server cannot be reached at the moment.
    case unreachable
    /// The database server refuses the user. Workers try again, because passwords and permissions may be changed while the workers run.
    case userRefused
    /// The database cannot be used, or refuses the request.
    case refused
    case database
  }

  package let kind: Kind
  /// The failed operation, for logs. The operation is not part of the message.
  package let operation: String
  /// The message: the problem, its file, and the next step.
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
