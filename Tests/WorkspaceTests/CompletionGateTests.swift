import Localization
import Testing
import Workspace

/// Tests of the reasons why a gate cannot check a project, or why its counts do not match the code.
struct CompletionGateTests {
  private static let reason = Diagnostic(
    path: "App.xcodeproj/project.pbxproj", line: 3, column: 1, severity: .warning, message: "it is missing")

  private func obstacles(isTool: Bool = false, isTest: Bool = false, _ change: (inout ProjectTarget) -> Void)
    -> [String]
  {
    var target = ProjectTarget(
      id: TargetID(rawValue: "App"), name: "App", kind: .xcode(project: "App.xcodeproj/project.pbxproj"), folder: "App",
      resourceFolder: "App", feedsCatalogs: false)
    if !isTest {
      target.places = TablePlaces(folders: ["App"], language: "en")
      target.places?.isUntranslatable = isTool
    }
    change(&target)
    return CompletionGate(
      project: ProjectDescription(sourceLanguage: "en", targets: [target]), catalogs: [:], unreadable: [:],
      extraction: Extraction(sourceLanguage: "en"), isKeptInStep: { _ in true }
    ).obstacles
  }

  @Test("unknown sources of a target without a catalog are an obstacle, except in tests and tools")
  func withoutCatalog() {
    let words = "1 target without a catalog may have strings: App.xcodeproj/project.pbxproj:3:1: it is missing"
    #expect(obstacles { _ in }.isEmpty)
    #expect(obstacles { $0.unknownSources = [Self.reason] } == [words])
    #expect(obstacles(isTest: true) { $0.unknownSources = [Self.reason] }.isEmpty)
    #expect(obstacles(isTool: true) { $0.unknownSources = [Self.reason] }.isEmpty)
  }

  /// Returns a gate for a project whose target App has these catalogs.
  private func gate(_ catalogs: [Catalog], _ strings: [ExtractedString] = []) -> CompletionGate {
    let target = ProjectTarget(
      id: TargetID(rawValue: "App"), name: "App", kind: .folder, folder: "App", resourceFolder: "App")
    let known = catalogs.map {
      ProjectCatalog(path: $0.path, table: $0.path.stem, sourceLanguage: "en", targets: [target.id])
    }
    var extraction = Extraction(sourceLanguage: "en")
    extraction.strings = strings
    return CompletionGate(
      project: ProjectDescription(sourceLanguage: "en", targets: [target], catalogs: known),
      catalogs: Dictionary(uniqueKeysWithValues: catalogs.map { ($0.path, $0) }), unreadable: [:],
      extraction: extraction, isKeptInStep: \.isStringCatalog)
  }

  private func inStep(_ catalogs: [Catalog], _ strings: [ExtractedString]) -> [String] {
    let gate = gate(catalogs, strings)
    var extraction = Extraction(sourceLanguage: "en")
    extraction.strings = strings
    let step = CatalogsInStep(
      ProjectDescription(sourceLanguage: "en"),
      committed: Dictionary(uniqueKeysWithValues: catalogs.map { ($0.path, $0) }), broken: [],
      extraction: extraction, isKeptInStep: \.isStringCatalog)
    return gate.ahead(step)
  }

  @Test("a catalog that Xcode does not compile is an obstacle")
  func uncompiled() {
    func obstacles(_ translation: Translation, of key: UnitKey = "Walk") -> [String] {
      gate([
        Catalog(
          path: "App/Localizable.xcstrings", sourceLanguage: "en",
          entries: [key: CatalogEntry(translations: ["de": translation])])
      ]).obstacles
    }
    func plural(_ one: String, _ other: String) -> Translation {
      Translation(
        text: .plural([
          .one: .text(StringUnit(state: .translated, value: one)),
          .other: .text(StringUnit(state: .translated, value: other)),
        ]))
    }
    let fault = obstacles(plural("Weg", "Wege")).first ?? ""
    #expect(
      fault.hasPrefix("1 catalog does not compile in Xcode: App/Localizable.xcstrings: Plural variation requires"))
    #expect(fault.hasSuffix("(de: Walk)"))
    #expect(obstacles(plural("Weg", "%lld Wege"), of: "%lld walks").isEmpty)
    #expect(obstacles(Translation("%#@n@")).isEmpty, "Xcode's compiler only warns about this text")
  }

  @Test(
    "a string that is only in a .stringsdict is an obstacle",
    arguments: ["App/en.lproj/Localizable.strings", "App/Localizable.xcstrings"])
  func pluralTable(catalog: TreePath) {
    let rules = Catalog(
      path: "App/en.lproj/Localizable.stringsdict", sourceLanguage: "en",
      entries: ["%d files": CatalogEntry(translations: ["en": Translation("%#@n@")])])
    let strings = Catalog(
      path: "App/en.lproj/Localizable.strings", sourceLanguage: "en",
      entries: ["hello": CatalogEntry(translations: ["en": Translation("Hello")])])
    func string(_ key: UnitKey) -> ExtractedString {
      ExtractedString(catalog: catalog, table: "Localizable", key: key, targets: [TargetID(rawValue: "App")])
    }
    // The catalog for the code's strings may be missing.
    let catalogs = catalog.isStringCatalog ? [rules] : [rules, strings]
    #expect(inStep(catalogs, [string("%d files")]).isEmpty)
    #expect(inStep(catalogs, [string("%d folders")]).first?.contains("in no catalog") == true)
    let german = Catalog(
      path: rules.path, sourceLanguage: "en",
      entries: ["%d files": CatalogEntry(translations: ["de": Translation("%#@n@")])])
    #expect(inStep(catalogs.dropFirst() + [german], [string("%d files")]).count == 1)
  }

  @Test("missing string tables are an obstacle, except in tests")
  func tables() {
    #expect(
      obstacles { $0.missingTables = [Self.reason] } == [
        "1 target lacks string tables: App.xcodeproj/project.pbxproj:3:1: it is missing"
      ])
    #expect(obstacles(isTest: true) { $0.missingTables = [Self.reason] }.isEmpty)
  }

  @Test(
    "two files of one table in a target, which Xcode refuses to build, are an obstacle",
    arguments: [
      ("App/en.lproj/Localizable.strings", true), ("App/en.lproj/Localizable.stringsdict", true),
      ("App/More/Localizable.xcstrings", true), ("App/en.lproj/Other.strings", false),
      ("App/mul.lproj/Localizable.xcstrings", false), ("App/Base.lproj/Localizable.storyboard", false),
    ] as [(TreePath, Bool)])
  func rivals(path: TreePath, isRefused: Bool) {
    func obstacles(_ kind: ProjectTarget.Kind, targets: [TargetID] = ["App"].map(TargetID.init)) -> [String] {
      let target = ProjectTarget(
        id: TargetID(rawValue: "App"), name: "App", kind: kind, folder: "App", resourceFolder: "App")
      let paths: [TreePath] = ["App/Localizable.xcstrings", path]
      let known = paths.map {
        ProjectCatalog(
          path: $0, table: $0.stem, sourceLanguage: "en", targets: $0 == path ? targets : [target.id])
      }
      return CompletionGate(
        project: ProjectDescription(sourceLanguage: "en", targets: [target], catalogs: known), catalogs: [:],
        unreadable: [:], extraction: Extraction(sourceLanguage: "en"), isKeptInStep: { _ in true }
      ).obstacles
    }
    let words =
      "1 table is twice in a target, which Xcode refuses to build: App/Localizable.xcstrings and \(path) of target App; "
      + "remove one of them from the target"
    for kind in [ProjectTarget.Kind.xcode(project: "P.xcodeproj/project.pbxproj"), .package(manifest: "Package.swift")]
    {
      #expect(obstacles(kind) == (isRefused ? [words] : []))
      #expect(obstacles(kind, targets: []).isEmpty && obstacles(kind, targets: [TargetID(rawValue: "Kit")]).isEmpty)
    }
    #expect(obstacles(.folder).isEmpty, "the targets of folders are only guessed")
  }

  private func obstacles(_ kind: ProjectTarget.Kind, catalog: TreePath, stray: TreePath? = nil) -> [String] {
    let target = ProjectTarget(
      id: TargetID(rawValue: "App"), name: "App", kind: kind, folder: "App", resourceFolder: "App")
    var project = ProjectDescription(
      sourceLanguage: "en", targets: [target],
      catalogs: [
        ProjectCatalog(path: catalog, table: catalog.stem, sourceLanguage: "en", targets: [target.id])
      ])
    if let stray { project.strayTables = [stray: [target.id]] }
    return CompletionGate(
      project: project, catalogs: [:], unreadable: [:], extraction: Extraction(sourceLanguage: "en"),
      isKeptInStep: { _ in true }
    ).obstacles
  }

  private static let xcode = ProjectTarget.Kind.xcode(project: "P.xcodeproj/project.pbxproj")

  @Test("a table that is in a String Catalog of the target and in a file for one language is an obstacle")
  func strayTable() {
    let catalog: TreePath = "App/Localizable.xcstrings"
    for stray in ["App/de.lproj/Localizable.strings", "App/Localizable.strings"] as [TreePath] {
      let words =
        "1 table is twice in a target, which Xcode refuses to build: \(catalog) and \(stray) of target App; "
        + "remove one of them from the target"
      #expect(obstacles(Self.xcode, catalog: catalog, stray: stray) == [words])
      #expect(obstacles(.folder, catalog: catalog, stray: stray).isEmpty)
    }
    #expect(obstacles(Self.xcode, catalog: catalog, stray: "App/de.lproj/Other.strings").isEmpty)
  }

  @Test(
    "a String Catalog in a language's folder is an obstacle",
    arguments: [("en", true), ("Base", true), ("mul", false)])
  func misplaced(folder: String, isRefused: Bool) {
    let path = TreePath(trusted: "App/\(folder).lproj/Localizable.xcstrings")
    let words =
      "1 String Catalog is in the folder of a language, which Xcode refuses to build: \(path); move it out of "
      + "\(folder).lproj"
    #expect(obstacles(Self.xcode, catalog: path) == (isRefused ? [words] : []))
    #expect(obstacles(.folder, catalog: path).isEmpty)
  }

  @Test("a package's table that SwiftPM does not build is an obstacle")
  func unbuiltTable() {
    var project = ProjectDescription(
      sourceLanguage: "en",
      catalogs: [ProjectCatalog(path: "L.xcstrings", table: "L", sourceLanguage: "en", targets: [])])
    project.unbuiltTables = [
      Diagnostic(path: "Package.swift", severity: .warning, message: "it is left out", hint: "add a rule")
    ]
    let gate = CompletionGate(
      project: project, catalogs: [:], unreadable: [:], extraction: Extraction(sourceLanguage: "en"),
      isKeptInStep: { _ in true })
    #expect(gate.obstacles == ["1 table of a package is not built: Package.swift: it is left out; add a rule"])
  }
}
