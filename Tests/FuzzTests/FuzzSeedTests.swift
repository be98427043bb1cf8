import Foundation
import FuzzSubjects
import Testing

/// Every seed, and every input that fuzzing once found, goes through its reader.
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

  @Test("each reader has seeds, and processes them and all findings of fuzzing", arguments: FuzzSubject.allCases)
  func seeds(subject: FuzzSubject) throws {
    let inputs = try Self.inputs(of: subject)
    #expect(!inputs.isEmpty, "Add at least one file to Tests/Fuzz/Seeds/\(subject.rawValue).")
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") { try subject.examine(Array(Data(contentsOf: input))) }
    }
  }

  @Test("each reader processes every seed truncated at any byte", arguments: FuzzSubject.allCases)
  func truncatedSeeds(subject: FuzzSubject) throws {
    for input in try Self.inputs(of: subject) {
      let bytes = try Array(Data(contentsOf: input))
      let step = max(1, bytes.count / 40)
      for end in stride(from: 0, to: bytes.count, by: step) {
        #expect(throws: Never.self, "\(input.lastPathComponent) up to byte \(end)") {
          try subject.examine(Array(bytes[..<end]))
        }
      }
    }
  }
}
