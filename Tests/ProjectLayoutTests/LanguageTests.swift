import Localization
import ProjectLayout
import Testing

@Suite struct LanguageTests {
  static let project = pbxproj(
    folder("F", "App") + target("T", "App", more: "fileSystemSynchronizedGroups = (F);"), children: "F", targets: "T",
    project: "developmentRegion = sv; knownRegions = ( sv, Base, \"pt-BR\", zh_CN, English, );")

  @Test("languages are found in catalogs, language folders and the project's regions; Base and mul are not languages")
  func languages() throws {
    let project = try layout([
      "App.xcodeproj/project.pbxproj": Self.project, "App/A.swift": "",
      "App/Localizable.xcstrings": catalog("de", "zh-Hant"),
      "App/fr.lproj/InfoPlist.strings": "", "App/Base.lproj/Main.storyboard": "",
      "App/mul.lproj/Main.xcstrings": catalog("ja"),
      "App/it.lproj/picture.png": "",
    ])
    #expect(project.languages == ["de", "zh-Hant", "fr", "ja", "sv", "pt-BR", "zh-CN", "en"])
    #expect(project.sourceLanguage == "en")
    #expect(
      project.diagnostics.map(\.path) == ["App.xcodeproj/project.pbxproj", "App/fr.lproj/InfoPlist.strings"])
  }

  @Test("the source language is the manifest's, or else the catalogs', the project's or English, in this order")
  func source() throws {
    let package = [
      "Package.swift":
        "import PackageDescription\nlet p = Package(name: \"K\", defaultLocalization: \"uk\", targets: [.target(name: \"K\")])",
      "Sources/K/A.swift": "",
    ]
    let withCatalog = package.merging(["Sources/K/Localizable.xcstrings": catalog("de", source: "en")]) { $1 }
    #expect(try layout(package).sourceLanguage == "uk")
    #expect(try layout(withCatalog).sourceLanguage == "uk")
    #expect(try layout(withCatalog).diagnostics.map(\.path) == ["Sources/K/Localizable.xcstrings"])
    #expect(try layout(["A/Localizable.xcstrings": catalog("de", source: "fr")]).sourceLanguage == "fr")
    #expect(try layout(["A.xcodeproj/project.pbxproj": Self.project]).sourceLanguage == "sv")
    #expect(try layout(["A.swift": ""]).sourceLanguage == "en")
  }

  @Test("the language of a package without catalogs is ignored if other packages have catalogs")
  func silentPackage() throws {
    let project = try layout([
      "Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "Kit/Sources/Kit/A.swift": "",
      "App/A.swift": "",
      "App/Localizable.xcstrings": catalog("de", source: "fr"),
    ])
    #expect(project.sourceLanguage == "fr")
    #expect(project.diagnostics.isEmpty)
  }

  @Test(
    "a damaged catalog is reported, and its entries before the error are read",
    arguments: [
      "{ \"sourceLanguage\" : \"en\", \"strings\" : { \"a\" : { \"localizations\" : { \"de\" : {",
      "<<<<<<< HEAD\n{ \"sourceLanguage\" : \"en\" }", "{ \"sourceLanguage\" : \"en", "[]]", "{ ] }",
    ])
  func broken(text: String) throws {
    let project = try layout(["App/A.swift": "", "App/Localizable.xcstrings": text])
    #expect(project["App"]?.feedsCatalogs == true)
    #expect(project.diagnostics.map(\.path) == ["App/Localizable.xcstrings"])
    #expect(project.sourceLanguage == "en")
  }

  @Test("languages outside a catalog's localizations are ignored")
  func elsewhere() throws {
    let text = """
      { "strings" : { "localizations" : { "localizations" : { "de" : { "variations" : { "plural" : { "one" : {} } } } } },
        "x" : { "extra" : { "localizations" : { "fr" : {} } } } }, "localizations" : { "it" : {} }, "sourceLanguage" : "en" }
      """
    #expect(try layout(["App/A.swift": "", "App/L.xcstrings": text]).languages == ["de", "en"])
  }
}

@Test("a test target whose sources are in the app's folder does not hide the app's languages")
func languagesBesideTests() throws {
  let project = try layout([
    "P.xcodeproj/project.pbxproj": pbxproj(
      [
        target("APP", "App", sources: ["A"]), target("TST", "Tests", type: "bundle.unit-test", sources: ["T1", "T2"]),
        file("A", "App/A.swift"), file("T1", "T1.swift"), file("T2", "Tests/T2.swift"),
      ].joined(separator: "\n"), children: "A, T1, T2", targets: "APP, TST",
      project: "developmentRegion = en; knownRegions = (en, de);"),
    "App/A.swift": "", "T1.swift": "", "Tests/T2.swift": "", "App/fr.lproj/L.strings": "",
  ])
  #expect(project.languages == ["en", "de", "fr"])
}

@Test("a test target of a package does not hide the languages of targets in its folder", arguments: [true, false])
func languagesBesideTestsOfPackage(listsSources: Bool) throws {
  let sources = listsSources ? "sources: [\"Tests\"]" : "exclude: [\"Sources\"]"
  let project = try layout([
    "Package.swift": manifest("targets: [.target(name: \"K\"), .testTarget(name: \"T\", path: \".\", \(sources))]"),
    "Sources/K/A.swift": "", "Tests/T.swift": "", "Sources/K/Localizable.xcstrings": catalog("fr"),
    "Tests/Localizable.xcstrings": catalog("it"),
  ])
  #expect(project.languages == (listsSources ? ["en", "fr"] : ["en", "fr", "it"]))
}

@Test("a package inside the folder of a test target is part of the tests")
func languagesOfTestPackage() throws {
  let project = try layout([
    "Package.swift": manifest("targets: [.target(name: \"K\"), .testTarget(name: \"T\")]"),
    "Sources/K/A.swift": "", "Sources/K/Localizable.xcstrings": catalog("fr"), "Tests/T/T.swift": "",
    "Tests/T/Sample/Package.swift": manifest("targets: [.target(name: \"S\")]"),
    "Tests/T/Sample/Sources/S/S.swift": "", "Tests/T/Sample/Sources/S/Localizable.xcstrings": catalog("it"),
  ])
  #expect(project.languages == ["en", "fr"])
}

@Test("in a package's folder, the regions of an Xcode project count only if the project has string tables")
func regionsInPackage() throws {
  let project = pbxproj(
    [target("APP", "App", sources: ["A"], resources: ["L"]), file("A", "App/A.swift"), file("L", "App/L.xcstrings")]
      .joined(separator: "\n"), children: "A, L", targets: "APP",
    project: "developmentRegion = en; knownRegions = (en, fr);")
  let files = [
    "Package.swift": manifest("targets: []"), "P.xcodeproj/project.pbxproj": project, "App/A.swift": "",
  ]
  #expect(try layout(files).languages == ["en"])
  #expect(try layout(files.merging(["App/L.xcstrings": catalog("de")]) { $1 }).languages == ["en", "de", "fr"])
}
