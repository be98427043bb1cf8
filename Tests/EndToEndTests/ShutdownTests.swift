import Foundation
import TestSupport
import Testing

/// A daemon that is told to stop while something hangs in a call that nobody can interrupt.
@Suite(.timeLimit(.minutes(2))) struct ShutdownTests {
  private let folder: TemporaryFolder

  /// The repository's list of references is a pipe into which nobody writes: opening it blocks for ever.
  init() throws {
    folder = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--bare", "-b", "main", folder.file("origin.git")], in: folder.path)
    try Process.run(URL(filePath: "/usr/bin/mkfifo"), arguments: [folder.file("origin.git/packed-refs")])
      .waitUntilExit()
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
    process.arguments = ["serve", "--progress", "json"]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "DRAGOMAN_SHUTDOWN_GRACE": grace]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    var text = ""
    var isTold = false
    while true {
      let data = errors.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
      // The look at the repository has begun, and never ends.
      if !isTold, text.contains("\"stage\":\"watch\"") {
        isTold = true
        for signal in signals { kill(process.processIdentifier, signal) }
      }
    }
    process.waitUntilExit()
    return ProgramEnd(status: process.terminationStatus, output: "", errors: text)
  }

  @Test("it ends when the grace period is over, and says what was still running")
  func overdue() throws {
    let end = try end(grace: "1s", signals: [SIGTERM])
    #expect(end.status == 75)
    #expect(end.errors.contains("the grace period is over; still running: stuck watch"), "\(end.errors)")
  }

  @Test("a second signal ends it at once")
  func twice() throws {
    let end = try end(grace: "3600s", signals: [SIGTERM, SIGINT])
    #expect(end.status == 128 + SIGINT || end.status == 128 + SIGTERM)
    #expect(end.errors.contains("told to stop twice; still running: stuck watch"), "\(end.errors)")
  }
}
