package import Foundation

/// A folder of other people's files beside the project. They are read where they lie, since none of them belongs into this repository;
/// a test that needs them is skipped, with `notice`, where they are not there.
package struct SharedFolder: Sendable {
  /// Files of Apple's formats from public projects: `CORPUS`, by default `../shared/corpus`.
  package static let corpus = SharedFolder("the corpus of real files", variable: "CORPUS", place: "../shared/corpus")
  /// CLDR's tables as JSON: `CLDR`, by default `../shared/cldr`.
  package static let cldr = SharedFolder("CLDR's data", variable: "CLDR", place: "../shared/cldr")

  /// Specifications of vendors and forges, and recorded answers: `SPECS`, by default `../shared/specs`.
  package static let specs = SharedFolder(
    "the specifications of vendors", variable: "SPECS", place: "../shared/specs")

  /// The folder of `Package.swift`.
  package static let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  package let folder: URL
  private let name: String

  /// - Parameters:
  ///   - name: what lies there, for the notice.
  ///   - variable: the environment variable that says where the folder is, from the package's folder unless the path is absolute.
  ///   - place: where the folder is while the variable is not set.
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

  /// What a skipped test says.
  package var notice: String { "\(name) is not at \(folder.path(percentEncoded: false)): skipped" }

  package func data(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

  /// The paths of the files with an ending, sorted, from this folder on; empty where the folder is not there.
  package func paths(endingIn ending: String) -> [String] {
    guard let names = FileManager.default.enumerator(atPath: folder.path(percentEncoded: false)) else { return [] }
    return names.compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }.sorted()
  }
}
