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
    let advice =
      switch error.storeKind {
      case .busy: "; \(DatabaseError.closing)"
      case .full: ". Free some space"
      case .unwritable: ". \(DatabaseError.checking)"
      default: ""
      }
    let problem = error.problem(with: path, during: "use \(path)")
    self.init(error.storeKind, operation: operation, detail: "\(problem). \(Self.withoutCache)\(advice)")
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
