private import FoundationEssentials
private import Glibc
package import LedgerStore

/// Functions that check that a store folder has not lost its ledger, and that the ledger was not moved to a database. Without these checks, a new,
/// empty ledger would lose work or send units again.
package enum LedgerPresence {
  /// Checks that a store folder has a ledger, or that a new one may be created in it.
  /// - Throws: `StoreError` with the next step if the folder is behind a broken symbolic link, has the log of a missing or empty ledger, or had a
  ///   ledger that was moved to a database.
  package static func require(in folder: String) throws(StoreError) {
    try requireTarget(of: folder)
    let path = folder + "/ledger.sqlite"
    let size = size(path)
    guard size ?? 0 == 0 else { return }
    // When SQLite creates a database, it deletes such logs. A process that dies while it creates a ledger leaves an empty file and a journal, so a
    // journal next to an empty file is not an error.
    let logs = size == nil ? ["-wal", "-journal"] : ["-wal"]
    if let ending = logs.first(where: { self.size(path + $0) ?? 0 > 0 }) {
      let log = "ledger.sqlite" + ending
      throw StoreError(
        .corrupt, operation: "open ledger",
        detail: "\(path) is missing or empty, but \(log) next to it contains its latest changes, which an empty ledger "
          + "would lose. Put the ledger file back; or run `dragoman store restore FILE` with a backup, which keeps \(log) "
          + "under another name; or move \(log) away to start with an empty ledger")
    }
    try requireHere(folder, for: "open ledger", orElse: "To start with an empty ledger here, move")
  }

  /// Checks that the ledger of a folder was not moved to a database.
  /// - Parameter way: the beginning of the last sentence of the message, up to the name of the file to move away: `To start with an empty ledger
  ///   here, move`.
  /// - Throws: `StoreError` if the ledger was moved to a database, because two ledgers would send the same units.
  static func requireHere(
    _ folder: String, for operation: String, orElse way: String
  ) throws(StoreError) {
    guard let moved = moved(from: folder) else { return }
    throw StoreError(
      .refused, operation: operation,
      detail:
        "the ledger of \(folder) was moved to a PostgreSQL database. Give the URL of the database with --store. "
        + "\(way) \(moved) away")
  }

  /// Checks that a store folder is not behind a broken symbolic link.
  /// - Throws: `StoreError` with the next step if the folder or a folder above it is a broken symbolic link.
  package static func requireTarget(of folder: String) throws(StoreError) {
    guard let fault = brokenLink(in: folder) else { return }
    throw StoreError(.unwritable, operation: "open store", detail: fault)
  }

  /// Returns the fault and the next step if a folder cannot be created because it, or a folder above it, is a symbolic link to a missing location or
  /// to itself; otherwise `nil`. The missing location is not created, because it is often on a disk that is not mounted.
  package static func brokenLink(in folder: String) -> String? {
    var status = stat()
    var path = folder
    while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
    while lstat(path, &status) != 0 {
      guard errno == ENOENT || errno == ELOOP, path != "/", path != "." else { return nil }
      path = StoreFiles.parent(of: path)
    }
    guard status.st_mode & S_IFMT == S_IFLNK, stat(path, &status) != 0, errno == ENOENT || errno == ELOOP else {
      return nil
    }
    let isLoop = errno == ELOOP
    guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
    else { return nil }
    guard !isLoop else {
      return "\(path) is a symbolic link to \(target), which leads back to the link. Correct the link, or choose "
        + "another folder"
    }
    return "\(path) is a symbolic link to \(target), which does not exist. If it is on another disk, mount the disk; "
      + "otherwise create the folder or correct the link"
  }

  /// Returns a name for a ledger that was moved to a database.
  /// - Parameter path: the path of the ledger.
  package static func nameAfterMove(of path: String) -> String { "\(path).moved-\(UUID().uuidString.prefix(8))" }

  /// Returns the file name of a ledger that was moved from a folder to a database; `nil` if there is no such ledger.
  package static func moved(from folder: String) -> String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasPrefix("ledger.sqlite.moved-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.min()
  }

  private static func size(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
