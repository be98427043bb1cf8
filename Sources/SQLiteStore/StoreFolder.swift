import LedgerStore

/// A folder of mirrors and cache, without a ledger, that one process uses at a time. It is released with this object.
package final class StoreFolder: Sendable {
  private let lock: StoreLock

  /// Creates the folder, or restricts the permissions of an existing one.
  /// - Throws: `StoreError` if another process uses it, or it cannot be written.
  package init(_ folder: String) throws {
    try StoreFiles.prepareFolder(folder)
    lock = try StoreLock(folder: folder)
  }
}
