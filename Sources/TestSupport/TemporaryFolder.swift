internal import Foundation

/// A folder for one test, which is removed when the last reference to this object is released.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter purpose: a part of the folder's name, by which people can recognize the folder.
  package init(_ purpose: String = "test") throws {
    // Tests compare paths, so symbolic links are resolved.
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    path = base.appendingPathComponent("dragoman-\(purpose)-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file and creates its parent folders.
  package func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  package func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  package func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: file(name)))) }

  /// Returns the sorted names in a folder; empty if the folder does not exist.
  package func names(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
  }
}
