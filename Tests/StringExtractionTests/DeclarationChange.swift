import Localization
import StringExtraction
import Testing

/// A change of declarations after which literals of another file have different types.
struct DeclarationChange: Sendable, CustomTestStringConvertible {
  var name: String
  /// The unchanged files. `Kit/…` is a module that the other files can use.
  var files: [String: String]
  /// The files that the change replaces. A file that is missing before or after the change does not exist then.
  var before: [String: String]
  var after: [String: String]
  var testDescription: String { name }

  init(_ name: String, _ files: [String: String], from before: [String: String], to after: [String: String]) {
    self.name = name
    self.files = files
    self.before = before
    self.after = after
  }

  /// Creates a change of `Changed.swift` that affects `Use.swift`. `More.swift` has the other declarations.
  init(_ name: String, _ use: String, more: String = "", from before: String, to after: String) {
    self.init(
      name, ["Use.swift": use, "More.swift": more], from: ["Changed.swift": before], to: ["Changed.swift": after])
  }

  func files(isAfter: Bool) -> [String: String] { files.merging(isAfter ? after : before) { $1 } }

  /// Returns a project with two targets, whose files have blob ids computed from their bytes.
  static func fixture(_ files: [String: String]) -> ExtractionFixture {
    var fixture = ExtractionFixture(files)
    let target = fixture.project.targets[0]
    let entries = target.swiftSources.map { entry in
      var digest = ContentDigest()
      digest.update(text: files[entry.path.text] ?? "")
      return TreeEntry(
        path: entry.path, kind: .file, blob: BlobID(rawValue: String(digest.finishHexadecimal().prefix(40))))
    }
    fixture.project.targets = ["App", "Kit"].map { name in
      var own = target
      own.id = TargetID(rawValue: name)
      own.name = name
      own.swiftSources = entries.filter { $0.path.isWithin("Kit") == (name == "Kit") }
      own.dependencies = name == "App" ? [TargetID(rawValue: "Kit")] : []
      return own
    }
    return fixture
  }

  static let row = "struct Row { func show(_ key: LocalizedStringKey) {} }"
  static let showing = "func use(row: Row) { row.show(\"a\") }"

  static let all = members + types + values
}
