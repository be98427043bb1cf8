import LedgerStore

/// A folder with mirrors and a cache but without a ledger. Only one process can use it at a time. The folder is unlocked when this object is
/// released.
package final class StoreFolder: Sendable {
  private let lock: StoreLock

  /// Creates the folder, or restricts the permissions of an existing folder.
  /// - Throws: `StoreError` if another process uses the folder, or the folder cannot be written.
  package init(_ folder: String) throws {
    try StoreFiles.prepareFolder(folder)
    lock = try StoreLock(folder: folder)
  }
}
