import Foundation
import LedgerStore
import Pipeline
import SQLiteStore
import TestSupport
import Testing

/// `dragoman store` on the ledger of a real run.
@Suite(.timeLimit(.minutes(10))) struct StoreTests {
  private let repository: TemporaryRepository
  private var folder: TemporaryFolder { repository.folder }
  private let files = FileManager.default

  init() throws {
    repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift":
        "// swift-tools-version:6.0\nimport PackageDescription\nlet package = Package(name: \"A\", defaultLocalization: \"en\", targets: [.target(name: \"A\")])\n",
      "Sources/A/A.swift": "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n",
      "Sources/A/Resources/Localizable.xcstrings": "{\"sourceLanguage\":\"en\",\"strings\":{},\"version\":\"1.0\"}",
    ])
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(repository.path)" }
      languages: [de]
      catalogs: commit
      vendors:
        - { vendor: folder, path: "\(folder.file("drop"))" }
      """, to: "birds.yaml")
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: folder.path).status == 0)
  }

  private func rounds() throws -> String { try dragoman(["rounds"], in: folder.path).output }

  @Test("a backup is checked and restored, and the restored books equal those of the backup")
  func roundTrip() throws {
    let before = try rounds()
    #expect(before.contains("birds"))
    let backup = try dragoman(["store", "backup", "a.sqlite"], in: folder.path)
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(backup.output.hasPrefix("Backed up to a.sqlite: 1 pipeline, 1 round, 1 outstanding unit, "))
    let attributes = try files.attributesOfItem(atPath: folder.file("a.sqlite"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(folder.names(in: ".").filter { $0.hasPrefix("a.sqlite") } == ["a.sqlite"])
    #expect(try dragoman(["store", "check", "a.sqlite"], in: folder.path).status == 0)
    #expect(try dragoman(["store", "check"], in: folder.path).output.hasPrefix("No fault found: 1 pipeline, 1 round"))
    let cancelled = try dragoman(["rounds", "cancel", "birds#1"], in: folder.path)
    #expect(
      cancelled.output == """
        birds#1: withdrew 1 outstanding unit. A running daemon lists the withdrawn units in drop folders within seconds; otherwise, the next run does. Platforms still show the strings that are on a branch: ask their translators not to translate them. `dragoman rounds retry birds#1` sends the withdrawn units again.

        """)
    #expect(try rounds() != before)
    let restored = try dragoman(["store", "restore", "a.sqlite"], in: folder.path)
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(restored.errors.contains("The former ledger is now .dragoman/ledger.sqlite.before-"))
    #expect(try rounds() == before)
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: folder.path).status == 0)
    // The outstanding units were not sent again.
    #expect(folder.names(in: "drop/to-translate").count == 1)
    let former = try #require(folder.names(in: ".dragoman").first { $0.hasPrefix("ledger.sqlite.before-") })
    #expect(try dragoman(["store", "check", ".dragoman/\(former)"], in: folder.path).output.contains("0 outstanding"))
  }

  @Test("prune counts and deletes old former heads, and keeps rounds and newer heads")
  func prune() async throws {
    let before = try rounds()
    let long = Date().addingTimeInterval(-100 * 86_400)
    do {
      let store = try SQLiteStore(folder: folder.file(".dragoman"), clock: { long })
      for digit in ["1", "2", "3"] {
        let head = BranchHead(name: "main", commit: CommitID(rawValue: String(repeating: digit, count: 40)))
        try await store.adopt([head], of: "gone")
      }
      // A ledger can have only one writer at a time, but a dry run only reads.
      let refused = try dragoman(["store", "prune"], in: folder.path)
      #expect(refused.status == 69 && refused.errors.contains("another dragoman"), "\(refused)")
      let dry = try dragoman(["store", "prune", "--dry-run"], in: folder.path)
      #expect(dry.output == "Would delete 2 former heads, 0 ended notices, 0 former ledgers.\n", "\(dry)")
    }
    let young = try dragoman(["store", "prune", "--days", "200"], in: folder.path)
    #expect(young.output.hasPrefix("Deleted 0 former heads, "), "\(young)")
    let end = try dragoman(["store", "prune"], in: folder.path)
    #expect(
      end.output.hasPrefix("Deleted 2 former heads, 0 ended notices, 0 former ledgers. The size of the ledger is now "),
      "\(end)")
    #expect(try dragoman(["store", "check"], in: folder.path).status == 0)
    #expect(try rounds() == before)
    #expect(try dragoman(["store", "prune", "--days", "0"], in: folder.path).status == 64)
  }

  @Test("a ledger is restored even if its folder was lost too")
  func lostFolder() throws {
    let before = try rounds()
    #expect(try dragoman(["store", "backup", "a.sqlite"], in: folder.path).status == 0)
    try files.removeItem(atPath: folder.file(".dragoman"))
    #expect(try dragoman(["store", "restore", "a.sqlite"], in: folder.path).status == 0)
    #expect(try rounds() == before)
  }

  @Test("restore refuses to overwrite a file, and refuses a file that is not a ledger without changing it")
  func refusals() throws {
    try folder.write("mine", to: "mine.sqlite")
    let backup = try dragoman(["store", "backup", "mine.sqlite"], in: folder.path)
    #expect(backup.status == 74 && backup.errors.contains("mine.sqlite exists"))
    #expect(try folder.read("mine.sqlite") == Array("mine".utf8))
    let before = try rounds()
    try folder.write("no database, but long enough to look at as one", to: "text.sqlite")
    try run(
      "python3", ["-c", "import sqlite3; sqlite3.connect('other.sqlite').execute('CREATE TABLE a (b)')"],
      in: folder.path)
    try run(
      "python3",
      [
        "-c",
        """
        import sqlite3, sys
        base = sqlite3.connect('.dragoman/ledger.sqlite')
        for name, sql in [('newer', "INSERT INTO grdb_migrations VALUES ('9999 of tomorrow')"),
                          ('books', "UPDATE books SET sent = sent + 1, returned = returned + 1")]:
            copy = sqlite3.connect(name + '.sqlite')
            base.backup(copy)
            copy.execute(sql)
            copy.commit()
            copy.close()
        """,
      ], in: folder.path)
    for (file, words) in [
      ("text.sqlite", "Choose another backup"), ("other.sqlite", "not a Dragoman ledger"),
      ("newer.sqlite", "newer version"), ("books.sqlite", "the books of round id 1, "),
    ] {
      for command in ["check", "restore"] {
        let end = try dragoman(["store", command, file], in: folder.path)
        #expect(end.status == 65, "\(command) \(file): \(end.output)\(end.errors)")
        #expect(end.errors.contains(words), "\(end.errors)")
      }
    }
    let nowhere = try dragoman(["store", "backup", "nowhere/a.sqlite"], in: folder.path)
    #expect(nowhere.errors.contains("cannot write nowhere/a.sqlite (No such file or directory)"), "\(nowhere)")
    #expect(try dragoman(["store", "restore", "none.sqlite"], in: folder.path).status == 66)
    #expect(try dragoman(["store", "check", "--store", "nowhere"], in: folder.path).status == 66)
    #expect(try rounds() == before)
    #expect(!folder.names(in: ".dragoman").contains { $0.contains("before") || $0.hasSuffix(".part") })
  }

  @Test("a named pipe in place of a backup file is refused without waiting for it", arguments: ["check", "restore"])
  func pipeAsFile(command: String) throws {
    let before = try rounds()
    try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    let end = try dragoman(["store", command, "pipe"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("pipe is not a regular file"), "\(end.status) \(end.errors)")
    #expect(try rounds() == before)
  }

  @Test("a folder in place of a backup file is refused, and the message names the expected file")
  func folderAsFile() throws {
    let before = try rounds()
    for (arguments, words) in [
      (["restore", ".dragoman"], ".dragoman is a folder. Give the file that `dragoman store backup` wrote"),
      (
        ["check", ".dragoman"],
        ".dragoman is a folder. Give a backup file, or check the ledger of a store with --store .dragoman"
      ),
      (["backup", "drop"], "drop is a folder. Give the name of a new file, such as drop/ledger-backup.sqlite"),
    ] {
      let end = try dragoman(["store"] + arguments, in: folder.path)
      #expect(end.status == 64 && end.errors.contains(words), "\(end)")
    }
    #expect(try rounds() == before)
  }

  @Test("a store folder that is a broken symbolic link is reported by every command, and no file is created")
  func brokenLink() throws {
    try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "disk/store")
    try files.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: false)
    try files.copyItem(atPath: folder.file("birds.yaml"), toPath: folder.file("pipelines/birds.yaml"))
    #expect(try dragoman(["store", "backup", "a.sqlite"], in: folder.path).status == 0)
    let postgreSQL = "postgresql://127.0.0.1:1/none"
    for store in ["link", "link/", "sqlite:link", "link/inner"] {
      for (command, status) in [
        (["run", "birds.yaml", "--once"], 74), (["run", "birds.yaml", "--once", "--dry-run"], 74), (["serve"], 74),
        (["rounds"], 66), (["rounds", "retry", "birds#1"], 66), (["held"], 66), (["history"], 66), (["audit"], 66),
        (["explain", "Hello"], 66), (["reconcile", "birds.yaml"], 66), (["tokens", "list"], 66),
        (["tokens", "add", "a", "--role", "viewer"], 74), (["pipelines", "pause", "birds"], 66),
        (["store", "backup", "b.sqlite"], 66),
        (["store", "check"], 66), (["store", "prune"], 66), (["store", "restore", "a.sqlite"], 74),
        (["store", "migrate-to", postgreSQL], 74), (["doctor"], 1),
      ] as [([String], Int32)] where store == "link" || ["run", "rounds", "doctor"].contains(command[0]) {
        let end = try dragoman(command + ["--store", store], in: folder.path)
        #expect(end.status == status, "\(command) \(store): \(end)")
        #expect(
          (end.errors + end.output).contains("link is a symbolic link to disk/store, which does not exist"),
          "\(command) \(store): \(end)")
      }
    }
    let worker = try ProgramEnd.of(
      dragomanPath(), ["worker", "--store", postgreSQL, "--folder", "link"], in: folder.path, environment: [:])
    #expect(worker.errors.contains("link is a symbolic link to disk/store, which does not exist"), "\(worker)")
    #expect(folder.names(in: ".").filter { ["disk", "b.sqlite"].contains($0) } == [])
  }

  @Test("a store folder that is a loop of symbolic links is reported as a loop")
  func loop() throws {
    try files.createSymbolicLink(atPath: folder.file("a"), withDestinationPath: "b")
    try files.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
    for store in ["a", "a/inner"] {
      for (command, status) in [(["run", "birds.yaml", "--once"], 74), (["rounds"], 66), (["doctor"], 1)]
        as [([String], Int32)]
      {
        let end = try dragoman(command + ["--store", store], in: folder.path)
        #expect(end.status == status, "\(command) \(store): \(end)")
        #expect(
          (end.errors + end.output).contains("a is a symbolic link to b, which leads back to the link"),
          "\(command) \(store): \(end)")
      }
    }
  }

  @Test("a ledger that restore would refuse is not backed up, and the message names its path")
  func damagedBooks() throws {
    try run(
      "python3",
      [
        "-c",
        "import sqlite3; b = sqlite3.connect('.dragoman/ledger.sqlite'); "
          + "b.execute('UPDATE books SET sent = sent + 1, returned = returned + 1'); b.commit()",
      ], in: folder.path)
    let end = try dragoman(["store", "backup", "a.sqlite"], in: folder.path)
    #expect(end.status == 65 && end.errors.contains("the books of round id 1, "), "\(end)")
    #expect(end.errors.contains(".dragoman/ledger.sqlite is damaged") && !end.errors.contains(".part"), "\(end.errors)")
    #expect(folder.names(in: ".").filter { $0.hasPrefix("a.sqlite") } == [])
  }

  @Test("a run after the ledger was lost warns that it created a new ledger, unless a write-ahead log is left")
  func lostLedger() throws {
    #expect(try dragoman(["run", "birds.yaml", "--once"], in: folder.path).errors.contains("new ledger") == false)
    for ending in ["", "-wal", "-shm"] {
      try? files.removeItem(atPath: folder.file(".dragoman/ledger.sqlite" + ending))
    }
    let doctor = try dragoman(["doctor"], in: folder.path)
    #expect(doctor.output.contains("WARNING ledger: .dragoman/ledger.sqlite does not exist, although "), "\(doctor)")
    let end = try dragoman(["run", "birds.yaml", "--once"], in: folder.path)
    #expect(
      end.errors.contains(
        "warning: created a new, empty ledger, .dragoman/ledger.sqlite, although the folder was used before: it has "),
      "\(end.errors)")
    try files.removeItem(atPath: folder.file(".dragoman/ledger.sqlite"))
    try folder.write("frames", to: ".dragoman/ledger.sqlite-wal")
    for command in [["run", "birds.yaml", "--once"], ["rounds"], ["doctor"], ["store", "check"]] {
      let refused = try dragoman(command, in: folder.path)
      #expect(refused.status == (command == ["doctor"] ? 1 : 65), "\(refused)")
      #expect(
        (refused.output + refused.errors).contains(
          ".dragoman/ledger.sqlite is missing or empty, but ledger.sqlite-wal next to it contains its latest changes"),
        "\(refused)")
    }
  }

  @Test("pipelines apply refuses a folder without pipeline files, unless --prune and --allow-empty are given")
  func applyEmpty() throws {
    let folder = try TemporaryFolder()
    try folder.write("pipeline: a\n", to: "pipelines/a.yaml.bak")
    // The database does not exist. The folder is refused before the program connects to it.
    let apply = ["pipelines", "apply", "pipelines", "--store", "postgresql://127.0.0.1:1/none"]
    for more in [[], ["--prune"]] {
      let end = try dragoman(apply + more, in: folder.path)
      #expect(
        end.status == 66 && end.errors.contains("no pipeline file (*.yaml, *.yml), so nothing was changed"), "\(end)")
      #expect(end.errors.contains("--allow-empty") == (more == ["--prune"]))
    }
    #expect(try dragoman(apply + ["--prune", "--allow-empty"], in: folder.path).status == 69)
    #expect(try dragoman(apply + ["--allow-empty"], in: folder.path).status == 64)
  }

  @Test("the ledger of a running daemon can be backed up and checked, but not replaced")
  func running() throws {
    try files.createDirectory(atPath: folder.file("pipelines"), withIntermediateDirectories: false)
    try files.moveItem(atPath: folder.file("birds.yaml"), toPath: folder.file("pipelines/birds.yaml"))
    let socket = try NotifySocket()
    let daemon = try ChildProcess(
      dragomanPath(), ["serve"], in: folder.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "NOTIFY_SOCKET": socket.path], output: .null, errors: .null)
    #expect(socket.next()?.hasPrefix("READY=1") == true)
    #expect(try dragoman(["store", "backup", "a.sqlite"], in: folder.path).status == 0)
    #expect(try dragoman(["store", "check"], in: folder.path).status == 0)
    let refused = try dragoman(["store", "restore", "a.sqlite"], in: folder.path)
    #expect(refused.status == 69 && refused.errors.contains("another dragoman (pid"), "\(refused.errors)")
    kill(daemon.processIdentifier, SIGTERM)
    #expect(daemon.waitUntilExit() == 0)
  }
}
