package import Localization

/// The reason why the store cannot be used.
package struct StoreError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another Dragoman process uses the store.
    case inUse
    /// Another program, for example a backup, holds the write lock, or two transactions were in conflict.
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
    /// The database server cannot be reached now.
    case unreachable
    /// The database server refuses the user. Passwords and permissions may be changed while workers run, so workers try again.
    case userRefused
    /// The database cannot be used, or refuses the request.
    case refused
    case database
  }

  package let kind: Kind
  /// The failed operation, for logs. It is not part of the message.
  package let operation: String
  /// The problem, its file, and the next step.
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
