import Localization
import Testing

@testable import ProjectLayout

@Suite("Tables that .strings files hold")
struct StringTableTests {
  @Test("a package's target without a catalog writes to its .strings table in the source language")
  func package() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\"), .testTarget(name: \"KitTests\")]"),
      "Sources/Kit/K.swift": "", "Sources/Kit/Resources/en.lproj/Localizable.strings": "",
      "Sources/Kit/Resources/de.lproj/Localizable.strings": "", "Sources/Kit/Resources/de.lproj/Other.strings": "",
      "Sources/Kit/Resources/Base.lproj/Birds.strings": "",
      "Tests/KitTests/T.swift": "", "Tests/KitTests/en.lproj/Localizable.strings": "",
    ])
    #expect(project["Kit"]?.feedsCatalogs == true)
    #expect(
      project["Kit"]?.catalogs == [
        "Localizable": "Sources/Kit/Resources/en.lproj/Localizable.strings",
        "Birds": "Sources/Kit/Resources/Base.lproj/Birds.strings",
      ])
    #expect(project["Kit"]?.resourceFolder == "Sources/Kit/Resources")
    #expect(project["KitTests"]?.catalogs == [:])
    #expect(project["KitTests"]?.feedsCatalogs == false)
    // They are no catalogs: no stage reads or writes them.
    #expect(project.catalogs.isEmpty)
  }

  @Test("a catalog goes before a .strings table, and what is copied as it is holds no strings of code")
  func packageCatalog() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\", resources: [.copy(\"Raw\")])]"),
      "Sources/Kit/K.swift": "", "Sources/Kit/Localizable.xcstrings": catalog("de"),
      "Sources/Kit/en.lproj/Localizable.strings": "", "Sources/Kit/Raw/en.lproj/Birds.strings": "",
    ])
    #expect(project["Kit"]?.catalogs == ["Localizable": "Sources/Kit/Localizable.xcstrings"])
    #expect(project["Kit"]?.resourceFolder == "Sources/Kit")
  }

  @Test("folders without any catalog write to .strings tables; beside a catalog these stand for nothing")
  func folders() throws {
    let files = [
      "App/A.swift": "", "App/M.m": "", "App/en.lproj/Localizable.strings": "", "App/fr.lproj/Localizable.strings": "",
    ]
    let project = try layout(files)
    #expect(project["App"]?.catalogs == ["Localizable": "App/en.lproj/Localizable.strings"])
    #expect(project["App"]?.feedsCatalogs == true)
    #expect(project["App"]?.resourceFolder == "App")
    #expect(project["App"]?.sources == ["App/A.swift"])
    let mixed = try layout(files.merging(["App/Errors.xcstrings": catalog("de")]) { $1 })
    #expect(mixed["App"]?.catalogs == ["Errors": "App/Errors.xcstrings"])
  }

  @Test(
    "the source language's folder may be called in several ways, and goes before the base's",
    arguments: [
      ("pt-BR", "pt_BR.lproj", "Base.lproj"), ("en", "English.lproj", "Base.lproj"), ("fr", "Base.lproj", "en.lproj"),
      ("de", "de.lproj", "Resources"), ("de", "Resources", "fr.lproj"),
    ])
  func names(_ language: String, _ chosen: String, _ other: String) {
    let paths = [other, chosen].map { TreePath(trusted: "App/\($0)/Localizable.strings") }
    #expect(StringTables.inSourceLanguage(paths, LocaleIdentifier(language)) == ["Localizable": paths[1]])
  }
}
