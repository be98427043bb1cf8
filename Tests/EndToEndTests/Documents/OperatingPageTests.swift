import Foundation
import Localization
import TestSupport
import Testing

/// Runs of the commands on the pages for operators, in an installation with a round and a held unit.
@Suite("Documentation for operators", .timeLimit(.minutes(10))) struct OperatingPageTests {
  private static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private let folder: TemporaryFolder
  private let socket: NotifySocket

  init() throws {
    folder = try TemporaryFolder()
    socket = try NotifySocket()
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage" : "en", "strings" : { "Birds seen today" : { }, "%lld birds" : { } }, "version" : "1.0" }
      """
    ])
    try TemporaryRepository.git(["clone", "-q", "--bare", repository.path, folder.file("birds.git")], in: folder.path)
    try folder.write(
      """
      pipeline: birds
      repository: { url: "\(folder.file("birds.git"))" }
      languages: [de]
      vendors: [ { vendor: folder, path: "\(folder.file("drop"))", settle: 0s } ]
      """, to: "pipelines/birds.yaml")
    func once() throws {
      let end = try dragoman(["run", "pipelines/birds.yaml", "--once"], in: folder.path)
      #expect(end.status == 0, "\(end)")
    }
    try once()
    // The placeholder is missing, so this translation is held.
    try Translator(drop: folder.file("drop")).translate("de", answers: ["%lld birds": "Vögel"])
    try once()
  }

  /// Returns the command lines in a page's code that begin with the program.
  private static func commands(of page: String) throws -> [String] {
    var isCode = false
    var commands: [String] = []
    for line in try String(contentsOf: root.appending(path: page), encoding: .utf8).components(separatedBy: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("```") { isCode.toggle() }
      guard isCode, line.hasPrefix("dragoman ") else { continue }
      commands.append(String(line.prefix(upTo: line.firstRange(of: "   #")?.lowerBound ?? line.endIndex)))
    }
    return commands
  }

  /// Replaces the paths, the address and the databases in a command with those of this test.
  private func here(_ command: String, _ databases: (fleet: String, local: String)?) throws -> String {
    var text = command
    for (path, own) in [
      ("/etc/dragoman/pipelines", folder.file("pipelines")), ("/var/lib/dragoman", folder.file(".dragoman")),
      ("/backup/", folder.path + "/"), ("127.0.0.1:8080", "127.0.0.1:0"),
    ] { text = text.replacing(path, with: own) }
    guard let databases else { return text }
    return text.replacing(#/'postgresql:[^']*'/#, with: databases.fleet)
      .replacing("postgresql:///dragoman", with: databases.local)
  }

  /// Runs a command in a shell. A daemon is stopped once it is ready.
  private func run(_ command: String) throws -> (status: Int32, errors: String) {
    let program = URL(filePath: dragomanPath()).deletingLastPathComponent().path
    let environment = ["PATH": "\(program):/usr/bin:/bin", "LANG": "C", "PW": "none", "NOTIFY_SOCKET": socket.path]
    let process = try ChildProcess(
      "sh", ["-c", "exec " + command], in: folder.path, environment: environment,
      output: .file(folder.file("out")), errors: .file(folder.file("errors")))
    if command.contains(#/^dragoman (serve|worker)/#) {
      while let message = socket.next(), !message.hasPrefix("READY=1") {}
      kill(process.processIdentifier, SIGTERM)
    }
    let status = process.waitUntilExit()
    return (status, String(decoding: try folder.read("errors"), as: UTF8.self))
  }

  @Test(
    "every command on the page works as written",
    arguments: ["docs/operating.md", "docs/reference/api.md", "docs/dashboard.md", "docs/fleet.md"])
  func follow(page: String) async throws {
    var databases: (fleet: String, local: String)?
    if page == "docs/fleet.md" {
      guard let server = try await PostgreSQLServer.shared.value else { return }
      databases = (try await server.database(), try await server.database())
    }
    let commands = try Self.commands(of: page)
    #expect(commands.count > 1)
    for command in commands {
      let (status, errors) = try run(try here(command, databases))
      // The example has the number of a held unit that does not exist in this installation.
      let expected: Int32 = command.contains("held take 12") ? 66 : 0
      #expect(status == expected, "\(command) exited with \(status): \(errors)")
    }
  }
}
