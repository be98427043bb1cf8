import Localization
import StringExtraction
import Testing

/// The explanations that `extract --why` prints.
@Suite("Why a literal is or is not a key")
struct KeyExplanationTests {
  private static let files: [String: String] = [
    "App/View.swift": """
    import SwiftUI
    func row(_ title: String) {}
    func view(count: Int) {
      let a = Text("Birds")
      row("Birds")
      let b = Text("\\(count) birds")
      let c = Text("Hidden", tableName: "Settings")
      let d = String(localized: "welcome", defaultValue: "Welcome, friend")
      row("Row of birds")
      row("Row \\(count)")
      Card("Carded")
      let e = Text("Two\\nlines, \\"\\u{e9}\\"")
    }
    #Preview { Text("Previewed") }
    """,
    "Tests/ViewTests.swift": "import SwiftUI\nlet test = Text(\"Birds\")\nlet name = \"Tested\"\n",
    "Scripts/tool.swift": "print(\"Birds\")\n",
  ]

  private func entry(_ path: String) -> TreeEntry { TreeEntry(path: TreePath(trusted: path), kind: .file) }

  /// Explains a key.
  /// - Parameter entries: the entries of the catalog; `nil` if extraction does not read the catalog, such as a `.strings` file.
  private func ask(_ key: String, entries: [UnitKey: CatalogEntry]? = [:]) throws -> KeyExplanation {
    let catalog: TreePath = "App/Localizable.xcstrings"
    let app = ProjectTarget(
      id: TargetID(rawValue: "App"), name: "App", kind: .folder, folder: "App", swiftSources: [entry("App/View.swift")],
      resourceFolder: "App", catalogs: ["Localizable": catalog])
    let tests = ProjectTarget(
      id: TargetID(rawValue: "AppTests"), name: "AppTests", kind: .folder, folder: "Tests",
      swiftSources: [entry("Tests/ViewTests.swift")], resourceFolder: "Tests", feedsCatalogs: false)
    let project = ProjectDescription(
      sourceLanguage: "en", targets: [app, tests],
      catalogs: [ProjectCatalog(path: catalog, table: "Localizable", sourceLanguage: "en", targets: [app.id])])
    let tree = InMemoryTree(texts: Self.files)
    let existing = entries.map { [catalog: Catalog(path: catalog, sourceLanguage: "en", entries: $0)] } ?? [:]
    let extraction = try SourceStringExtractor().extract(
      project, from: tree, existing: existing, options: ExtractionOptions(), cache: nil)
    return try KeyExplanation(
      key, in: project, from: tree, existing: existing, extraction: extraction, options: ExtractionOptions(),
      cache: nil)
  }

  @Test(
    "each literal with the text is explained: extracted, of another type, in a target without catalogs, or not built")
  func sites() throws {
    let explanation = try ask("Birds")
    #expect(
      explanation.sites.map { "\($0.path):\($0.line)" } == [
        "App/View.swift:4", "App/View.swift:5", "Scripts/tool.swift:1", "Tests/ViewTests.swift:2",
      ])
    #expect(explanation.sites.map { $0.strings.map(\.catalog) } == [["App/Localizable.xcstrings"], [], [], []])
    #expect(explanation.sites[0].strings.first?.hasCatalog == true)
    #expect(explanation.sites[1].reason.contains("String"))
    #expect(explanation.sites[2].reason.contains("no known target"))
    #expect(explanation.sites[3].reason.contains("target AppTests"))
    #expect(explanation.nearMisses.isEmpty)
  }

  @Test("a key is found by its literal with interpolations, and by its default value")
  func byKey() throws {
    let interpolated = try ask("%lld birds")
    #expect(interpolated.sites.map(\.line) == [6])
    #expect(interpolated.sites.first?.strings.map(\.key) == ["%lld birds"])
    #expect(try ask("Welcome, friend").sites.flatMap(\.strings).map(\.key) == ["welcome"])
  }

  @Test(
    "a text that is copied from code is found: its interpolations have any contents, and its escapes are read",
    arguments: [
      (#"\(…) birds"#, 6), (#"\(count) birds"#, 6), (#"\(names.joined(separator: "\(a)) (")) birds"#, 6),
      (##"\#(count) birds"##, 6), (#"Two\nlines, \"\u{e9}\""#, 12), ("Two\nlines, \"\u{e9}\"", 12),
    ])
  func copied(text: String, line: Int) throws {
    let explanation = try ask(text)
    #expect(explanation.sites.map(\.line) == [line] && explanation.sites.allSatisfy { !$0.strings.isEmpty })
    #expect(explanation.key == text)
  }

  @Test("the contents of interpolations do not matter for similar texts, and an interpolation without an end is text")
  func similarInterpolation() throws {
    #expect(try ask(#"\(count) Birds"#).nearMisses.map(\.difference) == ["other case"])
    let open = try ask(#"\(count birds"#)
    #expect(open.sites.isEmpty && open.nearMisses.isEmpty)
  }

  @Test("a key used by a literal of unknown type is explained by the literal and by the catalog that keeps the key")
  func uncertain() throws {
    let explanation = try ask("Carded", entries: ["Carded": CatalogEntry()])
    #expect(explanation.sites.map(\.line) == [11] && explanation.sites.allSatisfy(\.strings.isEmpty))
    #expect(
      explanation.holdings.map { $0.uncertain?.description } == [
        "App/View.swift:11:8: note: this literal may be localized: a declaration that decides it is not in the repository"
      ])
    #expect(try ask("By hand", entries: ["By hand": CatalogEntry()]).holdings.map(\.uncertain) == [nil])
  }

  @Test("a table without a catalog is reported")
  func noCatalog() throws {
    let taken = try #require(try ask("Hidden").sites.first?.strings.first)
    #expect(taken.catalog == "App/Settings.xcstrings")
    #expect(!taken.hasCatalog)
    #expect(try ask("Birds", entries: nil).sites[0].strings.map(\.hasCatalog) == [true])
  }

  @Test("similar literals that are not extracted are found in every kind of target and position")
  func rejected() throws {
    // The literals are an argument of type String, a text in tests, a text with an interpolation, and a text in a preview.
    for (key, text, path) in [
      ("row  of birds", "Row of birds", "App/View.swift"), ("tested", "Tested", "Tests/ViewTests.swift"),
      ("row %lld", "Row \\(…)", "App/View.swift"), ("previewed", "Previewed", "App/View.swift"),
    ] {
      let explanation = try ask(key)
      #expect(explanation.sites.isEmpty)
      #expect(explanation.nearMisses.map(\.text) == [text])
      #expect(explanation.nearMisses.map(\.place.path.text) == [path])
    }
  }

  @Test("a text that is in no source is explained by the catalogs that contain it and by similar texts")
  func nowhere() throws {
    let held = try ask("By hand", entries: ["By hand": CatalogEntry(extractionState: .manual)])
    #expect(held.sites.isEmpty)
    #expect(held.holdings.map(\.state) == [.manual])
    for (key, text, difference) in [
      ("%@ birds", "%lld birds", "other specifiers"), ("birds", "Birds", "other case"),
      ("Welcome,  friend", "Welcome, friend", "other spaces or marks"),
    ] {
      let near = try ask(key).nearMisses
      #expect(near.map(\.text) == [text])
      #expect(near.map(\.difference) == [difference])
    }
    let nothing = try ask("nothing like it")
    #expect(nothing.sites.isEmpty && nothing.holdings.isEmpty && nothing.nearMisses.isEmpty)
  }
}
