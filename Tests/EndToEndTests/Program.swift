import Foundation
import TestSupport

/// Returns the path of the built program, which SwiftPM puts into the folder of the tests.
func dragomanPath() -> String {
  let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  return URL(filePath: tests).deletingLastPathComponent().appending(path: "dragoman").path
}

/// Runs the program in a folder until it exits.
func dragoman(_ arguments: [String], in folder: String, program: String = dragomanPath()) throws -> ProgramEnd {
  try .of(
    program, arguments, in: folder,
    environment: ["PATH": "/usr/bin:/bin", "LANG": "C", "SWIFT_BACKTRACE": "enable=no"])
}
