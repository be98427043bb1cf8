import Localization
import Testing

@testable import ProjectLayout

@Suite("Catalogs with one file per language")
struct ClassicCatalogTests {
  /// Returns the catalogs of a project, each as `path source-language [targets] language=file …`.
  private func listed(_ project: ProjectDescription) -> [String] {
    project.catalogs.map { catalog in
      let files = catalog.localizations.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
      return "\(catalog.path) \(catalog.sourceLanguage) \(catalog.targets.map(\.rawValue))" + files.joined()
    }
  }

  private func diagnostics(_ project: ProjectDescription, about path: String) -> [String] {
    project.diagnostics.filter { $0.path == path }.map(\.message)
  }

  @Test(
    "a package target has one catalog per table, plural table and interface file, without files that are copied")
  func package() throws {
    let project = try layout([
      "Package.swift": manifest(
        "targets: [.target(name: \"Kit\", resources: [.copy(\"Raw\")]), .testTarget(name: \"KitTests\")]"),
      "Sources/Kit/K.swift": "", "Sources/Kit/R/en.lproj/Localizable.strings": "",
      "Sources/Kit/R/de.lproj/Localizable.strings": "", "Sources/Kit/R/zh_CN.lproj/Localizable.strings": "",
      "Sources/Kit/R/en.lproj/Localizable.stringsdict": "", "Sources/Kit/R/pl.lproj/Localizable.stringsdict": "",
      "Sources/Kit/Base.lproj/Main.storyboard": "", "Sources/Kit/de.lproj/Main.strings": "",
      "Sources/Kit/Raw/en.lproj/Birds.strings": "", "Sources/Kit/Plain.strings": "",
      "Tests/KitTests/en.lproj/T.strings": "",
    ])
    #expect(
      listed(project) == [
        #"Sources/Kit/Base.lproj/Main.storyboard en ["Kit"] de=Sources/Kit/de.lproj/Main.strings"#,
        #"Sources/Kit/R/en.lproj/Localizable.strings en ["Kit"] de=Sources/Kit/R/de.lproj/Localizable.strings"#
          + " zh-CN=Sources/Kit/R/zh_CN.lproj/Localizable.strings",
        #"Sources/Kit/R/en.lproj/Localizable.stringsdict en ["Kit"] pl=Sources/Kit/R/pl.lproj/Localizable.stringsdict"#,
        "Tests/KitTests/en.lproj/T.strings en []",
      ])
  }

  @Test(
    "without a project, localized files belong to the innermost target; the source is in Base or an old folder name")
  func folders() throws {
    let project = try layout([
      "App/A.swift": "", "App/English.lproj/A.strings": "", "App/German.lproj/A.strings": "",
      "App/Base.lproj/B.strings": "", "App/en.lproj/B.strings": "", "App/fr.lproj/B.strings": "",
      "App/de.lproj/C.strings": "",
    ])
    #expect(
      listed(project) == [
        #"App/Base.lproj/B.strings en ["App"] fr=App/fr.lproj/B.strings"#,
        #"App/English.lproj/A.strings en ["App"] de=App/German.lproj/A.strings"#,
      ])
    #expect(
      diagnostics(project, about: "App/de.lproj/C.strings") == [
        "there is no C.strings in Base.lproj or en.lproj, so its translations were skipped"
      ])
    #expect(project.diagnostics.allSatisfy { $0.severity == .note })
  }

  @Test("plural rules of a table in other languages give a warning if the source language has the table but no rules")
  func formsWithoutSource() throws {
    let project = try layout([
      "App/A.swift": "", "App/en.lproj/A.strings": "", "App/de.lproj/A.strings": "",
      "App/de.lproj/A.stringsdict": "", "App/de.lproj/B.stringsdict": "",
    ])
    let found = project.diagnostics.map { "\($0.path) \($0.severity.rawValue)" }
    #expect(found == ["App/de.lproj/A.stringsdict warning", "App/de.lproj/B.stringsdict note"])
  }

  @Test(
    "a settings bundle is localized only if a target copies it, as a listed file or in a folder"
  )
  func settingsBundle() throws {
    let files = [
      "App/Settings.bundle/Root.plist": "", "App/Settings.bundle/en.lproj/Root.strings": "",
      "App/Settings.bundle/de.lproj/Root.strings": "", "App/Settings.bundle/en.lproj/Root.stringsdict": "",
      "App/Settings.bundle/A.swift": "", "App/Other.bundle/en.lproj/O.strings": "",
      "Else/Settings.bundle/en.lproj/Root.strings": "",
    ]
    let list =
      #"App/Settings.bundle/en.lproj/Root.strings en ["App.xcodeproj:App"] de=App/Settings.bundle/de.lproj/Root.strings"#
    let project = "App.xcodeproj/project.pbxproj"
    let listing = pbxproj(
      target("APP", "App", resources: ["SET"]) + file("SET", "App/Settings.bundle", type: "wrapper.plug-in"),
      children: "SET", targets: "APP")
    let taking = "fileSystemSynchronizedGroups = (DIR);"
    let whole = pbxproj(target("APP", "App", more: taking) + folder("DIR", "App"), children: "DIR", targets: "APP")
    for text in [listing, whole] {
      let project = try layout(files.merging([project: text]) { $1 })
      #expect(listed(project) == [list])
      #expect(project.targets.allSatisfy { $0.catalogs.isEmpty && $0.otherSources.isEmpty })
    }
    let left =
      "EXC = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (Settings.bundle); target = APP; };"
    let without = pbxproj(
      target("APP", "App", more: taking) + folder("DIR", "App", exceptions: "EXC") + left, children: "DIR",
      targets: "APP")
    #expect(listed(try layout(files.merging([project: without]) { $1 })).isEmpty)
    #expect(listed(try layout(files)).count == 2)
  }

  /// A project with an app that has the variant groups of a table and of a storyboard, an extension with the same table, and tests with another.
  private static let variants = pbxproj(
    [
      target("APP", "App", resources: ["TABLE", "BOARD"]), target("EXT", "Ext", resources: ["TABLE"]),
      target("TST", "Tests", type: "bundle.unit-test", resources: ["OTHER"]),
      "TABLE = { isa = PBXVariantGroup; name = Localizable.strings; children = (DE, EN); sourceTree = \"<group>\"; };",
      "OTHER = { isa = PBXVariantGroup; name = T.strings; children = (T); sourceTree = \"<group>\"; };",
      "BOARD = { isa = PBXVariantGroup; name = Main.storyboard; children = (MAIN, MAINDE, MAINFR); sourceTree = \"<group>\"; };",
      file("EN", "App/de.lproj/Localizable.strings"), file("DE", "Elsewhere/fr.lproj/Localizable.strings"),
      file("MAIN", "App/Base.lproj/Main.storyboard"), file("MAINDE", "App/de.lproj/Main.strings"),
      file("MAINFR", "App/fr.lproj/Main.storyboard"), file("T", "Tests/de.lproj/T.strings"),
    ].joined(separator: "\n"), children: "TABLE, BOARD, OTHER", targets: "APP, EXT, TST",
    project: "developmentRegion = de; knownRegions = (de, fr, Base);")

  private static let files = [
    "P.xcodeproj/project.pbxproj": variants, "App/de.lproj/Localizable.strings": "",
    "Elsewhere/fr.lproj/Localizable.strings": "", "App/it.lproj/Localizable.strings": "",
    "App/Base.lproj/Main.storyboard": "", "App/de.lproj/Main.strings": "", "App/fr.lproj/Main.storyboard": "",
    "Tests/de.lproj/T.strings": "", "Other/de.lproj/Idle.strings": "",
  ]

  @Test("a table of an Xcode project has the files of its variant group in all targets that include it")
  func variants() throws {
    let project = try layout(Self.files)
    #expect(
      listed(project) == [
        #"App/Base.lproj/Main.storyboard de ["P.xcodeproj:App"] fr=App/fr.lproj/Main.storyboard"#,
        #"App/de.lproj/Localizable.strings de ["P.xcodeproj:App", "P.xcodeproj:Ext"]"#
          + " fr=Elsewhere/fr.lproj/Localizable.strings it=App/it.lproj/Localizable.strings",
        "Tests/de.lproj/T.strings de []",
      ])
    #expect(
      diagnostics(project, about: "App/it.lproj/Localizable.strings") == [
        "the project does not list this file next to App/de.lproj/Localizable.strings, so no build uses it for it"
      ])
    #expect(
      project.catalogs.map(\.unlisted) == [[], ["App/it.lproj/Localizable.strings"], []])
    #expect(
      diagnostics(project, about: "P.xcodeproj/project.pbxproj").contains(
        "no target of this project uses Other/de.lproj/Idle.strings, so it is skipped"
      ))
  }

  @Test("the String Catalog of an interface file contains its texts; a table in two files of a target is reported")
  func besideStringCatalogs() throws {
    let project = try layout(
      Self.files.merging(["App/mul.lproj/Main.xcstrings": catalog("fr", source: "de"), "App/fr.lproj/Main.strings": ""])
      {
        $1
      })
    #expect(!project.catalogs.contains { $0.path == "App/Base.lproj/Main.storyboard" })
    #expect(
      diagnostics(project, about: "App/de.lproj/Main.strings") == [
        "skipped this file: App/mul.lproj/Main.xcstrings has the texts of Main"
      ])
    let package = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\")]"),
      "Sources/Kit/Localizable.xcstrings": catalog("de"),
      "Sources/Kit/en.lproj/Localizable.strings": "",
    ])
    #expect(package.catalogs.map(\.isStringCatalog) == [true, false])
    #expect(
      diagnostics(package, about: "Sources/Kit/en.lproj/Localizable.strings") == [
        "Sources/Kit/Localizable.xcstrings has the table Localizable of target Kit too, and Xcode refuses to build both"
      ])
  }

  @Test(
    "a table without a source-language file is reported if a String Catalog of the target has the table",
    arguments: ["de.lproj/Localizable.strings", "de.lproj/Localizable.stringsdict", "Localizable.strings"])
  func strayTable(file: String) throws {
    let path = TreePath(trusted: "Sources/Kit/" + file)
    func package(_ name: String) throws -> ProjectDescription {
      try layout([
        "Package.swift": manifest("targets: [.target(name: \"Kit\")]"),
        "Sources/Kit/\(name).xcstrings": catalog("de"), path.text: "",
      ])
    }
    let kit = TargetID(rawValue: "Kit")
    #expect(try package("Localizable").strayTables == [path: [kit]])
    #expect(
      diagnostics(try package("Localizable"), about: path.text) == [
        "Sources/Kit/Localizable.xcstrings has the table Localizable of target Kit too, and Xcode refuses to build both"
      ])
    #expect(!diagnostics(try package("Other"), about: path.text).contains { $0.contains("refuses") })
  }

  @Test("language folders that differ only in case are one language, and the file in Xcode's spelling is used")
  func caseOfFolders() throws {
    let project = try layout([
      "App/A.swift": "", "App/en.lproj/A.strings": "", "App/UK.lproj/A.strings": "", "App/uk.lproj/A.strings": "",
      "App/en.lproj/B.strings": "", "App/UK.lproj/B.strings": "", "App/pt-br.lproj/B.strings": "",
      "App/EN.lproj/A.strings": "",
    ])
    #expect(
      listed(project) == [
        #"App/en.lproj/A.strings en ["App"] uk=App/uk.lproj/A.strings"#,
        #"App/en.lproj/B.strings en ["App"] pt-br=App/pt-br.lproj/B.strings uk=App/UK.lproj/B.strings"#,
      ])
    #expect(project.languages == ["en", "pt-br", "uk"])
    #expect(
      diagnostics(project, about: "App/UK.lproj/A.strings") == [
        "skipped this file: App/uk.lproj/A.strings has the same language, uk"
      ])
  }

  @Test("localized files are found in a folder that a project includes as a whole")
  func synchronized() throws {
    let project = try layout([
      "P.xcodeproj/project.pbxproj": pbxproj(
        target("APP", "App", more: "fileSystemSynchronizedGroups = (DIR);") + folder("DIR", "App"), children: "DIR",
        targets: "APP"),
      "App/en.lproj/A.strings": "", "App/uk.lproj/A.strings": "", "App/uk.lproj/A.stringsdict": "",
      "App/en.lproj/I.intentdefinition": "", "App/uk.lproj/I.strings": "", "App/zh_CN.lproj/A.strings": "",
      "App/zh-CN.lproj/A.strings": "",
    ])
    #expect(
      listed(project) == [
        #"App/en.lproj/A.strings en ["P.xcodeproj:App"] uk=App/uk.lproj/A.strings zh-CN=App/zh-CN.lproj/A.strings"#,
        #"App/en.lproj/I.intentdefinition en ["P.xcodeproj:App"] uk=App/uk.lproj/I.strings"#,
      ])
    #expect(
      diagnostics(project, about: "App/zh_CN.lproj/A.strings") == [
        "skipped this file: App/zh-CN.lproj/A.strings has the same language, zh-CN"
      ])
  }
}
