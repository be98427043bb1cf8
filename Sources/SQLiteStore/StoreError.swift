internal import GRDB
package import Localization
import Pipeline

/// Why the store cannot be used.
package struct StoreError: DisposableError, Hashable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// Another Dragoman process uses the store.
    case inUse
    /// Another program, for example a backup, holds the write lock.
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
    case database
  }

  package let kind: Kind
  /// The failed operation, for logs. It is not part of the message.
  package let operation: String
  /// The fault, the file, and the next step.
  package let detail: String

  package init(_ kind: Kind, operation: String, detail: String) {
    self.kind = kind
    self.operation = operation
    self.detail = detail
  }

  package var disposition: Disposition {
    switch kind {
    case .busy, .full: .retry
    case .inUse, .newerSchema, .corrupt, .replaced, .unwritable: .askPerson
    case .database: .permanent
    }
  }

  package var description: String { detail }
}

extension StoreError {
  /// Converts an error. SQL statements and arguments are omitted, because they contain texts of the project.
  init(_ error: any Error, operation: String, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    if let error = error as? LedgerValueError {
      self.init(error, operation: operation, path: path)
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(.database, operation: operation, detail: "cannot \(operation) in \(path): \(error)")
      return
    }
    let words = error.message ?? "no message"
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .busy, operation: operation,
        detail: "another program has locked \(path), for example a backup or a database browser. "
          + "Dragoman retries later; if the lock stays, close that program")
    case _ where error.resultCode == .SQLITE_FULL || error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
      self.init(
        .full, operation: operation,
        detail: "the disk that holds \(path) is full. Free some space; Dragoman retries later")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(
        .corrupt, operation: operation,
        detail: "\(path) is damaged (\(words)). \(Self.restoring)")
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR:
      self.init(
        .unwritable, operation: operation,
        detail: "cannot read or write \(path) (\(words)). Check the permissions of its folder and the disk")
    default:
      self.init(
        .database, operation: operation,
        detail: "cannot \(operation) in \(path): \(words) (SQLite code \(error.extendedResultCode.rawValue))")
    }
  }

  private init(_ error: LedgerValueError, operation: String, path: String) {
    switch error {
    case .newerFormat:
      self.init(
        .newerSchema, operation: operation,
        detail:
          "\(path) contains values of a newer version of Dragoman (\(error)). Install that version, or restore an older "
          + "backup")
    case .damaged:
      self.init(
        .corrupt, operation: operation, detail: "\(path) is damaged (\(error)). \(Self.restoring)")
    }
  }

  /// The next step for a damaged ledger (operating.md, "A damaged ledger").
  static let restoring =
    "Stop Dragoman, put a backup in its place, and delete the files beside it that end in -wal and -shm; or move it away "
    + "to start with an empty ledger"
}
