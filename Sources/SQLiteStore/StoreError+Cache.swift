internal import GRDB
import LedgerStore

extension StoreError {
  /// Converts an error of the cache's file. The message says that Dragoman continues without the cache; for an error after which the file is created
  /// again, use `recreatedCache`.
  init(cache error: any Error, operation: String, path: String) {
    if let error = error as? StoreError {
      self = error
      return
    }
    guard let error = error as? DatabaseError else {
      self.init(.database, operation: operation, detail: "cannot use \(path): \(error). \(Self.withoutCache)")
      return
    }
    let kind = error.storeKind
    let detail =
      switch kind {
      case .busy:
        "another program has locked \(path), for example a backup or a database browser. \(Self.withoutCache); if the "
          + "lock stays, close that program"
      case .full:
        "the disk that holds \(path) is full. \(Self.withoutCache). Free some space"
      case .unwritable:
        "cannot read or write \(path) (\(error.words)). \(Self.withoutCache). Check the owner and permissions of the "
          + "file and its folder, and the disk"
      default:
        "cannot use \(path): \(error.words) (SQLite code \(error.extendedResultCode.rawValue)). \(Self.withoutCache)"
      }
    self.init(kind, operation: operation, detail: detail)
  }

  /// Returns the error to report when the cache's file is created again because of `error`. The user does not have to do anything.
  static func recreatedCache(_ error: any Error, operation: String, path: String) -> StoreError {
    let fault = StoreError(cache: error, operation: operation, path: path)
    let reason = (error as? DatabaseError).map { " (\($0.words))" } ?? ""
    let problem = fault.kind == .corrupt ? "was damaged" : "could not be used"
    return StoreError(
      fault.kind, operation: operation,
      detail: "the cache \(path) \(problem)\(reason) and is created again; nothing is lost")
  }

  private static let withoutCache = "Dragoman continues without the cache, which takes longer, and retries later"
}
