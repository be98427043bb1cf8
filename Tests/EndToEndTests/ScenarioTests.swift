import Foundation
import Testing

/// Runs of every folder of `Scenarios`, and comparisons of each result with the folder's `expected.txt`. With `UPDATE_GOLDENS=1`, a test rewrites the
/// file and still fails.
struct ScenarioTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Scenarios")
    .path
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
    !$0.hasPrefix(".")
  }.sorted()

  @Test("each scenario gives the expected commits, bundles and books", arguments: names)
  func scenario(name: String) async throws {
    let path = "\(Self.folder)/\(name)"
    let transcript = try await ScenarioRunner(path).play()
    let golden = "\(path)/expected.txt"
    let expected = (try? String(contentsOfFile: golden, encoding: .utf8)) ?? ""
    guard transcript != expected else { return }
    if ProcessInfo.processInfo.environment["UPDATE_GOLDENS"] == "1" {
      try transcript.write(toFile: golden, atomically: true, encoding: .utf8)
      Issue.record("\(name): expected.txt was rewritten; check the difference before you commit it")
    } else {
      Issue.record("\(name): the transcript differs from expected.txt:\n\(difference(expected, transcript))")
    }
  }

  private func difference(_ old: String, _ new: String) -> String {
    let before = old.split(separator: "\n", omittingEmptySubsequences: false)
    let after = new.split(separator: "\n", omittingEmptySubsequences: false)
    return after.difference(from: before).map { change in
      switch change {
      case .insert(let offset, let text, _): "+\(offset + 1): \(text)"
      case .remove(let offset, let text, _): "-\(offset + 1): \(text)"
      }
    }.joined(separator: "\n")
  }
}
