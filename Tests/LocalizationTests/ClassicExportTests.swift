import Localization
import Testing

@Suite struct ClassicExportTests {
  private static func strings(_ entries: [(UnitKey, CatalogEntry)]) -> Catalog {
    Catalog(
      path: "App/en.lproj/Localizable.strings", sourceLanguage: "en",
      entries: Dictionary(entries, uniquingKeysWith: { $1 }))
  }

  private static func code(
    _ key: UnitKey, value: String? = nil, comment: String? = nil, isInterpolated: Bool = false,
    origin: StringOrigin = .swift
  ) -> ExtractedString {
    ExtractedString(
      catalog: "App/en.lproj/Localizable.strings", table: "Localizable", key: key, value: value, comment: comment,
      origin: origin, hasInterpolation: isInterpolated)
  }

  @Test(
    "a unit of a table has the file's text and comment; its target has no state; what only a translation has is none")
  func units() {
    let catalog = Self.strings([
      ("a", CatalogEntry(comment: "c", translations: ["en": Translation("A"), "de": Translation("Ä")])),
      ("b", CatalogEntry(translations: ["en": Translation("B")])),
      ("gone", CatalogEntry(translations: ["de": Translation("Weg")])),
    ])
    #expect(
      ClassicExport.units(of: catalog, for: "de") == [
        ExchangeUnit(key: "a", source: .text("A"), target: ExchangeTarget(.text("Ä")), note: "c"),
        ExchangeUnit(key: "b", source: .text("B")),
      ])
    #expect(
      ClassicExport.units(of: catalog, for: "en").map(\.target) == [
        ExchangeTarget(.text("A")), ExchangeTarget(.text("B")),
      ])
  }

  @Test("a key that the .stringsdict has, too, is marked since Xcode 15, and gives it its comment")
  func twins() {
    var catalog = Self.strings([
      ("n", CatalogEntry(comment: "c", translations: ["en": Translation("N")])),
      ("m", CatalogEntry(translations: ["en": Translation("M")])),
    ])
    for key in catalog.entries.keys { catalog.entries[key]?.shouldTranslate = false }
    let units = ClassicExport.units(of: catalog, for: "de", dialect: ExportDialect(version: "15.0"))
    #expect(units.map(\.isTranslatable) == [false, false])
    #expect(units.map(\.note) == [" (Key in .stringsdict)", "c (Key in .stringsdict)"])
    let old = ClassicExport.units(of: catalog, for: "de", dialect: ExportDialect(version: "13.1"))
    #expect(old.map(\.isTranslatable) == [true, true])
    #expect(old.map(\.note) == [nil, "c"])
  }

  @Test(
    "plural rules are completed for the language, keep an explicit zero, and their texts stay as they stand (xcode-formats.md B3)"
  )
  func rules() {
    func forms(_ texts: [PluralCategory: String]) -> Translation {
      Translation(
        text: .text(StringUnit(state: .translated, value: "%#@n@ %arg")),
        substitutions: [
          "n": Substitution(
            argumentNumber: nil, formatSpecifier: "d",
            forms: .plural(texts.mapValues { .text(StringUnit(state: .translated, value: $0)) }))
        ])
    }
    let catalog = Catalog(
      path: "App/en.lproj/L.stringsdict", sourceLanguage: "en",
      entries: [
        "K": CatalogEntry(translations: [
          "en": forms([.zero: "none", .one: "%d bird", .other: "%d birds"]), "ja": forms([.other: "%d羽"]),
        ])
      ])
    func rows(_ language: LocaleIdentifier) -> [String] {
      ClassicExport.units(of: catalog, for: language).map { unit in
        func text(_ words: ExchangeText?) -> String { if case .text(let text)? = words { text } else { "-" } }
        return "\(unit.path.text)|\(text(unit.source))|\(text(unit.target?.text))"
      }
    }
    #expect(
      rows("ja") == [
        "|%#@n@ %arg|%#@n@ %arg", "substitutions.n.plural.zero|none|-",
        "substitutions.n.plural.other|%d birds|%d羽",
      ])
    #expect(
      rows("ru") == [
        "|%#@n@ %arg|-", "substitutions.n.plural.zero|none|-", "substitutions.n.plural.one|%d bird|-",
        "substitutions.n.plural.few|%d birds|-", "substitutions.n.plural.many|%d birds|-",
        "substitutions.n.plural.other|%d birds|-",
      ])
    #expect(rows("en").allSatisfy { !$0.hasSuffix("|-") })
  }

  @Test(
    "keys of code join the table: the file's text and comment stay, several C formats are numbered, interpolations not")
  func adding() {
    let file = Self.strings([
      ("a", CatalogEntry(comment: "file", translations: ["en": Translation("A")])),
      ("b", CatalogEntry(translations: ["en": Translation("B")])),
    ])
    let found = [
      Self.code("a", value: "other", comment: "code"), Self.code("b", comment: "code"), Self.code("b2"),
      Self.code("%@ of %@"), Self.code("%@ in %@", isInterpolated: true), Self.code("v", value: "V", comment: "1\n2"),
      Self.code("CFBundleName", value: "App", origin: .infoPlist), Self.code(""), Self.code("t", comment: " c \n"),
    ]
    let entries = ClassicExport.adding(found, to: file).entries
    func text(_ key: UnitKey) -> ExchangeText? { entries[key]?.translations["en"]?[.root]?.words }
    #expect(text("a") == .text("A"))
    #expect(text("b2") == .text("b2"))
    #expect(text("%@ of %@") == .text("%1$@ of %2$@"))
    #expect(text("%@ in %@") == .text("%@ in %@"))
    #expect(text("v") == .text("V"))
    #expect(entries[""] == nil)
    #expect(entries["t"]?.comment == "c")
    #expect(
      ["a", "b", "b2", "v", "CFBundleName"].map { entries[$0]?.comment } == [
        "file", "code", "No comment provided by engineer.", "1\n2", nil,
      ])
    let made = ClassicExport.newCatalog(
      at: "App/Localizable.xcstrings", in: "en", of: [Self.code("%@ of %@"), Self.code("x")])
    #expect(made.entries["%@ of %@"]?.translations["en"]?[.root]?.words == .text("%1$@ of %2$@"))
    #expect(made.entries["x"] == CatalogEntry())
  }

  @Test(
    "the id of a form of a .stringsdict is the way through the property list, and is read back",
    arguments: [
      ("%d Items", [], "/%d Items:dict/NSStringLocalizedFormatKey:dict/:string"),
      ("K", [.substitution("n"), .plural(.few)], "/K:dict/n:dict/few:dict/:string"),
      ("a:dict/b", [.substitution("n"), .plural(.one)], "/a:dict/b:dict/n:dict/one:dict/:string"),
      ("", [], "/:dict/NSStringLocalizedFormatKey:dict/:string"),
      ("K", [.device(Device(rawValue: "mac"))], "/K:dict/NSStringDeviceSpecificRuleType:dict/mac:dict/:string"),
    ] as [(UnitKey, [VariationStep], String)])
  func identifiers(key: UnitKey, steps: [VariationStep], id: String) throws {
    #expect(ExchangeIdentifier.rulesText(key: key, path: VariationPath(steps)) == id)
    let read = try #require(ExchangeIdentifier.parseRules(id))
    #expect(read.key == key)
    #expect(read.path.steps == steps)
  }

  @Test(
    "what is no such id is a key as it stands",
    arguments: ["K", "/K", "/K:dict/:string", "K:dict/n:dict/one:dict/:string", ""])
  func otherIdentifiers(id: String) {
    #expect(ExchangeIdentifier.parse(id, in: "en.lproj/L.stringsdict") == (UnitKey(id), .root))
  }
}

@Suite struct ExportDialectTests {
  private static let unit = ExchangeUnit(
    key: "k", source: .text("k"),
    target: ExchangeTarget(.text("t"), state: "translated", stateQualifier: "leveraged-mt"),
    note: "n", isNoteAutoGenerated: true, isTranslatable: false)

  private static func rendered(_ version: String, state: String = "translated", isSource: Bool = false) -> ExchangeUnit
  {
    var unit = unit
    if state != "translated" { unit.target = ExchangeTarget(.text("t"), state: state) }
    return ExportDialect(version: version).rendering(unit, isSource: isSource)
  }

  @Test("each version says what it knows (xcode-formats.md C)")
  func versions() {
    #expect(Self.rendered("27.0") == Self.unit)
    #expect(Self.rendered("beta") == Self.unit)
    let autumn = Self.rendered("26.5")
    #expect(autumn.isNoteAutoGenerated && !autumn.isTranslatable)
    #expect(autumn.target == ExchangeTarget(.text("t"), state: "needs-review-l10n"))
    let sixteen = Self.rendered("16.2")
    #expect(!sixteen.isNoteAutoGenerated && !sixteen.isTranslatable && sixteen.target?.state == "needs-review-l10n")
    #expect(Self.rendered("15.0").target?.state == "needs-review-l10n")
    #expect(Self.rendered("14.2").target == nil)
    #expect(Self.rendered("14.2").isTranslatable)
    #expect(Self.rendered("14.2", state: "new", isSource: true).target == ExchangeTarget(.text("t")))
    #expect(Self.rendered("14.2", state: "new").target == nil)
    #expect(
      ["16.4", "26.3", "26.5", "27.0"].map { ExportDialect(version: $0).newCatalogVersion } == [
        "1.0", "1.1", "1.2", "1.2",
      ])
    #expect(ExportDialect(version: "16.4").namesInterfaces && !ExportDialect(version: "26.0").namesInterfaces)
  }
}

@Suite struct ExportPlacesTests {
  private static func target(
    _ name: String, folders: [TreePath], prefersCatalogs: Bool = true, infoPlist: String? = "InfoPlist",
    file: TreePath? = nil, own: [String: TreePath] = [:], translated: [String: [LocaleIdentifier: TreePath]] = [:]
  ) -> ProjectTarget {
    var target = ProjectTarget(
      id: TargetID(rawValue: name), name: name, kind: .xcode(project: "A.xcodeproj/project.pbxproj"), folder: "App",
      resourceFolder: "App", feedsCatalogs: false)
    target.places = TablePlaces(
      folders: folders, language: "en-US", prefersCatalogs: prefersCatalogs, infoPlist: infoPlist, infoPlistFile: file,
      own: own, translated: translated)
    return target
  }

  private static func tables(_ targets: [ProjectTarget], _ catalogs: [ProjectCatalog] = []) -> [String: [String:
    TreePath]]
  {
    let project = ProjectDescription(sourceLanguage: "en-US", targets: targets, catalogs: catalogs).forExport()
    return Dictionary(uniqueKeysWithValues: project.targets.map { ($0.name, $0.catalogs) })
  }

  @Test(
    "a table that is taken goes to the next folder of the target, then to Resources, Resources 1, … (damus, Xcode 26.3)"
  )
  func damus() {
    let own: [String: TreePath] = ["Localizable": "damus/en-US.lproj/Localizable.strings"]
    let found = Self.tables(
      [
        Self.target("ShareExtension", folders: ["damus"]),
        Self.target("Highlighter", folders: ["damus", "highlighter"], own: own),
        Self.target("DamusService", folders: ["damus", "DamusService"], own: own),
        Self.target(
          "damus", folders: ["damus"], prefersCatalogs: false, own: own,
          translated: ["InfoPlist": ["de": "damus/de.lproj/InfoPlist.strings"]]),
        Self.target("x", folders: ["damus"]),
      ],
      [
        ProjectCatalog(
          path: "damus/en-US.lproj/Localizable.strings", table: "Localizable", sourceLanguage: "en-US", targets: [])
      ])
    #expect(found["DamusService"]?["InfoPlist"] == "damus/InfoPlist.xcstrings")
    #expect(found["Highlighter"]?["InfoPlist"] == "highlighter/InfoPlist.xcstrings")
    #expect(found["ShareExtension"]?["InfoPlist"] == "damus/Resources/InfoPlist.xcstrings")
    #expect(found["ShareExtension"]?["Localizable"] == "damus/Resources/Localizable.xcstrings")
    #expect(found["damus"]?["InfoPlist"] == "damus/en-US.lproj/InfoPlist.strings")
    #expect(found["damus"]?["Localizable"] == "damus/en-US.lproj/Localizable.strings")
    #expect(found["x"]?["Localizable"] == "damus/Resources 1/Localizable.xcstrings")
  }

  @Test(
    """
    Localizable is looked for where the table of the Info.plist went, beside a .strings file of another target's, too (damus, Xcode 16.4; \
    Fred78290/caker, 26.4)
    """)
  func sequence() {
    let own: [String: TreePath] = ["Localizable": "damus/en-US.lproj/Localizable.strings"]
    let strings = ProjectCatalog(
      path: "damus/en-US.lproj/Localizable.strings", table: "Localizable", sourceLanguage: "en-US", targets: [])
    let first = Self.tables(
      [Self.target("AShare", folders: ["damus"]), Self.target("Service", folders: ["damus"], own: own)], [strings])
    #expect(
      first["AShare"] == ["InfoPlist": "damus/InfoPlist.xcstrings", "Localizable": "damus/Localizable.xcstrings"])
    #expect(first["Service"]?["InfoPlist"] == "damus/Resources/InfoPlist.xcstrings")
    let tools = Self.tables([
      Self.target("A", folders: ["Caker"], infoPlist: nil), Self.target("B", folders: ["Caker"], infoPlist: nil),
      Self.target("C", folders: ["Caker"]),
    ])
    #expect(tools["B"]?["Localizable"] == "Caker/Resources/Localizable.xcstrings")
    #expect(
      tools["C"] == [
        "InfoPlist": "Caker/InfoPlist.xcstrings", "Localizable": "Caker/Resources 1/Localizable.xcstrings",
      ])
  }

  @Test("what LOCALIZATION_EXPORT_SUPPORTED keeps from exports gives no strings, and no catalog of its own")
  func unsupported() {
    var kept = Self.target("Direct", folders: ["App"])
    kept.configurations = [
      BuildConfiguration(
        name: "Debug",
        settings: [
          "LOCALIZATION_EXPORT_SUPPORTED": BuildSetting(
            value: "NO", path: "A.xcodeproj/project.pbxproj", line: 1, column: 1)
        ])
    ]
    func catalog(_ path: TreePath, _ targets: String...) -> ProjectCatalog {
      ProjectCatalog(path: path, table: "L", sourceLanguage: "en", targets: targets.map(TargetID.init(rawValue:)))
    }
    let project = ProjectDescription(
      sourceLanguage: "en-US", targets: [kept, Self.target("App", folders: ["App"])],
      catalogs: [catalog("a.xcstrings", "App", "Direct"), catalog("b.xcstrings", "Direct"), catalog("c.xcstrings")]
    ).forExport()
    #expect(project.catalogs.map(\.path) == ["a.xcstrings", "c.xcstrings"])
    #expect(project.targets.map(\.feedsCatalogs) == [false, true])
    #expect(project.targets[0].catalogs.isEmpty)
    #expect(project.targets[1].catalogs["Localizable"] == "App/Localizable.xcstrings")
  }

  @Test("beside projects a package counts only where one of their targets needs it")
  func packages() {
    func package(_ name: String) -> ProjectTarget {
      var target = ProjectTarget(
        id: TargetID(rawValue: name), name: name, kind: .package(manifest: "Kit/Package.swift"), folder: "Kit",
        resourceFolder: "Kit", feedsCatalogs: true)
      target.places = TablePlaces(folders: [TreePath(trusted: "Kit/\(name)/Resources")], language: "en")
      return target
    }
    var app = Self.target("App", folders: ["App"])
    app.dependencies = [TargetID(rawValue: "Kit")]
    let alone = ProjectDescription(sourceLanguage: "en", targets: [package("Kit"), package("Other")]).forExport()
    #expect(alone.targets.map(\.feedsCatalogs) == [true, true])
    let beside = ProjectDescription(sourceLanguage: "en", targets: [app, package("Kit"), package("Other")]).forExport()
    #expect(beside.targets.map(\.feedsCatalogs) == [true, true, false])
    #expect(beside.targets[1].catalogs["Localizable"] == "Kit/Kit/Resources/en.lproj/Localizable.strings")
  }

  @Test("targets with one Info.plist share its table; one without places keeps what it has")
  func shared() {
    var test = Self.target("Tests", folders: ["T"])
    test.places = nil
    let found = Self.tables([
      Self.target("A", folders: ["App"], infoPlist: "App-InfoPlist", file: "App/App-Info.plist"),
      Self.target("B", folders: ["App"], infoPlist: "App-InfoPlist", file: "App/App-Info.plist"), test,
    ])
    #expect(found["A"]?["App-InfoPlist"] == "App/App-InfoPlist.xcstrings")
    #expect(found["B"]?["App-InfoPlist"] == "App/App-InfoPlist.xcstrings")
    #expect(found["Tests"] == [:])
  }
}
