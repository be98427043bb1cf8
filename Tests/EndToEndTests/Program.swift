import Foundation
import TestSupport

/// The program, which SwiftPM builds beside the tests.
func dragomanPath() -> String {
  let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  return URL(filePath: tests).deletingLastPathComponent().appending(path: "dragoman").path
}

/// How a run of the program ended.
struct ProgramEnd {
  var status: Int32
  var output: String
  var errors: String
}

/// Runs the program in a folder until it ends.
func dragoman(_ arguments: [String], in folder: String, program: String = dragomanPath()) throws -> ProgramEnd {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.currentDirectoryURL = URL(filePath: folder)
  process.environment = ["PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"]
  let scratch = try TemporaryFolder()
  // Files rather than pipes, so that neither fills while the other is read.
  for name in ["out", "err"] { try scratch.write("", to: name) }
  process.standardOutput = try FileHandle(forWritingTo: URL(filePath: scratch.file("out")))
  process.standardError = try FileHandle(forWritingTo: URL(filePath: scratch.file("err")))
  try process.run()
  process.waitUntilExit()
  return ProgramEnd(
    status: process.terminationStatus, output: String(decoding: try scratch.read("out"), as: UTF8.self),
    errors: String(decoding: try scratch.read("err"), as: UTF8.self))
}
