import Foundation
import Localization
import TestSupport
import Testing

/// Workers that share a PostgreSQL database. `make fleet` runs more of these tests.
struct FleetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a script in Tests/Fleet.
  /// - Returns: the exit code and the output of the script; `nil` if PostgreSQL is not installed.
  private func script(_ name: String, _ arguments: [String]) async throws -> ProgramEnd? {
    guard (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql"))?.isEmpty == false else {
      print("skipped: PostgreSQL is not installed; `make test` installs it")
      return nil
    }
    let path = SharedFolder.root.appending(path: "Tests/Fleet/\(name)").path(percentEncoded: false)
    // The script does not run in a task, because it takes seconds and there are few threads for tasks.
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try ProgramEnd.of("python3", ["-B", path, "--dragoman", dragomanPath()] + arguments) })
      }
    }
  }

  @Test("every translation is delivered once although one of two workers is killed")
  func killed() async throws {
    let arguments = ["--repositories", "3", "--workers", "2", "--rounds", "1", "--faults", "1"]
    guard let end = try await script("fleet.py", arguments) else { return }
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    #expect(end.output.contains("PASS"))
  }

  @Test("runs that are killed and restarted give the same result as an uninterrupted run, on both stores")
  func killedRuns() async throws {
    guard let end = try await script("kill.py", ["--count", "2"]) else { return }
    #expect(end.status == 0, "\(end.output)\(end.errors)")
    #expect(end.output.contains("PASS"))
  }

  @Test("after a full disk, a read-only store or a lost database, the program continues or reports the next step")
  func faults() async throws {
    guard let end = try await script("faults.py", ["--seconds", "3"]) else { return }
    #expect(end.status == 0, "\(end.output)\(end.errors)")
  }

  @Test("a new ledger in a database is reported, and doctor checks the pipeline files in the database")
  func newDatabase() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    let repository = try TemporaryRepository()
    try repository.commit(["A.swift": "let a = 1\n"])
    try folder.write(
      "pipeline: birds\nrepository: { url: \"\(repository.path)\" }\nlanguages: [de]\nvendors: [{ vendor: pseudo }]\n",
      to: "files/birds.yaml")
    let first = try dragoman(["pipelines", "apply", "files", "--store", url], in: folder.path)
    #expect(first.status == 0 && first.errors.hasPrefix("Created a new ledger in postgresql://"), "\(first)")
    let second = try dragoman(["pipelines", "apply", "files", "--store", url], in: folder.path)
    #expect(second.status == 0 && !second.errors.contains("Created"), "\(second)")
    let doctor = try dragoman(["doctor", "--store", url], in: folder.path)
    #expect(doctor.output.contains("birds.yaml in the database: pipeline birds\n"), "\(doctor)")
    #expect(doctor.output.contains("ok      birds: repository: can be read; watched: main\n"), "\(doctor)")
    let other = try await server.database()
    try folder.write("", to: "state/mirrors/a.git/HEAD")
    let run = try dragoman(["run", "files/birds.yaml", "--once", "--store", other], in: folder.path)
    #expect(run.status == 0, "\(run)")
    let third = try await server.database()
    let environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_FOLDER": folder.file("state")]
    let warned = try ProgramEnd.of(
      dragomanPath(), ["run", "files/birds.yaml", "--once", "--store", third], in: folder.path, environment: environment
    )
    #expect(
      warned.errors.contains(
        "although the folder of the mirrors was used before: it has mirrors. If the former ledger"),
      "\(warned)")
  }

  @Test("pipelines apply is recorded in the audit log, and closes the problems of removed pipelines")
  func applyAudit() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    func write(_ more: String, _ name: String) throws {
      try folder.write(
        "pipeline: \(name)\nrepository: { url: \"\(folder.file("\(name).git"))\" }\nvendors: [{ vendor: pseudo }]\n\(more)",
        to: "files/\(name).yaml")
    }
    let apply = ["pipelines", "apply", "files", "--prune", "--store", url]
    func entries() throws -> [String] {
      try dragoman(["audit", "--store", url], in: folder.path).output.split(separator: "\n").map {
        $0.split(separator: "\t").last.map(String.init) ?? ""
      }
    }
    for name in ["bees", "birds"] { try write("", name) }
    #expect(try dragoman(apply, in: folder.path).status == 0)
    #expect(try entries() == ["pipeline apply birds (added)", "pipeline apply bees (added)"])
    #expect(try dragoman(apply, in: folder.path).status == 0)
    #expect(try entries().count == 2, "no pipeline file changed")
    let run = try dragoman(["run", "files/birds.yaml", "--once", "--store", url], in: folder.path)
    #expect(run.status != 0)
    let rounds = ["rounds", "--store", url]
    #expect(try dragoman(rounds, in: folder.path).output.contains("birds watch: error"))
    try write("languages: [de]\n", "bees")
    try FileManager.default.removeItem(atPath: folder.file("files/birds.yaml"))
    #expect(try dragoman(apply, in: folder.path).status == 0)
    #expect(try entries().prefix(2) == ["pipeline apply birds (removed)", "pipeline apply bees (changed)"])
    #expect(try dragoman(rounds, in: folder.path).output.contains("watch: error") == false)
  }

  @Test("a worker without pipeline files in the database reports this once, and starts pipelines that are added")
  func emptyDatabase() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    try folder.write(
      "pipeline: birds\nrepository: { url: \"\(folder.file("origin.git"))\" }\nvendors: [{ vendor: pseudo }]\n",
      to: "pipelines/birds.yaml")
    let worker = try ChildProcess(
      dragomanPath(), ["worker", "--store", url, "--folder", "state"], in: folder.path, output: .null, errors: .pipe)
    defer { kill(worker.processIdentifier, SIGKILL) }
    var log = Data()
    func wait(for words: String) throws -> String {
      while !String(decoding: log, as: UTF8.self).contains(words) {
        let more = try #require(worker.pipe).availableData
        try #require(!more.isEmpty)
        log += more
      }
      return String(decoding: log, as: UTF8.self)
    }
    _ = try wait(for: "the database has no pipeline files; files that `dragoman pipelines apply` stores start")
    #expect(try dragoman(["pipelines", "apply", "pipelines", "--store", url], in: folder.path).status == 0)
    #expect(try wait(for: "birds: started").components(separatedBy: "no pipeline files").count == 2)
    kill(worker.processIdentifier, SIGTERM)
    #expect(worker.waitUntilExit() == 0)
  }

  @Test("rounds lists a faulty pipeline file only once, even if several daemons on another machine report it")
  func faultsOfOthers() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    let birds =
      "pipeline: birds\nrepository: { url: \"\(folder.file("origin.git"))\" }\nvendors: [{ vendor: pseudo }]\n"
    try folder.write(birds, to: "pipelines/birds.yaml")
    try folder.write("pipeline: cats\nvendor: []\n", to: "pipelines/cats.yaml")
    func environment(_ state: String) -> [String: String] {
      ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_FOLDER": folder.file(state)]
    }
    func rounds() throws -> ProgramEnd {
      try .of(dragomanPath(), ["rounds", "--store", url], in: folder.path, environment: environment("elsewhere"))
    }
    let daemons = try ["a", "b"].map {
      try ChildProcess(
        dragomanPath(), ["serve", "--store", url], in: folder.path, environment: environment($0), output: .null,
        errors: .pipe)
    }
    defer { for daemon in daemons { kill(daemon.processIdentifier, SIGKILL) } }
    for daemon in daemons {
      var log = Data()
      while !String(decoding: log, as: UTF8.self).contains("cats.yaml") {
        let more = try #require(daemon.pipe).availableData
        try #require(!more.isEmpty)
        log += more
      }
    }
    // A daemon stores its faults one loop iteration after it finds them.
    var end = try rounds()
    for _ in 0..<300 where !end.output.contains("cats.yaml") { end = try rounds() }
    let host = ProcessInfo.processInfo.hostName
    let lines = end.output.split(separator: "\n").filter { $0.contains("cats.yaml") }
    #expect(lines.count == 1 && lines[0].contains("cats.yaml on \(host) is not in force: "), "\(end)")
    #expect(lines.first?.contains("vendor: unknown key") == true, "\(end)")
    for daemon in daemons { kill(daemon.processIdentifier, SIGTERM) }
    for daemon in daemons { #expect(daemon.waitUntilExit() == 0) }
    #expect(try !rounds().output.contains("cats.yaml"))
  }

  @Test("rounds lists a pipeline whose file differs between two daemons, until the files are equal")
  func differingFiles() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    func write(_ more: String, to place: String) throws {
      try folder.write(
        "pipeline: birds\nrepository: { url: \"\(folder.file("origin.git"))\" }\nvendors: [{ vendor: pseudo }]\n\(more)",
        to: "\(place)/pipelines/birds.yaml")
    }
    let environment = { (place: String) in
      ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_FOLDER": folder.file(place + "/state")]
    }
    try write("", to: "a")
    try write("languages: [de]\n", to: "b")
    let daemons = try ["a", "b"].map {
      try ChildProcess(
        dragomanPath(), ["serve", "--store", url], in: folder.file($0), environment: environment($0), output: .null,
        errors: .null)
    }
    defer { for daemon in daemons { kill(daemon.processIdentifier, SIGKILL) } }
    func problems(until isRight: (Bool) -> Bool) throws -> String {
      var end = ""
      for _ in 0..<600 {
        let result = try ProgramEnd.of(
          dragomanPath(), ["rounds", "--store", url], in: folder.path, environment: environment("elsewhere"))
        end = result.output + result.errors
        if isRight(end.contains("different files")) { break }
      }
      return end
    }
    let host = ProcessInfo.processInfo.hostName
    let found = try problems { $0 }
    let lines = found.split(separator: "\n").filter { $0.contains("different files") }
    #expect(lines.count == 1 && lines[0].hasPrefix("birds watch: error: "), "\(found)")
    #expect(
      ["a", "b"].allSatisfy { found.contains("\(host):\(folder.file($0 + "/state"))") }
        && found.contains("Give all workers the same file"), "\(found)")
    try write("", to: "b")
    #expect(try !problems { !$0 }.contains("different files"))
    for daemon in daemons { kill(daemon.processIdentifier, SIGTERM) }
    for daemon in daemons { #expect(daemon.waitUntilExit() == 0) }
  }

  @Test("a ledger is moved to PostgreSQL in the middle of a round, and a worker finishes the round")
  func moved() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let url = try await server.database()
    let repository = try TemporaryRepository()
    let strings = #"{"sourceLanguage":"en","strings":{"Robin":{},"Wren":{}},"version":"1.0"}"#
    try repository.commit([
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(
        name: "Birds", defaultLocalization: "en",
        targets: [.target(name: "Birds", resources: [.process("Resources")])])
      """,
      "Sources/Birds/Birds.swift": """
      import Foundation
      let a = String(localized: "Robin", bundle: .module)
      let b = String(localized: "Wren", bundle: .module)
      """,
      "Sources/Birds/Resources/Localizable.xcstrings": strings,
    ])
    let origin = folder.file("origin.git")
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, origin], in: folder.path)
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(origin)" }
      languages: [uk]
      vendors: [ { vendor: folder, path: "\(folder.file("drop"))", settle: 0s } ]
      """, to: "pipelines/birds.yaml")
    let store = folder.file("store")
    var end = try dragoman(["run", "pipelines/birds.yaml", "--once", "--store", store], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    end = try dragoman(["rounds", "--store", url], in: folder.path)
    #expect(end.status == 66 && end.errors.contains("no ledger yet. Create it with `dragoman pipelines"), "\(end)")
    end = try dragoman(["pipelines", "apply", "pipelines", "--store", url], in: folder.path)
    #expect(end.status == 0 && end.output == "added\tbirds\n", "\(end.errors)")
    end = try dragoman(["store", "migrate-to", url, "--store", store], in: folder.path)
    #expect(end.status == 0 && end.output.contains("2 outstanding units"), "\(end.errors)\(end.output)")
    #expect(!FileManager.default.fileExists(atPath: store + "/ledger.sqlite"))
    end = try dragoman(["store", "migrate-to", url, "--store", store], in: folder.path)
    #expect(end.status == 66 && end.errors.contains("was moved to a database before, so nothing is left"), "\(end)")
    // A service that is still configured with the old store must not create an empty ledger.
    for command in [["run", "pipelines/birds.yaml", "--once"], ["rounds"], ["doctor"]] {
      let refused = try dragoman(command + ["--store", store], in: folder.path)
      #expect(refused.status == (command == ["doctor"] ? 1 : 77), "\(refused)")
      #expect(
        (refused.output + refused.errors).contains("was moved to a PostgreSQL database. Give the URL"), "\(refused)")
    }
    #expect(!FileManager.default.fileExists(atPath: store + "/ledger.sqlite"))
    #expect(
      try dragoman(["store", "prune", "--store", url], in: folder.path).errors.contains("prune it by themselves"))
    try Translator(drop: folder.file("drop")).translate("uk")
    end = try dragoman(
      ["run", "pipelines/birds.yaml", "--once", "--store", url], in: folder.path)
    #expect(end.status == 0, "\(end.errors)")
    let catalog = try TemporaryRepository.git(
      ["show", "l10n/main:Sources/Birds/Resources/Localizable.xcstrings"], in: origin)
    #expect(catalog.contains("uk"))
    end = try dragoman(["rounds", "--store", url], in: folder.path)
    #expect(end.status == 0 && end.output.contains("birds#1") && !end.output.contains("birds#2"), "\(end.output)")
    end = try dragoman(["store", "check", "--store", url], in: folder.path)
    #expect(end.status == 0 && end.output.contains("0 outstanding units"), "\(end.errors)\(end.output)")
    #expect(try dragoman(["store", "backup", "b", "--store", url], in: folder.path).status == 64)
  }
}
