import Localization
import StringExtraction
import Testing

/// Keys of a catalog that are used by literals of unknown type, because a declaration is in another repository (decision 10).
@Suite("Keys of unknown declarations")
struct UncertainKeyTests {
  private func uncertain(_ source: String, keys: [String]) throws -> [String] {
    let fixture = ExtractionFixture(["A.swift": "import SwiftUI\nimport Elsewhere\n" + source], keys: keys)
    let cache = MemoryFactCache()
    let extraction = try fixture.extract()
    for _ in 0..<2 {
      #expect(
        try fixture.extract(cache: cache).uncertainKeys == extraction.uncertainKeys,
        "the second result comes from the cache")
    }
    return (extraction.uncertainKeys["Localizable.xcstrings"] ?? [:]).keys.map(\.text).sorted()
  }

  @Test(
    "a key used by a literal of unknown type is uncertain",
    arguments: [
      ("let a = Card(\"Title\")", ["Title"]), ("let a = Text(\"x\").card(title: \"Title\")", ["Title"]),
      ("func f(_ c: Card) { c.title = \"Title\" }", ["Title"]), ("func f(_ t: CardTitle = \"Title\") {}", ["Title"]),
      ("struct A { var title: CardTitle { \"Title\" } }", ["Title"]), ("let t: CardTitle = \"Title\"", ["Title"]),
      ("func f(b: Bool) { _ = Card(b ? \"Title\" : \"Other\", [\"Third\"]) }", ["Other", "Third", "Title"]),
      ("func f(_ t: CardTitle) {}\nfunc g() { f(\"Title\") }", ["Title"]),
      ("func f(n: Int) { _ = Card(\"\\(n) birds\") }", ["%lld birds"]),
      ("func f() { _ = Card(\"\\(count) birds\") }", ["%lld birds"]),
    ] as [(String, [String])])
  func open(source: String, keys: [String]) throws {
    let others = ["Unused", "%@ cats"]
    #expect(try uncertain(source, keys: keys + others) == keys)
    #expect(try uncertain(source, keys: others).isEmpty, "the literal adds no key to the catalog")
  }

  @Test(
    "a key is certain if the type of its literal is known, or can only be String",
    arguments: [
      "let a = \"Title\"", "func f(_ s: String) {}\nfunc g() { f(\"Title\") }", "let a = (\"Title\" == \"x\")",
      "func f() { print(\"Title\") }", "func f() -> String { \"Title\" }", "enum E: String { case a = \"Title\" }",
      "let a = Text(verbatim: \"Title\")", "#if os(Linux)\nlet a = Card(\"Title\")\n#endif",
    ])
  func decided(source: String) throws {
    #expect(try uncertain(source, keys: ["Title"]).isEmpty)
  }

  @Test(
    "a key that only Release builds contain is kept, but not added (R23)",
    arguments: [
      ("#if DEBUG\nlet a = Text(\"no\")\n#else\nlet a = Text(\"Title\")\n#endif", ["Title"]),
      ("#if !DEBUG\nlet a = String(localized: \"Title\")\n#endif", ["Title"]),
      ("#if DEBUG && FLAG\n#else\n#if !DEBUG\nlet a = Text(\"Title\")\n#endif\n#endif", ["Title"]),
      ("func f(n: Int) -> Text {\n#if DEBUG\nText(\"a\")\n#else\nText(\"\\(n) birds\")\n#endif\n}", ["%lld birds"]),
    ] as [(String, [String])])
  func releaseOnly(source: String, keys: [String]) throws {
    #expect(try uncertain(source, keys: keys + ["Unused"]) == keys)
    #expect(try uncertain(source, keys: ["Unused"]).isEmpty)
    let found = try ExtractionFixture.found(in: "import SwiftUI\n" + source, keys: keys)
    #expect(!found.contains { line in keys.contains { line.hasSuffix(": " + $0) } })
  }

  @Test(
    "a key that no build contains, or that Debug builds contain as a String, is not kept",
    arguments: [
      "#if DEBUG\n#if !DEBUG\nlet a = Text(\"Title\")\n#endif\n#endif", "#if false\nlet a = Text(\"Title\")\n#endif",
      "#if DEBUG\nlet a = \"Title\"\n#else\nlet a = \"no\"\n#endif", "#if FLAG\n#else\nlet a = \"Title\"\n#endif",
    ])
  func inNoRelease(source: String) throws {
    #expect(try uncertain(source, keys: ["Title"]).isEmpty)
  }

  @Test("an argument of unknown type keeps every key of the catalog that the literal can have")
  func severalKeys() throws {
    let unknown = "func f(c: Card) { _ = Text(\"\\(c.n) birds\") }"
    let known = "func g(n: Int) { _ = Text(\"\\(n) birds\") }"
    #expect(try uncertain(unknown, keys: ["%@ birds", "%lld birds", "%lld cats"]) == ["%lld birds"])
    #expect(try uncertain(unknown, keys: ["%lf birds", "%lld birds"]) == ["%lf birds"], "integers are more likely")
    #expect(try uncertain(known, keys: ["%@ birds", "%lld birds"]).isEmpty)
    #expect(try uncertain(unknown + "\n" + known, keys: ["%@ birds", "%lld birds"]).isEmpty, "both keys are in code")
  }

  @Test("a key of unknown type that another literal localizes is an ordinary string")
  func extracted() throws {
    let source = "let a = Card(\"Title\")\nlet b = Text(\"Title\")"
    #expect(try uncertain(source, keys: ["Title"]).isEmpty)
    #expect(try ExtractionFixture.found(in: "import SwiftUI\n" + source) == ["3: Title"])
  }

  @Test("an uncertain key has the site of its first literal")
  func site() throws {
    let fixture = ExtractionFixture(
      ["B.swift": "let b = Card(\"Title\")", "A.swift": "\nlet a = Card(\"Title\"), c = Card(\"Title\")"],
      keys: ["Title"])
    let site = try fixture.extract().uncertainKeys["Localizable.xcstrings"]?["Title"]
    #expect(site.map { "\($0.path):\($0.line):\($0.column)" } == "A.swift:2:14")
  }

  @Test("declaring the function makes the key certain, even if only the changed files are linked again")
  func declared() throws {
    let cache = MemoryFactCache()
    let file = "import SwiftUI\nlet a = card(\"Title\")\n"
    for (declaration, isUncertain, strings) in [
      ("", true, [String]()), ("func card(_ title: LocalizedStringKey) -> Int { 1 }", false, ["Title"]),
      ("func card(_ title: String) -> Int { 1 }", false, []), ("", true, []),
    ] {
      let fixture = ExtractionFixture(
        ["A.swift": file, "B.swift": "import SwiftUI\n" + declaration], keys: ["Title"])
      let extraction = try fixture.extract(cache: cache)
      #expect(extraction.strings.map(\.key.text) == strings, "\(declaration)")
      #expect(extraction.uncertainKeys.isEmpty == !isUncertain, "\(declaration)")
    }
  }

  @Test("literals that were linked before their target had a catalog keep the keys of a new catalog")
  func newCatalog() throws {
    let cache = MemoryFactCache()
    var fixture = ExtractionFixture(["A.swift": "let a = Card(\"Title\")"])
    let project = fixture.project
    fixture.project.catalogs.removeAll { $0.table == "Localizable" }
    fixture.project.targets[0].catalogs["Localizable"] = nil
    #expect(try fixture.extract(cache: cache).uncertainKeys.isEmpty)
    fixture = ExtractionFixture(["A.swift": "let a = Card(\"Title\")"], keys: ["Title"])
    #expect(fixture.project == project)
    #expect(try fixture.extract(cache: cache).uncertainKeys["Localizable.xcstrings"]?.keys.map(\.text) == ["Title"])
  }
}
