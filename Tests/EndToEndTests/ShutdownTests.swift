import Foundation
import TestSupport
import Testing

/// A daemon that is told to stop while something hangs in a call that nobody can interrupt.
@Suite(.timeLimit(.minutes(10))) struct ShutdownTests {
  private let folder: TemporaryFolder

  /// The object that the branch names.
  private static let object = "origin.git/objects/ab/" + String(repeating: "c", count: 38)

  /// The commit of the repository is a pipe that stays open and into which nobody writes: reading it blocks for ever.
  init() throws {
    folder = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    try folder.write("ab" + String(repeating: "c", count: 38) + "\n", to: "origin.git/refs/heads/main")
    try FileManager.default.createDirectory(
      atPath: folder.file("origin.git/objects/ab"), withIntermediateDirectories: true)
    try Process.run(URL(filePath: "/usr/bin/mkfifo"), arguments: [folder.file(Self.object)]).waitUntilExit()
    try folder.write(
      """
      pipeline: stuck
      repository:
        url: \(folder.file("origin.git"))
      vendors:
        - vendor: pseudo
      """, to: "pipelines/stuck.yaml")
  }

  private func end(grace: String, signals: [Int32]) throws -> ProgramEnd {
    let process = Process()
    process.executableURL = URL(filePath: dragomanPath())
    process.arguments = ["serve"]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_SHUTDOWN_GRACE": grace]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    // Waits until the daemon reads the object, and lets it wait in turn. One that ends before it reads lets go of us.
    let object = folder.file(Self.object)
    process.terminationHandler = { _ in close(open(object, O_RDONLY | O_NONBLOCK)) }
    try process.run()
    let writer = open(object, O_WRONLY)
    defer { close(writer) }
    for signal in signals { kill(process.processIdentifier, signal) }
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ProgramEnd(status: process.terminationStatus, output: "", errors: text)
  }

  @Test("it ends when the grace period is over, and says what was still running")
  func overdue() throws {
    let end = try end(grace: "1s", signals: [SIGTERM])
    #expect(end.status == 75)
    #expect(end.errors.contains("the grace period is over; still running: stuck watch"), "\(end.errors)")
  }

  @Test("a daemon that has nothing to do ends without waiting for the grace period")
  func idle() throws {
    let idle = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", idle.file("origin.git")], in: idle.path)
    try idle.write(
      "pipeline: idle\nrepository:\n  url: \(idle.file("origin.git"))\nvendors:\n  - vendor: pseudo\n",
      to: "pipelines/idle.yaml")
    let process = Process()
    process.executableURL = URL(filePath: dragomanPath())
    process.arguments = ["serve"]
    process.currentDirectoryURL = URL(filePath: idle.path)
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_SHUTDOWN_GRACE": "3600s"]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var said = Data()
    // The repository has no branch: the first look has ended, and everything waits.
    while !String(decoding: said, as: UTF8.self).contains("no branch yet") {
      let more = errors.fileHandleForReading.availableData
      try #require(!more.isEmpty)
      said += more
    }
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test("a second signal ends it at once")
  func twice() throws {
    let end = try end(grace: "3600s", signals: [SIGTERM, SIGINT])
    #expect(end.status == 128 + SIGINT || end.status == 128 + SIGTERM)
    #expect(end.errors.contains("told to stop twice; still running: stuck watch"), "\(end.errors)")
  }
}
