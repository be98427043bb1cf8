import Foundation
import FuzzSubjects
import Testing

/// Runs of each reader on its seeds, and on the inputs for which fuzzing found a fault.
@Suite struct FuzzSeedTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Fuzz")

  static func inputs(of subject: FuzzSubject) throws -> [URL] {
    try ["Seeds", "Finds"].flatMap { kind -> [URL] in
      let folder = folder.appending(path: kind).appending(path: subject.rawValue)
      guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .sorted { $0.path < $1.path }
    }
  }

  @Test(
    "each reader has seeds, and no seed or earlier finding violates an invariant",
    arguments: FuzzSubject.allCases)
  func seeds(subject: FuzzSubject) throws {
    let inputs = try Self.inputs(of: subject)
    #expect(!inputs.isEmpty, "Add at least one file to Tests/Fuzz/Seeds/\(subject.rawValue).")
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") { try subject.examine(Array(Data(contentsOf: input))) }
    }
  }

  @Test("no truncated seed violates an invariant", arguments: FuzzSubject.allCases)
  func truncatedSeeds(subject: FuzzSubject) throws {
    for input in try Self.inputs(of: subject) {
      let bytes = try Array(Data(contentsOf: input))
      let step = max(1, bytes.count / 40)
      for end in stride(from: 0, to: bytes.count, by: step) {
        #expect(throws: Never.self, "\(input.lastPathComponent) cut off at byte \(end)") {
          try subject.examine(Array(bytes[..<end]))
        }
      }
    }
  }
}
