import Foundation
import TestSupport
import Testing

/// A daemon that is told to stop while something hangs in a call that nobody can interrupt.
@Suite(.timeLimit(.minutes(10))) struct ShutdownTests {
  private let repository: TemporaryRepository
  private var folder: TemporaryFolder { repository.folder }
  /// The commit that the mirror has.
  private let object: String

  /// The commit that the mirror has is a pipe that stays open and into which nobody writes: to compare it with a newer one blocks for
  /// ever.
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
    try Process.run(URL(filePath: "/usr/bin/mkfifo"), arguments: [object]).waitUntilExit()
    try repository.commit(["a": "b"])
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
    process.terminationHandler = { [object] _ in close(open(object, O_RDONLY | O_NONBLOCK)) }
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
    #expect(end.errors.contains("received a second signal to stop; still running: stuck watch"), "\(end.errors)")
  }
}
