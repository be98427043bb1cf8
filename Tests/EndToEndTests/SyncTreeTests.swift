import Daemon
import Localization
import Testing
import Workspace

/// `sync` of complete trees, and the strings that must not change if a file cannot be read.
@Suite("Sync of complete trees")
struct SyncTreeTests {
  /// A tree in which some files cannot be read, as if a mirror lacked their objects.
  private struct TornTree: SourceTree {
    var base: InMemoryTree
    var torn: Set<TreePath>

    func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] { try base.list(folder) }
    func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path) }
    func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
      if torn.contains(path) { throw TreeError(path: path, kind: .unreadable, detail: "the object is missing") }
      return try base.read(path)
    }
  }

  private static let catalog: TreePath = "App/Localizable.xcstrings"
  private static let entries = """
        "Bye" : {
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Tschüss"
              }
            }
          }
        },
        "Hello" : {

        },
        "Only here" : {

        }
    """

  private static func text(_ entries: String) -> String {
    "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(entries)\n  },\n  \"version\" : \"1.0\"\n}"
  }

  /// The files of an app with two source files. The keys `Bye` and `Only here` are in the second file.
  private static let files: [String: String] = [
    "App/Hello.swift": "import SwiftUI\nlet hello = Text(\"Hello\")\n",
    "App/Bye.swift": "import SwiftUI\nlet bye = Text(\"Bye\")\nlet only = Text(\"Only here\")\n",
    "App/Localizable.xcstrings": text(entries),
  ]

  private struct Outcome {
    var bytes: [TreePath: [UInt8]]
    var changes: [TreePath: [SyncChange]]
    var diagnostics: [Diagnostic]
  }

  /// Returns the files, changes and diagnostics that `dragoman sync` would produce.
  private func sync(_ tree: any SourceTree) throws -> Outcome {
    var state = try ProjectSnapshot(tree, for: .sync, with: .standard())
    try state.extract(ExtractionOptions())
    let synced = state.synced()
    var bytes = state.files.mapValues { $0.sourceBytes ?? [] }
    for (path, edit) in synced.edits.edits { if case .write(let content) = edit { bytes[path] = content.bytes } }
    return Outcome(
      bytes: bytes, changes: synced.inStep.changes, diagnostics: state.diagnostics + synced.diagnostics)
  }

  private func sync(_ files: [String: String], torn: Set<TreePath> = []) throws -> Outcome {
    try sync(TornTree(base: InMemoryTree(texts: files), torn: torn))
  }

  @Test("sync does not change an up-to-date tree, and removes a deleted source's strings or marks them as stale")
  func baseline() throws {
    let still = try sync(Self.files)
    #expect(still.changes.isEmpty)
    var files = Self.files
    files["App/Bye.swift"] = "import SwiftUI\n"
    let gone = try sync(files)
    #expect(gone.changes[Self.catalog]?.map(\.kind) == [.becameStale, .removed])
  }

  /// Contents of the second source file that have no strings, because they cannot be read or parsed. The test's arguments are only the names,
  /// because arguments are printed and one file has 9 MB.
  static let faults: [String: [UInt8]] = [
    "not UTF-8": Array("import SwiftUI\nlet bye = Text(\"".utf8) + [0xC3, 0x28] + Array("\")\n".utf8),
    "nesting": Array("let a = \(String(repeating: "[", count: 60))".utf8),
    "chains": Array("let a = b\(String(repeating: ".c()", count: 20_000))".utf8),
    "size": [UInt8](repeating: UInt8(ascii: "\n"), count: 9 << 20),
    "an unterminated literal": Array("import SwiftUI\nlet bye = Text(\"Bye\nlet only = Text(\"Only here)\n".utf8),
    "an unterminated block": Array("import SwiftUI\n\"\"\"\nlet bye = Text(\"Bye\")\n".utf8),
    "a conflict": Array("<<<<<<< ours\nlet bye = 1\n=======\nlet only = 2\n>>>>>>> theirs\n".utf8),
    "a comment without end": Array("import SwiftUI\n/* let bye = Text(\"Bye\")\n".utf8),
  ]

  @Test("strings of an unreadable source keep their state, and the source is reported", arguments: faults.keys.sorted())
  func unreadableSource(name: String) throws {
    var files = Dictionary(uniqueKeysWithValues: Self.files.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) })
    files["App/Bye.swift"] = Self.faults[name]
    files["App/New.swift"] = Array("import SwiftUI\nlet new = Text(\"New\")\n".utf8)
    let outcome = try sync(InMemoryTree(files))
    #expect(outcome.changes[Self.catalog]?.map(\.kind) == [.added], "\(name)")
    #expect(outcome.diagnostics.contains { $0.path == "App/Bye.swift" && $0.severity != .note }, "\(name)")
    #expect(outcome.diagnostics.contains { $0.path == Self.catalog.text && $0.message.contains("only added") })
  }

  @Test("a merge conflict is reported at its first line, not at the end of the code after it")
  func conflict() throws {
    var files = Self.files
    files["App/Bye.swift"] = """
      import SwiftUI
      struct A: View {
        var body: some View {
      <<<<<<< HEAD
          Text("Bye")
      =======
          Text("Only here")
      >>>>>>> other
        }
      }
      struct B: View { var body: some View { Text("After") } }

      """
    let outcome = try sync(files)
    let told = outcome.diagnostics.first { $0.path == "App/Bye.swift" }
    #expect(told?.line == 4)
    #expect(
      told?.message == "conflict markers of an unfinished merge, lines 4 to 8; the code around them was read"
        && told?.hint == "resolve the conflict and remove the markers")
  }

  @Test("strings of a source whose object is missing keep their state")
  func missingObject() throws {
    let outcome = try sync(Self.files, torn: ["App/Bye.swift"])
    #expect(outcome.changes.isEmpty)
    #expect(outcome.diagnostics.contains { $0.path == "App/Bye.swift" && $0.severity == .error })
  }

  @Test("strings keep their state if the declaration that makes them localizable cannot be read, even in packages")
  func missingDeclaration() throws {
    var files = Self.files
    files["App/Bye.swift"] = "import Kit\nlet bye = row(\"Bye\")\nlet only = row(\"Only here\")\n"
    files["Kit/Package.swift"] = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "Kit", products: [.library(name: "Kit", targets: ["Kit"])], targets: [.target(name: "Kit")])
      """
    files["Kit/Sources/Kit/Row.swift"] =
      "import SwiftUI\npublic func row(_ title: LocalizedStringKey) -> Text { Text(title) }\n"
    #expect(try sync(files).changes.isEmpty)
    #expect(try sync(files, torn: ["Kit/Sources/Kit/Row.swift"]).changes.isEmpty)
  }

  /// Files that are not valid catalogs.
  static let brokenCatalogs: [String] = [
    "", "{", "<<<<<<< HEAD\n{}\n=======\n{ }\n>>>>>>> other\n", "[]", "{ \"strings\" : [] }",
    "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"a\" : {}, \"a\" : {} }, \"version\" : \"1.0\" }",
    String(repeating: "[", count: 5000), "\u{0}\u{0}",
  ]

  @Test("a catalog that cannot be read is never overwritten", arguments: brokenCatalogs)
  func brokenCatalog(text: String) throws {
    var files = Self.files
    files[Self.catalog.text] = text
    let outcome = try sync(files)
    #expect(outcome.changes.isEmpty)
    #expect(outcome.bytes[Self.catalog] == Array(text.utf8))
  }

  @Test("a catalog whose object is missing is not replaced")
  func missingCatalog() throws {
    #expect(try sync(Self.files, torn: [Self.catalog]).changes.isEmpty)
  }

  @Test("if no source can be read, no key is removed from the catalog")
  func nothingReadable() throws {
    let outcome = try sync(Self.files, torn: ["App/Bye.swift", "App/Hello.swift"])
    #expect(outcome.changes.isEmpty)
    let bytes = Array((Self.files[Self.catalog.text] ?? "").utf8)
    #expect(outcome.bytes[Self.catalog] == bytes)
  }

  @Test("strings of a table without a catalog are reported, and no file is created for them")
  func noCatalog() throws {
    var files = Self.files
    files["App/Settings.swift"] = """
      import SwiftUI
      let sound = Text("Sound", tableName: "Settings")
      let light = Text("Light", tableName: "Settings")
      """
    for strings in [nil, "\"Sound\" = \"Sound\";\n"] {
      files["App/en.lproj/Settings.strings"] = strings
      let outcome = try sync(files)
      #expect(outcome.changes.isEmpty)
      #expect(Set(outcome.bytes.keys) == [Self.catalog])
      let told = outcome.diagnostics.filter { $0.message.hasPrefix("no Settings.xcstrings") && $0.severity == .warning }
      #expect(told.map(\.path) == ["App/Settings.swift"])
      #expect(told.first?.line == 2)
    }
  }

  @Test("a catalog without its last key stays a valid catalog, and adding the key again restores its bytes")
  func emptied() throws {
    var files = Self.files
    let one = Self.text("    \"Hello\" : {\n\n    }")
    files["App/Bye.swift"] = nil
    files["App/Localizable.xcstrings"] = one
    files["App/Hello.swift"] = "import SwiftUI\n"
    let empty = try sync(files)
    #expect(empty.bytes[Self.catalog].map { String(decoding: $0, as: UTF8.self) } == Self.text(""))
    files["App/Hello.swift"] = Self.files["App/Hello.swift"]
    files["App/Localizable.xcstrings"] = Self.text("")
    #expect(try sync(files).bytes[Self.catalog] == Array(one.utf8))
  }

  @Test("sync adds entries in Xcode's order and layout, and keeps the catalog's version, order and final newline")
  func layout() throws {
    let old =
      "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n    \"b\" : {\n\n    },\n    \"A\" : {\n      \"extractionState\" : \"manual\"\n    }\n  },\n  \"version\" : \"1.3\"\n}\n"
    let files = [
      "App/App.swift": """
      import SwiftUI
      func view(name: String, count: Int) -> some View {
        VStack {
          Text("b")
          Text("c", comment: "Z")
          Text("c", comment: "Y")
          Text("c")
          Text("\\(name) of \\(count)")
          Text("100%")
          Text("item 10")
          Text("item 9")
          Text(String(localized: "key", defaultValue: "Value of \\(name), \\(count)", comment: "with a value"))
        }
      }
      """, Self.catalog.text: old,
    ]
    let expected = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "%@ of %lld" : {
            "localizations" : {
              "en" : {
                "stringUnit" : {
                  "state" : "new",
                  "value" : "%1$@ of %2$lld"
                }
              }
            }
          },
          "100%" : {

          },
          "b" : {

          },
          "A" : {
            "extractionState" : "manual"
          },
          "c" : {
            "comment" : "Y\\nZ"
          },
          "item 9" : {

          },
          "item 10" : {

          },
          "key" : {
            "comment" : "with a value",
            "extractionState" : "extracted_with_value",
            "localizations" : {
              "en" : {
                "stringUnit" : {
                  "state" : "new",
                  "value" : "Value of %1$@, %2$lld"
                }
              }
            }
          }
        },
        "version" : "1.3"
      }

      """
    let written = try #require(try sync(files).bytes[Self.catalog])
    #expect(String(decoding: written, as: UTF8.self) == expected)
  }
}
