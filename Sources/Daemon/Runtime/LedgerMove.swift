import FoundationEssentials
private import Glibc
package import LedgerStore
import Localization
import Pipeline
import PostgreSQLStore
import SQLiteStore

/// The operations of `dragoman store` that check a ledger in a database and move a ledger there.
package enum LedgerMove {
  /// Checks that the books of a ledger agree with its units.
  /// - Throws: `StoreError` with the differences if there are any, and `PipelineError` if the ledger is in a SQLite file.
  package static func check(_ location: StoreLocation) async throws -> LedgerContents {
    try await OpenLedger.database(location, .ofProcess, .deciding).check()
  }

  /// Moves the ledger of a store into an empty database, in one transaction. The ledger file is renamed after the commit.
  /// - Returns: the contents of the ledger, and the new path of the former ledger file.
  package static func move(
    _ source: StoreLocation, to target: StoreLocation
  ) async throws -> (LedgerContents, former: String) {
    try LedgerPresence.requireTarget(of: source.folder)
    let path = source.folder + "/ledger.sqlite"
    guard FileManager.default.fileExists(atPath: path) else {
      if let former = LedgerPresence.moved(from: source.folder) {
        throw PipelineError(
          .notFound, operation: "move the ledger",
          detail:
            "the ledger of \(source.folder) was moved to a database before, so nothing is left to do here: give the "
            + "URL of that database to `dragoman worker --store`. To move the same ledger again, to another database, "
            + "rename \(source.folder)/\(former) to ledger.sqlite", disposition: .permanent)
      }
      throw PipelineError(
        .notFound, operation: "move the ledger", detail: "there is no \(path). Check --store", disposition: .permanent)
    }
    // `ledger` keeps exclusive access to the file until the file is renamed.
    let ledger = try SQLiteStore(folder: source.folder)
    let store = try OpenLedger.database(target, .ofProcess, .working)
    let contents = try await store.takeOver(ledger, installation: try Installation.identity(in: source.folder))
    let former = LedgerPresence.nameAfterMove(of: path)
    // The write-ahead log is part of the ledger. The log is renamed first, because SQLite ignores a log whose ledger is missing.
    try await ledger.tidy()
    for ending in ["-wal", "-shm", ""] where FileManager.default.fileExists(atPath: path + ending) {
      guard rename(path + ending, former + ending) == 0 else {
        throw StoreError(
          .unwritable, operation: "move the ledger",
          detail: "the ledger is in the database now, but \(path) could not be renamed "
            + "(\(String(cString: strerror(errno)))). Move the file away, because no daemon may use it any more")
      }
    }
    return (contents, former)
  }
}
