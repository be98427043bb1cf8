internal import Foundation

/// A folder of a test's own, removed with its last reference.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter purpose: part of its name, for those who look into the temporary folder.
  package init(_ purpose: String = "test") throws {
    // Links resolved, because paths are compared.
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    path = base.appendingPathComponent("dragoman-\(purpose)-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file, making the folders above it.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  package func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

  /// The names in a folder, sorted; empty where there is no such folder.
  package func names(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
  }
}
