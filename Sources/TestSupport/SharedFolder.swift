package import Foundation

/// A folder of third-party files next to the project's folder.
///
/// The files are not part of this repository, so the folder may be missing. In that case, the tests that need it are skipped with `notice`.
package struct SharedFolder: Sendable {
  /// Files in Apple's formats from public projects. The variable `CORPUS` names the folder; the default is `../shared/corpus`.
  package static let corpus = SharedFolder("the corpus of real files", variable: "CORPUS", place: "../shared/corpus")
  /// CLDR's tables as JSON. The variable `CLDR` names the folder; the default is `../shared/cldr`.
  package static let cldr = SharedFolder("CLDR's data", variable: "CLDR", place: "../shared/cldr")

  /// Specifications of vendors and forges, and recorded responses. The variable `SPECS` names the folder; the default is `../shared/specs`.
  package static let specs = SharedFolder(
    "the specifications of vendors", variable: "SPECS", place: "../shared/specs")

  /// The folder that contains `Package.swift`.
  package static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  package let folder: URL
  private let name: String

  /// - Parameters:
  ///   - name: the description of the files for the notice.
  ///   - variable: the environment variable that names the folder; a relative path starts at the package's folder.
  ///   - place: the folder that is used if the variable is not set.
  private init(_ name: String, variable: String, place: String) {
    let path = ProcessInfo.processInfo.environment[variable] ?? place
    self.name = name
    folder = path.hasPrefix("/") ? URL(filePath: path) : Self.root.appending(path: path).standardizedFileURL
  }

  package var isThere: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: folder.path(percentEncoded: false), isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// The message of a skipped test.
  package var notice: String { "\(name) is not at \(folder.path(percentEncoded: false)): skipped" }

  package func data(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

  /// Returns the paths of the files whose paths end with this text, sorted and relative to the folder; empty if the folder does not exist.
  package func paths(endingIn ending: String) -> [String] {
    guard let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false)) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
  }
}
