import LedgerStore

/// A folder with mirrors and a cache but without a ledger. Only one process uses it at a time; it is released with this object.
package final class StoreFolder: Sendable {
  private let lock: StoreLock

  /// Creates the folder, or restricts the permissions of an existing one.
  /// - Throws: `StoreError` if another process uses it, or it cannot be written.
  package init(_ folder: String) throws {
    try StoreFiles.prepareFolder(folder)
    lock = try StoreLock(folder: folder)
  }
}
