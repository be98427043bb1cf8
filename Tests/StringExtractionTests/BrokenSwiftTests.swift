import Localization
import StringExtraction
import Testing

@Suite struct BrokenSwiftTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var keys: [String]
    /// The location of the diagnostic.
    var line: Int
    var testDescription: String { name }

    init(_ name: String, _ source: String, _ keys: [String], line: Int) {
      self.init(name, Array(source.utf8), keys, line: line)
    }

    init(_ name: String, _ bytes: [UInt8], _ keys: [String], line: Int) {
      self.name = name
      self.bytes = bytes
      self.keys = keys
      self.line = line
    }
  }

  static let cases: [Case] = [
    Case("a literal without an end", "let a = Text(\"no)\nlet b = Text(\"two\")", ["two"], line: 1),
    Case("a long literal without an end", "let a = Text(\"one\")\nlet b = Text(\"\"\"\n  no\n", ["one"], line: 3),
    Case("a raw literal without an end", "let a = Text(#\"no\")\nlet b = Text(\"two\")", ["two"], line: 1),
    Case("an escape that Swift does not have", "let a = Text(\"no \\q\")\nlet b = Text(\"two\")", ["two"], line: 1),
    Case("a scalar past the last", "let a = Text(\"no \\u{110000}\")\nlet b = Text(\"two\")", ["two"], line: 1),
    Case(
      "a brace too few", "struct A { var a: Text { Text(\"one\") }\n  func f() { _ = Text(\"two\") }", ["one", "two"],
      line: 1
    ),
    Case("a brace too many", "struct A { let a = Text(\"one\") } }\nlet b = Text(\"two\")", ["one", "two"], line: 1),
    Case("no code", "let a = Text(\"one\")\n)))) ??? @@@\nlet b = Text(\"two\")", ["one", "two"], line: 2),
    Case(
      "a call without an end", "let a = NSLocalizedString(\"one\", comment: \"\"\nlet b = Text(\"two\")",
      ["one", "two"], line: 1),
    Case("a macro without an end", "let a = #localized(\"no\"\nlet b = Text(\"two\")", ["two"], line: 1),
    Case("a function that is half there", "func f( { Text(\"one\") }\nlet b = Text(\"two\")", ["one", "two"], line: 1),
    Case("#if without #endif", "let a = Text(\"one\")\n#if DEBUG\nlet b = Text(\"two\")\n", ["one", "two"], line: 2),
    Case("a comment without an end", "let a = Text(\"one\")\n/* let b = Text(\"no\")\n", ["one"], line: 3),
    Case("UTF-16", [0xFF, 0xFE, 0x6C, 0x00, 0x65, 0x00], [], line: 1),
    Case("bytes that are no UTF-8", Array("let a = Text(\"no\")\nlet b = \"".utf8) + [0xFF, 0x22], [], line: 2),
  ]

  @Test(
    "the code around a syntax error is read, the error is reported, and the catalog's other keys are kept",
    arguments: cases)
  func recovers(_ broken: Case) throws {
    let files: [TreePath: [UInt8]] = ["A.swift": broken.bytes, "B.swift": Array("let z = Text(\"zzz\")".utf8)]
    let extraction = try ExtractionFixture(bytes: files).extract()
    #expect(extraction.strings.map(\.key.text) == broken.keys + ["zzz"])
    #expect(extraction.diagnostics.map(\.path) == ["A.swift"])
    #expect(extraction.diagnostics.compactMap(\.line) == [broken.line])
    #expect(extraction.diagnostics.allSatisfy { $0.column != nil })
    #expect(extraction.incompleteCatalogs["Localizable.xcstrings"]?.contains { $0.path == "A.swift" } == true)
  }

  @Test(
    "a syntax error in a dependency keeps the catalog's other keys, because the unread code may declare their functions"
  )
  func dependency() throws {
    let kit =
      "<<<<<<< HEAD\n=======\n>>>>>>> other\npublic struct Card { public init(_ text: LocalizedStringKey) {} }\n"
    var fixture = ExtractionFixture(["App.swift": "import Kit\nlet card = Card(\"carded\")\n", "Kit.swift": kit])
    let files = fixture.project.targets[0].swiftSources
    let id = TargetID(rawValue: "Kit")
    fixture.project.targets[0].swiftSources = files.filter { $0.path == "App.swift" }
    fixture.project.targets[0].dependencies = [id]
    fixture.project.targets.append(
      ProjectTarget(
        id: id, name: "Kit", kind: .folder, folder: "Kit", swiftSources: files.filter { $0.path == "Kit.swift" },
        resourceFolder: "Kit", feedsCatalogs: false))
    let reasons = try fixture.extract().incompleteCatalogs["Localizable.xcstrings"]
    #expect(reasons?.map(\.path) == ["Kit.swift"])
  }

  @Test("an attribute directly before a parameter list is valid, as in Swift 5 (xcode-extraction.md R14)")
  func attributes() throws {
    let source = #"""
      import SwiftUI
      final class List<T> {
        typealias Handler = @MainActor([T]) -> Void
        var done: (@MainActor(T) -> Void)?
        func observe(_ change: @escaping @MainActor([T]) -> Void, title: LocalizedStringKey = "a") { _ = Text("b") }
        func load(_ work: @escaping @Sendable @MainActor(T, Int) async throws -> Void) { _ = Text("c") }
      }
      """#
    let extraction = try ExtractionFixture(["A.swift": source]).extract()
    #expect(extraction.strings.map(\.key.text) == ["a", "b", "c"])
    #expect(extraction.strings.map { $0.sites.first?.line } == [5, 5, 6])
    #expect(extraction.diagnostics.isEmpty && extraction.incompleteCatalogs.isEmpty)
    let broken = try ExtractionFixture(["A.swift": source + "\nlet a = = 1"]).extract()
    #expect(broken.diagnostics.map(\.severity) == [.warning])
    #expect(broken.strings.count == 3)
  }
}
