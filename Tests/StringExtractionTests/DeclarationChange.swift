import Localization
import StringExtraction
import Testing

/// A change of declarations that changes what literals of another file resolve to.
struct DeclarationChange: Sendable, CustomTestStringConvertible {
  var name: String
  /// The unchanged files. `Kit/…` is a module that the others see.
  var files: [String: String]
  /// The files before and after the change. A missing file does not exist.
  var before: [String: String]
  var after: [String: String]
  var testDescription: String { name }

  init(_ name: String, _ files: [String: String], from before: [String: String], to after: [String: String]) {
    self.name = name
    self.files = files
    self.before = before
    self.after = after
  }

  /// A change of `Changed.swift` that `Use.swift` sees. `More.swift` has the other declarations.
  init(_ name: String, _ use: String, more: String = "", from before: String, to after: String) {
    self.init(
      name, ["Use.swift": use, "More.swift": more], from: ["Changed.swift": before], to: ["Changed.swift": after])
  }

  func files(isAfter: Bool) -> [String: String] { files.merging(isAfter ? after : before) { $1 } }

  /// A project of two targets whose files have blob ids computed from their bytes.
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
