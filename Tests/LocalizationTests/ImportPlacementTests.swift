import Localization
import Testing

@Suite("Placement of returned files")
struct ImportPlacementTests {
  static func catalogs(_ keys: [TreePath: [String]]) -> [TreePath: Catalog] {
    Dictionary(
      uniqueKeysWithValues: keys.map { path, keys in
        (path, catalog(Dictionary(uniqueKeysWithValues: keys.map { (UnitKey($0), CatalogEntry()) }), path: path))
      })
  }

  static func file(_ original: String, _ keys: [String], language: LocaleIdentifier = "de") -> ExchangeFile {
    ExchangeFile(
      original: original, sourceLanguage: "en", targetLanguage: language,
      units: keys.map {
        ExchangeUnit(key: UnitKey($0), source: .text($0), target: ExchangeTarget(.text("x"), state: "translated"))
      })
  }

  private static let project = catalogs([
    "App/Resources/Localizable.xcstrings": ["a", "b", "c", "d", "OK"], "Kit/Localizable.xcstrings": ["e", "f", "OK"],
    "App/Menu.xcstrings": ["m"], "App/en.lproj/Old.strings": ["o", "p"],
  ])

  static let table: [(original: String, keys: [String], catalog: String?)] = [
    // The project moved the file, or another version of Xcode names it differently.
    ("App/Localizable.xcstrings", ["a", "b", "OK"], "App/Resources/Localizable.xcstrings"),
    ("Localizable.xcstrings", ["e", "f"], "Kit/Localizable.xcstrings"),
    ("App\\Resources\\Localizable.xcstrings", ["a"], "App/Resources/Localizable.xcstrings"),
    ("app/resources/localizable.xcstrings", ["a"], "App/Resources/Localizable.xcstrings"),
    // The project has switched to a String Catalog since the export, or the vendor's file is named after its language.
    ("App/en.lproj/Localizable.strings", ["a", "b", "c"], "App/Resources/Localizable.xcstrings"),
    ("App/de.lproj/Old.strings", ["o", "p"], "App/en.lproj/Old.strings"),
    // Texts that are in both catalogs select no catalog, and fewer than half of the texts are not enough.
    ("Localizable.xcstrings", ["OK"], nil), ("X/Localizable.xcstrings", ["a", "x", "y"], nil),
    ("Localizable.xcstrings", ["a", "b", "e", "f"], nil),
    // A file in another folder may be another target's table. It is matched only if it has at least half of the catalog's texts.
    ("Data/en.lproj/Localizable.strings", ["a", "b"], nil),
    ("Data/Localizable.xcstrings", ["e", "f"], "Kit/Localizable.xcstrings"),
    // A file with another name is another file, whatever it contains.
    ("App/Other.xcstrings", ["a", "b", "c"], nil), ("vendor.xliff", ["m"], nil), ("", ["m"], nil),
  ]

  @Test(
    "a file with a different path is matched by the end of its path and by its texts, and the match is reported",
    arguments: table)
  func content(original: String, keys: [String], catalog: String?) {
    let result = ImportReview(catalogs: Self.project, policy: .asXcode).review([Self.file(original, keys)])
    #expect(Set(result.catalogs.keys.map(\.text)) == Set([catalog].compactMap(\.self)))
    #expect(result.diagnostics.count == 1)
    for outcome in result.outcomes where catalog == nil {
      #expect([.unknownCatalog, .ambiguousCatalog].contains(outcome.holdReason))
    }
    if let catalog { #expect(result.diagnostics.first?.message.contains(catalog) == true) }
  }

  @Test(
    "paths are also resolved from the project's folder, and texts decide between two matches (Fred78290/caker, Xcode 26.4)",
    arguments: [
      ("Resources/L.xcstrings", ["a", "b"], ["Caker"], "Caker/Resources/L.xcstrings"),
      ("../Resources/L.xcstrings", ["a", "b"], ["Caker"], "Resources/L.xcstrings"),
      // Both catalogs have the text, so the catalog in the project's folder is used.
      ("Resources/L.xcstrings", ["both"], ["Caker"], "Caker/Resources/L.xcstrings"),
      ("Resources/L.xcstrings", ["both"], ["", "Caker"], "Resources/L.xcstrings"),
      // The bundle's paths start from the root, although the project is in a subfolder.
      ("Resources/L.xcstrings", ["c", "d"], ["Caker"], "Resources/L.xcstrings"),
      ("Resources/L.xcstrings", ["a", "b"], ["", "Caker"], "Caker/Resources/L.xcstrings"),
      ("Caker/Resources/L.xcstrings", ["a"], ["Caker"], "Caker/Resources/L.xcstrings"),
      ("Resources/L.xcstrings", ["both"], [], "Resources/L.xcstrings"),
    ] as [(String, [String], [String], String)])
  func projectFolders(original: String, keys: [String], folders: [String], catalog: String) {
    let catalogs = Self.catalogs([
      "Caker/Resources/L.xcstrings": ["a", "b", "both"], "Resources/L.xcstrings": ["a", "c", "d", "both"],
    ])
    let result = ImportReview(
      catalogs: catalogs, projectFolders: folders.map(TreePath.init(trusted:)), policy: .asXcode
    ).review([Self.file(original, keys)])
    #expect(result.catalogs.keys.map(\.text) == [catalog])
    // A match is reported if the path alone does not determine it.
    let isFirst = catalog == (folders.first.map { $0.isEmpty ? "" : $0 + "/" } ?? "") + original
    let isAsWritten = original.hasPrefix("../") || original.hasPrefix("Caker/")
    #expect(result.diagnostics.isEmpty == (isFirst || isAsWritten))
  }

  @Test(
    "among several projects, a file is matched by its texts and not by its path; without a match its units are held")
  func severalProjects() {
    let catalogs = Self.catalogs(["a/L.xcstrings": ["OK", "x"], "b/L.xcstrings": ["OK", "y", "z"]])
    let review = ImportReview(catalogs: catalogs, projectFolders: ["", "a", "b"], policy: .asXcode)
    let held = review.review([Self.file("L.xcstrings", ["OK"])])
    #expect(held.outcomes.map { $0.holdReason?.code } == ["ambiguousCatalog"] && held.catalogs.isEmpty)
    let taken = review.review([Self.file("L.xcstrings", ["y", "z"])])
    #expect(taken.catalogs.keys.map(\.text) == ["b/L.xcstrings"])
    #expect(taken.diagnostics.map(\.severity) == [.warning])
    let only = ImportReview(
      catalogs: Self.catalogs(["a/L.xcstrings": ["OK"]]), projectFolders: ["", "a", "b"], policy: .asXcode
    ).review([Self.file("L.xcstrings", ["OK"])])
    #expect(only.catalogs.keys.map(\.text) == ["a/L.xcstrings"])
    #expect(only.diagnostics.map(\.severity) == [.note])
  }

  @Test("an unreadable file is matched by its path like a readable file")
  func unreadableInFolder() {
    let fault = InputFault(Diagnostic(path: "x", line: 3, column: 5, severity: .error, message: "odd"))
    let result = ImportReview(
      catalogs: Self.catalogs(["Resources/L.xcstrings": ["a"]]), unreadable: ["Caker/Resources/L.xcstrings": fault],
      projectFolders: ["Caker"], policy: .asXcode
    ).review([Self.file("Resources/L.xcstrings", ["a"])])
    #expect(result.outcomes.map { $0.holdReason?.code } == ["unreadable"])
    #expect(result.catalogs.isEmpty)
  }

  @Test(
    "units of an unreadable catalog are held, and not matched to another catalog with the same texts",
    arguments: [
      ("Kit/Localizable.xcstrings", "unreadable"), ("Pro/Kit/Localizable.xcstrings", "unreadable"),
      ("Localizable.xcstrings", "ambiguousCatalog"), ("Old/Localizable.strings", "ambiguousCatalog"),
      ("Side/en.lproj/Old.strings", "unreadable"), ("Side/de.lproj/Old.strings", "unreadable"),
      ("App/Resources/Localizable.xcstrings", nil), ("App/de.lproj/Old.strings", nil),
    ] as [(String, String?)])
  func unreadable(original: String, code: String?) {
    let catalogs = Self.catalogs([
      "App/Resources/Localizable.xcstrings": ["a", "b", "c"], "App/en.lproj/Old.strings": ["a", "b", "c"],
    ])
    let fault = InputFault(Diagnostic(path: "x", line: 3, column: 5, severity: .error, message: "odd"))
    let result = ImportReview(
      catalogs: catalogs, unreadable: ["Kit/Localizable.xcstrings": fault, "Side/en.lproj/Old.strings": fault],
      policy: .asXcode
    ).review([Self.file(original, ["a", "b"])])
    #expect(result.outcomes.map { $0.holdReason?.code } == [code, code])
    #expect(result.catalogs.isEmpty == (code != nil))
    if code == "unreadable" {
      #expect(result.outcomes.map(\.holdReason) == [.unreadable("x:3:5: odd"), .unreadable("x:3:5: odd")])
    }
  }

  @Test(
    "a catalog can also be identified by its interface file",
    arguments: [
      ("App/Base.lproj/Main.xib", "App/mul.lproj/Main.xcstrings"),
      ("Base.lproj/Main.storyboard", "App/mul.lproj/Main.xcstrings"),
      ("App/Base.lproj/Side.xib", "App/Side.xcstrings"),
    ])
  func interface(original: String, catalog: String) {
    let catalogs = Self.catalogs(["App/mul.lproj/Main.xcstrings": ["a"], "App/Side.xcstrings": ["a"]])
    let result = ImportReview(catalogs: catalogs, policy: .asXcode).review([Self.file(original, ["a"])])
    #expect(result.catalogs.keys.map(\.text) == [catalog])
  }

  @Test("characters that XML cannot represent are preserved in keys, sources and translations")
  func carried() {
    let entry = CatalogEntry(translations: ["en": Translation("a\u{3}"), "de": Translation("b\u{1}")])
    let catalogs: [TreePath: Catalog] = ["A.xcstrings": catalog(["k\u{2}": entry], path: "A.xcstrings")]
    let units = { (target: String) in
      ImportReview(catalogs: catalogs, policy: .asXcode).review([
        ExchangeFile(
          original: "A.xcstrings", sourceLanguage: "en", targetLanguage: "de",
          units: [
            ExchangeUnit(
              key: "k\u{FFFD}", source: .text("a\u{FFFD}"), target: ExchangeTarget(.text(target), state: "translated"))
          ])
      ]).outcomes.map(\.verdict)
    }
    #expect(units("b\u{FFFD}") == [.unchanged])
    #expect(units("c") == [.taken])
  }

  @Test("a format that cannot mark untranslated texts gets no source texts as translations, except texts without words")
  func stateless() {
    let source = substituted("%#@birds@", "birds", ["one": "%arg bird", "other": "%arg birds"])
    let path: TreePath = "App/en.lproj/L.stringsdict"
    let catalogs = [path: catalog(["k": CatalogEntry(translations: ["en": source])], path: path)]
    let verdicts = { (categories: [String]) in
      ImportReview(catalogs: catalogs, policy: .asXcode).review([
        ExchangeFile(
          original: path.text, sourceLanguage: "en", targetLanguage: "de",
          units: categories.map {
            ExchangeUnit(
              key: "k", path: [.substitution("birds"), .plural(PluralCategory(rawValue: $0))],
              source: .text($0 == "one" ? "%1$lld bird" : "%1$lld birds"), target: ExchangeTarget(.text("%1$lld x")))
          })
      ])
    }
    #expect(verdicts(["one", "other"]).outcomes.map(\.verdict) == [.taken, .taken])
    #expect(verdicts(["one", "other"]).filled.map(\.path) == [.root])
    #expect(
      verdicts(["one"]).outcomes.map(\.verdict) == [.held(.missingPluralCase(["substitutions.birds.plural.other"]))])
  }

  @Test(
    "a broken format is not replaced by the source's format, and its forms are held with it", arguments: [true, false])
  func brokenFormat(isRound: Bool) {
    let source = substituted("%#@birds@", "birds", ["one": "%arg bird", "other": "%arg birds"])
    let path: TreePath = "App/en.lproj/L.stringsdict"
    let catalogs = [path: catalog(["k": CatalogEntry(translations: ["en": source])], path: path)]
    func verdicts(_ format: String) -> [Verdict] {
      let forms = ["one", "other"].map { category in
        ExchangeUnit(
          key: "k", path: [.substitution("birds"), .plural(PluralCategory(rawValue: category))],
          source: .text(category == "one" ? "%1$lld bird" : "%1$lld birds"), target: ExchangeTarget(.text("%1$lld x")))
      }
      let root = ExchangeUnit(
        key: "k", path: .root, source: .text("%1$#@birds@"), target: ExchangeTarget(.text(format)))
      return ImportReview(catalogs: catalogs, policy: isRound ? .unattended : .asXcode).review([
        ExchangeFile(original: path.text, sourceLanguage: "en", targetLanguage: "de", units: [root] + forms)
      ]).outcomes.map(\.verdict)
    }
    let broken = verdicts("Kaputt")
    #expect(broken.dropFirst() == [.held(.missingForm([""])), .held(.missingForm([""]))])
    if case .held(.placeholdersDiffer) = broken[0] {} else { Issue.record("\(broken)") }
    #expect(verdicts("Gut: %1$#@birds@") == [.taken, .taken, .taken])
    #expect(verdicts("") == [.held(.emptyTarget), .taken, .taken])
  }

  @Test("the project's spelling of a language is used and reported")
  func language() {
    let result = ImportReview(catalogs: Self.project, projectLanguages: ["zh-Hans"], policy: .asXcode).review([
      Self.file("App/Menu.xcstrings", ["m"], language: "zh_CN")
    ])
    #expect(result.catalogs["App/Menu.xcstrings"]?.entries["m"]?.translations.keys.map(\.rawValue) == ["zh-Hans"])
    #expect(result.outcomes.map(\.language) == ["zh-Hans"])
    #expect(result.diagnostics.map(\.message) == ["“zh_CN” is imported as the project's “zh-Hans”"])
  }

  @Test(
    "a variant of the project's language is held, and is added or mapped on request",
    arguments: [
      ([], nil, "otherVariant"), (["pt-PT"], "pt-PT", nil), (["pt_PT=pt"], "pt", nil),
      (["pt-BR=pt"], nil, "otherVariant"),
      (["PT_pt=pt_PT"], "pt-PT", nil),
    ] as [([String], String?, String?)])
  func variant(said: [String], language: String?, code: String?) throws {
    var meanings = LanguageMeanings()
    for text in said { try meanings.add(text) }
    let result = ImportReview(
      catalogs: Self.project, projectLanguages: ["pt"], meanings: meanings, policy: .asXcode
    ).review([Self.file("App/Menu.xcstrings", ["m"], language: "pt-PT")])
    let languages = result.catalogs["App/Menu.xcstrings"]?.entries["m"]?.translations.keys.map(\.rawValue)
    #expect(languages == language.map { [$0] })
    #expect(result.outcomes.map { $0.holdReason?.code } == [code])
    #expect(result.diagnostics.isEmpty == (code == nil))
  }

  @Test("in a round, variants of the requested languages and other languages are held")
  func allowed() {
    let verdicts = { (language: LocaleIdentifier) in
      ImportReview(catalogs: Self.project, languages: ["pt", "zh-Hans"]).review([
        Self.file("App/Menu.xcstrings", ["m"], language: language)
      ]).outcomes.map(\.holdReason)
    }
    #expect(verdicts("pt-PT") == [.otherVariant(["pt"])])
    let unknown = HoldReason.unknownLanguage(["pt", "zh-Hans"])
    #expect(verdicts("fr") == [unknown] && verdicts("zh-Hant") == [unknown])
    #expect(unknown.sentence.contains("(pt, zh-Hans)"))
    #expect(verdicts("zh_CN") == [nil])
  }

  @Test("invalid languages are refused", arguments: ["", "=", "pt-PT=", "=pt", "Base", "a=b=c", "../x", "de=mul"])
  func meanings(text: String) {
    var meanings = LanguageMeanings()
    #expect(throws: LanguageMeanings.Refusal.malformed) { try meanings.add(text) }
  }

  @Test("translations that a format refuses are held, and the others are imported")
  func refused() throws {
    let keys = (0..<100).map { "k\($0)" }
    let catalogs = Self.catalogs(["A.xcstrings": keys])
    let original = try #require(catalogs["A.xcstrings"])
    var result = ImportReview(catalogs: catalogs, policy: .asXcode).review([Self.file("A.xcstrings", keys)])
    var attempts = 0
    result.holdRefused(in: "A.xcstrings", original: original) { (catalog) throws(InputFault) in
      attempts += 1
      for key in ["k7", "k70"] as [UnitKey] where catalog.entries[key]?.translations["de"] != nil {
        throw InputFault(Diagnostic(path: "A.xcstrings", severity: .error, message: "no \(key)"))
      }
    }
    #expect(attempts < 40)
    let held = result.outcomes.filter { $0.verdict != .taken }
    #expect(held.map(\.unit.key) == ["k7", "k70"])
    #expect(held.map(\.verdict) == [.held(.notWritable("no k7")), .held(.notWritable("no k70"))])
    #expect(result.catalogs["A.xcstrings"]?.entries.values.count { $0.translations["de"] != nil } == 98)
    result.holdRefused(in: "A.xcstrings", original: original) { (_) throws(InputFault) in
      throw InputFault(Diagnostic(path: "A.xcstrings", severity: .error, message: "nothing"))
    }
    #expect(result.catalogs.isEmpty && result.outcomes.allSatisfy { $0.verdict != .taken })
  }
}
