internal import GRDB
package import Localization

/// Why the store cannot be used.
package struct StoreError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another process uses it.
    case inUse
    /// It was written by a newer version.
    case newerSchema
    case corrupt
    /// The folder or file cannot be written, or the disk is full.
    case unwritable
    case database
  }

  package let kind: Kind
  package let operation: String
  package let detail: String

  package init(_ kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var disposition: Disposition {
    switch kind {
    case .inUse, .newerSchema, .corrupt, .unwritable: .askPerson
    case .database: .permanent
    }
  }

  package var description: String { "\(operation): \(detail)" }
}

extension StoreError {
  /// SQLite's error in our words. Statements and their arguments stay out.
  init(_ error: any Error, operation: String, path: String) {
    guard let error = error as? DatabaseError else {
      self.init(.database, operation: operation, detail: String(describing: error))
      return
    }
    let words = error.message ?? "no message"
    switch error.resultCode {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(
        .corrupt, operation: operation,
        detail: "\(path) is damaged (\(words)); restore it from a backup, or move it away to begin anew")
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR, .SQLITE_FULL:
      self.init(
        .unwritable, operation: operation,
        detail: "\(path) cannot be written (\(words)); check the folder's rights and the disk's free space")
    default:
      self.init(.database, operation: operation, detail: "\(words) (SQLite code \(error.extendedResultCode.rawValue))")
    }
  }
}
