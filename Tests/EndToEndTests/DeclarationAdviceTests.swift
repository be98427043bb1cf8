import Daemon
import Localization
import Testing
import Workspace

/// The rules of `check` about declarations: maximum lengths in comments, terms in glossaries, and the bundles of other targets.
struct DeclarationAdviceTests {
  @Test("maximum lengths and fixed names are read from comments, written as marks or in words")
  func declarations() {
    let lengths: [(String, Int?)] = [
      ("dragoman:max-length 20", 20), ("Title of the list\ndragoman:max-length: 8", 8), ("At most 30 characters", 30),
      ("max. 12 chars", 12), ("Maximum length is 40 characters.", 40), ("25 characters max", 25),
      ("Limit: 10 characters; max 8 characters", 8), ("Shown to 3 characters of the game", nil), ("Button", nil),
      ("dragoman:max-length 0", nil), ("dragoman:max-length 99999999999999999999", nil), ("max 20 pixels", nil),
      ("dragoman:max-length 20\nmax 15 characters", 15),
    ]
    for (comment, length) in lengths {
      #expect(DeclaredLimits(comment: comment).maxLength == length, "\(comment)")
    }
    #expect(DeclaredLimits(comment: "dragoman:keep Swift Package, Xcode").kept == ["Swift Package", "Xcode"])
    #expect(DeclaredLimits.length(of: "%1$@: 100 %% done") == 12)
    // The text has direction marks around a number.
    #expect(DeclaredLimits.length(of: "\u{200E}99+\u{200F}") == 3)
  }

  @Test("length-exceeded counts characters without placeholders, in the source text and in every form")
  func length() throws {
    let findings = try AdviceTests.advice(
      catalog: [
        "Notify": "\"comment\" : \"dragoman:max-length 10\", "
          + AdviceTests.texts([
            "de": AdviceTests.unit("Benachrichtigung"), "fr": AdviceTests.unit("Avertir"),
            "it": AdviceTests.unit("Notificazione", "new"), "ja": AdviceTests.unit("👨‍👩‍👧‍👦👨‍👩‍👧‍👦"),
          ]),
        "Hello, %@": "\"comment\" : \"max 8 characters\", " + AdviceTests.texts(["de": AdviceTests.unit("Hallo, %@")]),
        "Far too long": "\"comment\" : \"max 8 characters\", \"extractionState\" : \"manual\"",
        "No limit at all": AdviceTests.texts(["de": AdviceTests.unit("Überhaupt keine Grenze")]),
      ], rule: "length-exceeded"
    ).findings
    #expect(findings.map { "\($0.key) \($0.language?.rawValue ?? "")" }.sorted() == ["Far too long ", "Notify de"])
    #expect(findings.contains { $0.message.contains("has 16 characters, but its comment allows 10") })
  }

  @Test("term-not-used reports missing glossary terms and missing names that a comment protects")
  func terms() throws {
    let files = [
      "Package.swift": AdviceTests.manifest, "Sources/Kit/Kit.swift": "import Foundation\n",
      "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([
        "Made with Swift": "\"comment\" : \"dragoman:keep Swift\", "
          + AdviceTests.texts([
            "de": AdviceTests.unit("Mit Mauersegler gemacht"), "fr": AdviceTests.unit("Fait avec Swift"),
          ]),
        "Open the folder": AdviceTests.texts([
          "de": AdviceTests.unit("Verzeichnis öffnen"), "fr": AdviceTests.unit("Ouvrir le dossier"),
        ]),
        "Swift runs": AdviceTests.texts(["de": AdviceTests.unit("Mauersegler laufen")]),
      ]),
    ]
    var snapshot = try ProjectSnapshot(InMemoryTree(texts: files), for: .comparison, with: .standard())
    try snapshot.extract(ExtractionOptions())
    let rules = AdviceRule.all.filter { $0.id == "term-not-used" }
    let plain = try Advice(on: snapshot, rules: rules).findings
    #expect(plain.map { "\($0.key) \($0.language?.rawValue ?? "")" } == ["Made with Swift de"])
    let check = TermCheck(["de": [TermCheck.Term(source: "folder", targets: ["Ordner"])]])
    let given = try Advice(on: snapshot, rules: rules, terms: { $0 == "en" ? check : TermCheck() }).findings
    #expect(given.map(\.key.text).sorted() == ["Made with Swift", "Open the folder"])
    #expect(given.contains { $0.message.contains("“folder” should be “Ordner”") })
  }

  @Test("module-of-other-target reports a text whose translations are in another target of the package")
  func module() throws {
    let manifest = """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [
        .target(name: "Kit", resources: [.process("Resources")]),
        .target(name: "Views", dependencies: ["Kit"], resources: [.process("Resources")]),
      ])
      """
    let findings = try AdviceTests.advice(
      [
        "Package.swift": manifest,
        "Sources/Kit/Kit.swift": "import Foundation\nlet a = String(localized: \"Kept\", bundle: .module)\n",
        "Sources/Kit/Resources/Localizable.xcstrings": AdviceTests.catalog([
          "Kept": AdviceTests.texts(["de": AdviceTests.unit("Behalten")]),
          "Moved": AdviceTests.texts(["de": AdviceTests.unit("Verschoben")]),
          "Both": AdviceTests.texts(["de": AdviceTests.unit("Beide")]), "Bare": "\"extractionState\" : \"manual\"",
        ]),
        "Sources/Views/Views.swift": """
        import Foundation
        let b = String(localized: "Moved", bundle: .module)
        let c = String(localized: "Both", bundle: .module)
        let d = String(localized: "Bare", bundle: .module)
        let e = String(localized: "New", bundle: .module)
        """,
        "Sources/Views/Resources/Localizable.xcstrings": AdviceTests.catalog([
          "Both": AdviceTests.texts(["de": AdviceTests.unit("Beide")])
        ]),
      ], rules: ["module-of-other-target"]
    ).findings
    #expect(findings.map(\.key.text) == ["Moved"])
    #expect(findings.first?.path == "Sources/Views/Views.swift" && findings.first?.line == 2)
  }

  @Test("comments of extreme length declare no limit")
  func hostile() {
    for comment in [
      String(repeating: "max 9", count: 300_000), String(repeating: "dragoman:keep ,", count: 4000),
      String(repeating: "9", count: 60_000) + " characters max",
    ] {
      #expect(DeclaredLimits(comment: comment).maxLength == nil)
    }
  }
}
