import Localization
import Testing

@testable import ProjectLayout

@Suite("Tables in .strings files")
struct StringTableTests {
  @Test("the strings of a package target without a catalog are added to its .strings table in the source language")
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
    #expect(project.catalogs.map(\.isStringCatalog) == [false, false, false])
  }

  @Test("a catalog takes precedence over a .strings table, and files that are copied receive no strings of code")
  func packageCatalog() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\", resources: [.copy(\"Raw\")])]"),
      "Sources/Kit/K.swift": "", "Sources/Kit/Localizable.xcstrings": catalog("de"),
      "Sources/Kit/en.lproj/Localizable.strings": "", "Sources/Kit/Raw/en.lproj/Birds.strings": "",
    ])
    #expect(project["Kit"]?.catalogs == ["Localizable": "Sources/Kit/Localizable.xcstrings"])
    #expect(project["Kit"]?.resourceFolder == "Sources/Kit")
  }

  @Test("folders without a catalog use .strings tables, which are ignored if there is a catalog")
  func folders() throws {
    let files = [
      "App/A.swift": "", "App/M.m": "", "App/en.lproj/Localizable.strings": "", "App/fr.lproj/Localizable.strings": "",
    ]
    let project = try layout(files)
    #expect(project["App"]?.catalogs == ["Localizable": "App/en.lproj/Localizable.strings"])
    #expect(project["App"]?.feedsCatalogs == true)
    #expect(project["App"]?.resourceFolder == "App")
    #expect(project["App"]?.sources == ["App/A.swift"])
    let headers = try layout(files.merging(["App/M.h": "", "App/Deep/N.pch": "", "Other/O.h": ""]) { $1 })
    #expect(
      headers["App"]?.otherSources.map(\.path) == ["App/Deep/N.pch", "App/M.h", "App/M.m"],
      "headers are sources of those that include them")
    let mixed = try layout(files.merging(["App/Errors.xcstrings": catalog("de")]) { $1 })
    #expect(mixed["App"]?.catalogs == ["Errors": "App/Errors.xcstrings"])
  }

  @Test(
    "in a tree without a catalog, all targets except tests add keys to the only table of the project")
  func noCatalogs() throws {
    let files = [
      "Package.swift": manifest(
        "targets: [.target(name: \"Kit\"), .testTarget(name: \"KitTests\"), .plugin(name: \"P\", capability: .buildTool())]"
      ),
      "Sources/Kit/K.swift": "", "Tests/KitTests/T.swift": "", "Plugins/P/P.swift": "",
    ]
    let project = try layout(files)
    #expect(project.targets.filter(\.feedsCatalogs).map(\.id.rawValue) == ["Kit"])
    #expect(project["Kit"]?.catalogs == [:])
    #expect(project["Kit"]?.resourceFolder == "Sources/Kit")
    let other = try layout(files.merging(["Other/Localizable.xcstrings": catalog("de")]) { $1 })
    #expect(other["Kit"]?.feedsCatalogs == false)
    func target(_ id: String, _ catalogs: [String: TreePath], in project: TreePath = "A.xcodeproj/project.pbxproj")
      -> ProjectTarget
    {
      ProjectTarget(
        id: TargetID(rawValue: id), name: id, kind: .xcode(project: project), folder: "", resourceFolder: "",
        feedsCatalogs: false, catalogs: catalogs)
    }
    let table: TreePath = "App/en.lproj/Localizable.strings"
    let targets = [
      target("App", ["Localizable": table, "InfoPlist": "App/en.lproj/InfoPlist.strings"]),
      target("Share", ["Intents": "en.lproj/Intents.strings"]),
      target("Tests", [:]), target("Elsewhere", [:], in: "B.xcodeproj/project.pbxproj"),
    ]
    let completed = StringTables.completed(targets, idle: [TargetID(rawValue: "Tests")])
    #expect(completed.map { $0.catalogs["Localizable"] } == [table, table, nil, nil])
    #expect(completed[1].catalogs.keys.sorted() == ["Intents", "Localizable"])
    #expect(completed.map(\.feedsCatalogs) == [true, true, false, true])
    var large = target("Large", [:])
    large.swiftSources = [TreeEntry(path: "A.swift", kind: .file)]
    #expect(StringTables.completed(targets + [large], idle: [])[4].catalogs["Localizable"] == nil)
    let two = StringTables.completed(
      targets + [target("Mac", ["Localizable": "Mac/en.lproj/Localizable.strings"])], idle: [])
    #expect(two[1].catalogs["Localizable"] == nil)
  }

  @Test(
    "the source language's folder may have several names, and takes precedence over Base",
    arguments: [
      ("pt-BR", "pt_BR.lproj", "Base.lproj"), ("en", "English.lproj", "Base.lproj"), ("fr", "Base.lproj", "en.lproj"),
      ("de", "de.lproj", "Resources"), ("de", "Resources", "fr.lproj"),
    ])
  func names(_ language: String, _ chosen: String, _ other: String) {
    let paths = [other, chosen].map { TreePath(trusted: "App/\($0)/Localizable.strings") }
    #expect(StringTables.inSourceLanguage(paths, LocaleIdentifier(language)) == ["Localizable": paths[1]])
  }
}
