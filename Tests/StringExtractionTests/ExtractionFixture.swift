import Localization
import StringExtraction
import Testing

/// A project in memory, with one target or with one target for each top-level folder.
struct ExtractionFixture {
  var tree: InMemoryTree
  var project: ProjectDescription
  var existing: [TreePath: Catalog] = [:]
  var options = ExtractionOptions()

  /// Creates a project with one target, `App`, that contains all files.
  init(_ files: [String: String], keys: [String] = []) {
    self.init(bytes: Dictionary(uniqueKeysWithValues: files.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) }))
    if !keys.isEmpty {
      existing["Localizable.xcstrings"] = Catalog(
        path: "Localizable.xcstrings", sourceLanguage: "en",
        entries: Dictionary(uniqueKeysWithValues: keys.map { (UnitKey($0), CatalogEntry()) }))
    }
  }

  init(bytes files: [TreePath: [UInt8]]) {
    tree = InMemoryTree(files)
    let entries = files.keys.sorted().map { TreeEntry(path: $0, kind: .file, blob: nil) }
    let target = ProjectTarget(
      id: TargetID(rawValue: "."), name: "App", kind: .folder, folder: .root,
      swiftSources: entries.filter { $0.path.ending == "swift" },
      otherSources: entries.filter { $0.path.ending != "swift" }, resourceFolder: .root,
      catalogs: ["Localizable": "Localizable.xcstrings", "Birds": "Birds.xcstrings"])
    project = ProjectDescription(
      sourceLanguage: "en", targets: [target],
      catalogs: ["Localizable", "Birds"].map {
        ProjectCatalog(
          path: TreePath(trusted: $0 + ".xcstrings"), table: $0, sourceLanguage: "en", targets: [target.id])
      })
  }

  func extract(cache: (any FactCache)? = nil) throws -> Extraction {
    try SourceStringExtractor().extract(project, from: tree, existing: existing, options: options, cache: cache)
  }

  /// Returns the keys in a single file by line, as `line: key`.
  static func found(in source: String, keys: [String] = [], macros: [String] = []) throws -> [String] {
    var fixture = ExtractionFixture(["A.swift": source], keys: keys)
    fixture.options.macros = macros
    let extraction = try fixture.extract()
    return extraction.strings.flatMap { string in string.sites.map { "\($0.line): \(string.key.text)" } }.sorted()
  }

  /// Returns the expected keys in a source. The keys of a line follow `🔑` in the line's comment.
  static func expected(in source: String) -> [String] {
    source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line in
      line.split(separator: "🔑", omittingEmptySubsequences: false).dropFirst().map { key in
        "\(index + 1): \(key.hasPrefix(" ") ? String(key.dropFirst()).trimmingEnd : String(key).trimmingEnd)"
      }
    }.sorted()
  }
}

extension String {
  fileprivate var trimmingEnd: String {
    var text = Substring(self)
    while text.hasSuffix(" ") { text.removeLast() }
    return String(text)
  }
}

/// A mechanism of xcode-extraction.md B, with code in which each line that gives keys is marked.
struct Mechanism: Sendable, CustomTestStringConvertible {
  var name: String
  var source: String
  var testDescription: String { name }

  init(_ name: String, _ source: String) {
    self.name = name
    self.source = source
  }

  func verify() throws {
    let found = try ExtractionFixture.found(in: source)
    let expected = ExtractionFixture.expected(in: source)
    let (extra, missing) = (Set(found).subtracting(expected), Set(expected).subtracting(found))
    #expect(found == expected, "\(name): too many \(extra.sorted()), missing \(missing.sorted())")
  }
}
