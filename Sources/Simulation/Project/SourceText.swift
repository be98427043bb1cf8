package import Localization

/// A string in the sources of the simulated project: a line `table|key|value|comment` of `Sources/<target>/Strings.txt`.
package struct SourceLine: Hashable, Sendable {
  package var table: String
  package var key: String
  /// The source text. If it is empty, the key is the source text.
  package var value: String
  package var comment: String

  package init(table: String, key: String, value: String = "", comment: String = "") {
    self.table = table
    self.key = key
    self.value = value
    self.comment = comment
  }

  init?(_ line: Substring) {
    let parts = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4 else { return nil }
    self.init(table: parts[0], key: parts[1], value: parts[2], comment: parts[3])
  }

  var text: String { "\(table)|\(key)|\(value)|\(comment)\n" }

  /// The text to translate: the value, or otherwise the key.
  package var sourceText: String { value.isEmpty ? key : value }
}

/// The paths of the simulated project.
package enum ProjectPlaces {
  package static func strings(of target: String) -> TreePath { TreePath(trusted: "Sources/\(target)/Strings.txt") }

  package static func catalog(_ table: String, of target: String) -> TreePath {
    TreePath(trusted: "Sources/\(target)/Resources/\(table).xcstrings")
  }

  /// Returns the target of a source file or catalog.
  package static func target(of path: TreePath) -> String? {
    let parts = path.components
    guard parts.count >= 3, parts[0] == "Sources" else { return nil }
    return String(parts[1])
  }
}

extension FileTree {
  /// The names of the targets.
  package var targets: [String] {
    paths.filter { $0.name == "Strings.txt" }.compactMap(ProjectPlaces.target)
  }

  package var catalogs: [TreePath] { paths.filter(\.isStringCatalog) }

  package func lines(of target: String) -> [SourceLine] {
    String(decoding: self[ProjectPlaces.strings(of: target)] ?? [], as: UTF8.self).split(separator: "\n")
      .compactMap { SourceLine($0) }
  }

  package mutating func setLines(_ lines: [SourceLine], of target: String) {
    let sorted = lines.sorted { ($0.table, $0.key) < ($1.table, $1.key) }
    self[ProjectPlaces.strings(of: target)] = Array(sorted.map(\.text).joined().utf8)
  }

  /// All strings of the code that have a catalog, by their units.
  package var strings: [UnitID: SourceLine] {
    var found: [UnitID: SourceLine] = [:]
    for target in targets {
      for line in lines(of: target) {
        let catalog = ProjectPlaces.catalog(line.table, of: target)
        guard blobs[catalog] != nil else { continue }
        found[UnitID(catalog: catalog, key: UnitKey(line.key))] = line
      }
    }
    return found
  }
}
