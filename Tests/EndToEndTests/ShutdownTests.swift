import Foundation
import TestSupport
import Testing

/// Daemons and runs that are stopped while they are idle, during a stage, or during a call that cannot be interrupted.
@Suite(.timeLimit(.minutes(10))) struct ShutdownTests {
  private let repository: TemporaryRepository
  private var folder: TemporaryFolder { repository.folder }
  /// The path of the commit's object file in the mirror.
  private let object: String

  /// Runs a pipeline, replaces its commit in the mirror with a named pipe, and makes a newer commit. A daemon that compares the two commits is
  /// blocked while a test keeps the pipe open for writing and writes nothing.
  init() throws {
    repository = try TemporaryRepository()
    let first = try repository.commit(["a": "a"])
    try repository.folder.write(
      """
      pipeline: stuck
      repository:
        url: \(repository.path)
      vendors:
        - vendor: pseudo
      """, to: "pipelines/stuck.yaml")
    #expect(try dragoman(["run", "pipelines/stuck.yaml", "--once"], in: repository.folder.path).status == 0)
    let mirrors = repository.folder.file(".dragoman/mirrors")
    let mirror = try #require(FileManager.default.contentsOfDirectory(atPath: mirrors).first { $0.hasSuffix(".git") })
    object = "\(mirrors)/\(mirror)/objects/\(first.prefix(2))/\(first.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    try run("/usr/bin/mkfifo", [object])
    try repository.commit(["a": "b"])
  }

  private func serve(in folder: String, grace: String) throws -> (process: ChildProcess, errors: FileHandle) {
    let process = try ChildProcess(
      dragomanPath(), ["serve"], in: folder,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_SHUTDOWN_GRACE": grace], output: .null,
      errors: .pipe)
    return (process, try #require(process.pipe))
  }

  private func end(grace: String, signals: [Int32]) throws -> ProgramEnd {
    let (process, errors) = try serve(in: folder.path, grace: grace)
    let over = DispatchSemaphore(value: 0)
    let writing = DispatchGroup()
    DispatchQueue.global().async(group: writing) { [object] in
      // Opening the pipe waits until the daemon opens it for reading. The daemon then blocks.
      let writer = open(object, O_WRONLY)
      for signal in signals { kill(process.processIdentifier, signal) }
      over.wait()
      close(writer)
    }
    let text = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
    // Releases the other thread if the daemon ended before it read the object.
    close(open(object, O_RDONLY | O_NONBLOCK))
    over.signal()
    writing.wait()
    return ProgramEnd(status: process.waitUntilExit(), output: "", errors: text)
  }

  @Test("a daemon ends after the grace period, and logs the stages that were still running")
  func overdue() throws {
    let end = try end(grace: "1s", signals: [SIGTERM])
    #expect(end.status == 75)
    #expect(end.errors.contains("the grace period is over; still running: stuck watch"), "\(end.errors)")
  }

  @Test(
    "a run that is stopped by a signal reports this and exits with 128 plus the signal's number",
    arguments: [SIGTERM, SIGINT])
  func once(signal: Int32) throws {
    let asked = DispatchSemaphore(value: 0)
    let server = try LoopbackHTTPServer { _, _ in
      asked.signal()
      return .stall()
    }
    let place = try TemporaryFolder()
    try place.write(
      "pipeline: slow\nrepository: { url: \"\(server.url)/a.git\" }\nvendors: [{ vendor: pseudo }]\n", to: "slow.yaml")
    let process = try ChildProcess(
      dragomanPath(), ["run", "slow.yaml", "--once"], in: place.path,
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_SHUTDOWN_GRACE": "3600s"], output: .null,
      errors: .pipe)
    asked.wait()
    kill(process.processIdentifier, signal)
    let errors = String(decoding: try #require(process.pipe).readDataToEndOfFile(), as: UTF8.self)
    #expect(process.waitUntilExit() == 128 + signal)
    #expect(errors.hasSuffix("Stopped.\n"), "\(errors)")
  }

  @Test("a stage that is still running after the grace period is interrupted, and the daemon exits with 0")
  func interrupted() throws {
    let asked = DispatchSemaphore(value: 0)
    let server = try LoopbackHTTPServer { _, _ in
      asked.signal()
      return .stall()
    }
    let app = try TemporaryRepository()
    try app.commit([
      "App/Localizable.xcstrings": """
      { "sourceLanguage": "en", "strings": { "a": {} }, "version": "1.0" }
      """,
      "App/A.swift": "import SwiftUI\nlet text = Text(\"a\")\n",
    ])
    let place = try TemporaryFolder()
    try place.write(
      """
      pipeline: slow
      repository: { url: "\(app.path)" }
      languages: [de]
      rounds: { quiet: 0s }
      vendors: [{ vendor: http, url: "\(server.url)" }]
      """, to: "pipelines/slow.yaml")
    let (process, errors) = try serve(in: place.path, grace: "1s")
    asked.wait()
    kill(process.processIdentifier, SIGTERM)
    let said = String(decoding: errors.readDataToEndOfFile(), as: UTF8.self)
    #expect(process.waitUntilExit() == 0, "\(said)")
    #expect(said.hasSuffix("Stopped.\n") && !said.contains("CancellationError"), "\(said)")
  }

  @Test("an idle daemon stops without waiting for the grace period")
  func idle() throws {
    let idle = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", idle.file("origin.git")], in: idle.path)
    try idle.write(
      "pipeline: idle\nrepository:\n  url: \(idle.file("origin.git"))\nvendors:\n  - vendor: pseudo\n",
      to: "pipelines/idle.yaml")
    let (process, errors) = try serve(in: idle.path, grace: "3600s")
    var said = Data()
    // The repository has no branch, so after the first poll the daemon is idle.
    while !String(decoding: said, as: UTF8.self).contains("no branches yet") {
      let more = errors.availableData
      try #require(!more.isEmpty)
      said += more
    }
    kill(process.processIdentifier, SIGTERM)
    #expect(process.waitUntilExit() == 0)
    let log = String(decoding: said, as: UTF8.self).split(separator: "\n")
    #expect(log.first?.hasSuffix(" created a new ledger, .dragoman/ledger.sqlite") == true, "\(log)")
  }

  @Test("each finding about a pipeline file has its own line in the log")
  func findings() throws {
    let idle = try TemporaryFolder()
    try idle.write("pipeline: a\nrepository: { url: x }\nvendor: []\n", to: "pipelines/a.yaml")
    try idle.write("pipeline: idle\nrepository: { url: y }\nvendors: [{ vendor: pseudo }]\n", to: "pipelines/b.yaml")
    let (process, errors) = try serve(in: idle.path, grace: "1s")
    var said = ""
    while !said.contains("unknown key") {
      let more = errors.availableData
      try #require(!more.isEmpty)
      said += String(decoding: more, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    let lines = said.split(separator: "\n")
    #expect(lines.contains { $0.hasSuffix("pipelines/a.yaml is ignored") }, "\(said)")
    #expect(lines.contains { $0.hasPrefix("pipelines/a.yaml:3:1: error: vendor: unknown key") }, "\(said)")
  }

  @Test("a second signal stops the daemon immediately")
  func twice() throws {
    let end = try end(grace: "3600s", signals: [SIGTERM, SIGINT])
    #expect(end.status == 128 + SIGINT || end.status == 128 + SIGTERM)
    #expect(end.errors.contains("received a second signal to stop; still running: stuck watch"), "\(end.errors)")
  }
}
