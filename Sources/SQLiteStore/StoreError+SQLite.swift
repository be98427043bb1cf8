internal import GRDB
import LedgerStore
import Pipeline

extension StoreError {
  /// Converts an error of the ledger's SQLite file, or the error for a damaged or unknown value in the ledger. SQL statements and arguments are
  /// omitted, because they contain the project's texts.
  init(_ error: any Error, operation: String, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    if let error = error as? LedgerValueError {
      self.init(error, operation: operation, path: path)
      return
    }
    if let error = error as? LedgerDamage {
      self.init(
        .corrupt, operation: operation, detail: "the ledger is damaged: \(error). \(Self.restoring)")
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(.database, operation: operation, detail: "cannot \(operation) in \(path): \(error)")
      return
    }
    let problem = error.problem(with: path, during: "\(operation) in \(path)")
    let advice =
      switch error.storeKind {
      case .busy: ". Dragoman retries later; \(DatabaseError.closing)"
      case .full where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
        // SQLite needs space for the file with the index of the write-ahead log. Every process that uses a ledger needs this file, even for reading.
        ", and SQLite needs 32 KiB next to the ledger even to read it. Free some space; a running daemon retries automatically"
      case .full: ". Free some space; a running daemon retries automatically"
      case .corrupt: ". \(Self.restoring)"
      case .unwritable: ". \(DatabaseError.checking)"
      default: ""
      }
    self.init(error.storeKind, operation: operation, detail: problem + advice)
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
    "Stop Dragoman, and put a backup in its place with `dragoman store restore FILE`; or move it away, with the files "
    + "next to it that end in -wal and -shm, to start with an empty ledger"
}

extension DatabaseError {
  /// The message of SQLite, without SQL statements and arguments.
  var words: String { message ?? "no message" }

  /// Returns what is wrong with a database file, without the next step.
  /// - Parameter action: what could not be done, for an error of any other kind.
  func problem(with path: String, during action: String) -> String {
    switch storeKind {
    case .busy: "another program has locked \(path), for example a backup or a database browser"
    case .full: "the disk that holds \(path) is full"
    case .corrupt: "\(path) is damaged (\(words))"
    case .unwritable: "cannot read or write \(path) (\(words))"
    default: "cannot \(action): \(words) (SQLite code \(extendedResultCode.rawValue))"
    }
  }

  /// The next step for a locked file.
  static let closing = "if the lock stays, close that program"
  /// The next step for a file that cannot be read or written.
  static let checking = "Check the owner and permissions of the file and its folder, and the disk"

  /// The kind of the `StoreError` for this error.
  var storeKind: StoreError.Kind {
    switch resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy
    case _ where extendedResultCode == .SQLITE_IOERR_SHMSIZE: .full
    case .SQLITE_FULL: .full
    case .SQLITE_CORRUPT, .SQLITE_NOTADB: .corrupt
    case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_IOERR: .unwritable
    default: .database
    }
  }
}
