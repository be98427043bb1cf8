import Foundation
import SQLiteStore
import TestSupport
import Testing

/// `dragoman store backup`, stopped while it runs.
@Suite(.timeLimit(.minutes(10))) struct BackupTests {
  @Test("a backup that is stopped by a signal leaves no file", arguments: [SIGTERM, SIGINT])
  func stopped(signal: Int32) throws {
    let folder = try TemporaryFolder()
    _ = try SQLiteStore(folder: folder.file(".dragoman"))
    // The copy must take long enough for the signal to arrive.
    try run(
      "python3",
      [
        "-c",
        """
        import sqlite3
        ledger = sqlite3.connect('.dragoman/ledger.sqlite')
        ledger.execute('CREATE TABLE ballast (bytes)')
        for _ in range(128):
            ledger.execute('INSERT INTO ballast VALUES (zeroblob(1 << 20))')
        ledger.commit()
        ledger.close()
        """,
      ], in: folder.path)
    let backup = try ChildProcess(
      dragomanPath(), ["store", "backup", "a.sqlite"], in: folder.path, output: .null, errors: .null)
    var names: [String] = []
    repeat { names = folder.names(in: ".").filter { $0.hasPrefix("a.sqlite") } } while names.isEmpty
    kill(backup.processIdentifier, signal)
    #expect(backup.waitUntilExit() == 128 + signal)
    #expect(folder.names(in: ".").filter { $0.hasPrefix("a.sqlite") } == [])
  }
}
