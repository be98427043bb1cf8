import Localization
import ProjectLayout
import Testing

@Suite struct FolderTests {
  @Test("a source adds keys to the catalogs of the nearest folder above it that has a catalog")
  func nearest() throws {
    let project = try layout([
      "App/Views/Deep/V.swift": "", "App/A.swift": "", "App/Resources/Localizable.xcstrings": catalog("de"),
      "App/Resources/Errors.xcstrings": catalog("de"), "Widget/W.swift": "",
      "Widget/Localizable.xcstrings": catalog("fr"),
    ])
    #expect(project["App"]?.sources == ["App/A.swift", "App/Views/Deep/V.swift"])
    #expect(project["App"]?.catalogs.keys.sorted() == ["Errors", "Localizable"])
    #expect(project["App"]?.resourceFolder == "App/Resources")
    #expect(project["Widget"]?.catalogs["Localizable"] == "Widget/Localizable.xcstrings")
    #expect(project["Widget"]?.catalogs["Errors"] == "App/Resources/Errors.xcstrings")
    #expect(project["App"]?.dependencies == [TargetID(rawValue: "Widget")])
  }

  @Test("shared sources add keys to the largest target's catalog, and all catalogs become uncertain")
  func shared() throws {
    let project = try layout([
      "Shared/S.swift": "", "App/A.swift": "", "App/B.swift": "", "App/Localizable.xcstrings": catalog("de"),
      "A Widget/W.swift": "", "A Widget/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project["."]?.catalogs["Localizable"] == "App/Localizable.xcstrings")
    #expect(project.feeders(of: "App/Localizable.xcstrings") == [".", "App"])
    #expect(project.targets.allSatisfy { $0.unknownSources.count == 1 })
    #expect(project.diagnostics.count == 1)
  }

  @Test("sources of other targets also add keys to the only catalog of a table, which is complete")
  func single() throws {
    let project = try layout([
      "Modules/M.swift": "", "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"),
      "App/InfoPlist.xcstrings": catalog("de"),
      "Widget/W.swift": "", "Widget/Info.plist": "", "Widget/InfoPlist.xcstrings": catalog("de"),
    ])
    #expect(project.feeders(of: "App/Localizable.xcstrings") == [".", "App", "Widget"])
    #expect(project.feeders(of: "Widget/InfoPlist.xcstrings") == ["Widget"])
    #expect(project.feeders(of: "App/InfoPlist.xcstrings") == ["App"])
    #expect(project["Widget"]?.otherSources.map(\.path) == ["Widget/Info.plist"])
    #expect(project.targets.allSatisfy { $0.unknownSources.isEmpty })
    #expect(project.diagnostics.isEmpty)
  }

  @Test(
    "tests add keys to no catalog, neither next to the app nor above its catalog",
    arguments: ["AppTests", "AppUITests", "Tests"])
  func tests(folder: String) throws {
    let project = try layout([
      "\(folder)/T.swift": "", "\(folder)/Fixtures/Other.xcstrings": catalog("xx"), "App/A.swift": "",
      "App/FooTests/B.swift": "", "App/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project[folder]?.feedsCatalogs == false)
    #expect(project["App"]?.sources == ["App/A.swift", "App/FooTests/B.swift"])
    #expect(project.feeders(of: TreePath(trusted: "\(folder)/Fixtures/Other.xcstrings")) == [])
    #expect(project.languages == ["de", "en"])
  }

  @Test("sources find catalogs only inside their project's folder")
  func projects() throws {
    let project = try layout([
      "One/One.xcodeproj/project.pbxproj": "", "One/A.swift": "", "Two/Two.xcodeproj/project.pbxproj": "",
      "Two/B.swift": "",
      "Two/Localizable.xcstrings": catalog("de"), "Localizable.xcstrings": catalog("fr"), "C.swift": "",
    ])
    #expect(project["One"]?.feedsCatalogs == false)
    #expect(project["Two"]?.catalogs["Localizable"] == "Two/Localizable.xcstrings")
    #expect(project["Two"]?.otherSources.isEmpty == true)
    #expect(project["Two"]?.unknownSources.map(\.path) == ["Two/Two.xcodeproj/project.pbxproj"])
    #expect(project["."]?.catalogs["Localizable"] == "Localizable.xcstrings")
  }

  @Test("sources and catalogs of packages belong to the packages and not to folder targets")
  func packages() throws {
    let project = try layout([
      "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"),
      "Packages/Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"),
      "Packages/Kit/Sources/Kit/K.swift": "",
      "Packages/UI/Package.swift": manifest("targets: [.target(name: \"UI\"), .testTarget(name: \"UITests\")]"),
      "Packages/UI/Sources/UI/U.swift": "", "Packages/UI/Sources/UI/Localizable.xcstrings": catalog("de"),
      "Packages/UI/Tests/UITests/T.swift": "",
    ])
    #expect(project["Packages/Kit:Kit"]?.feedsCatalogs == false)
    #expect(project.feeders(of: "App/Localizable.xcstrings") == ["App"])
    #expect(project.feeders(of: "Packages/UI/Sources/UI/Localizable.xcstrings") == ["Packages/UI:UI"])
    #expect(project["App"]?.dependencies.map(\.rawValue) == ["Packages/Kit:Kit", "Packages/UI:UI"])
    #expect(project["App"]?.unknownSources == [])
  }

  @Test("interface files and Objective-C are listed; build products and fetched packages are not")
  func others() throws {
    let project = try layout([
      "App/A.swift": "", "App/A.m": "", "App/A.h": "", "App/B.mm": "", "App/C.c": "", "App/D.cpp": "",
      "App/Info.plist": "",
      "App/Base.lproj/Main.storyboard": "", "App/V.xib": "", "App/I.intentdefinition": "", "App/Other.plist": "",
      "App/mul.lproj/Main.xcstrings": catalog("de"), "App/Localizable.xcstrings": catalog("de"), ".build/x/B.swift": "",
      "Pods/P/P.swift": "", "L10n/de.xcloc/Source Contents/App/Localizable.xcstrings": catalog("zz"),
      "App/Help.help/fr.lproj/X.strings": "",
    ])
    #expect(
      project["App"]?.otherSources.map(\.path.text) == [
        "App/A.h", "App/A.m", "App/B.mm", "App/Base.lproj/Main.storyboard", "App/C.c", "App/D.cpp",
        "App/I.intentdefinition",
        "App/Info.plist", "App/V.xib",
      ])
    #expect(project["App"]?.catalogs.keys.sorted() == ["Localizable", "Main"])
    #expect(project.ids == ["App"])
    #expect(project.catalogs.map(\.path) == ["App/Localizable.xcstrings", "App/mul.lproj/Main.xcstrings"])
    #expect(project.languages == ["de", "en"])
  }

  @Test(
    "a project or manifest that is a symbolic link is an error, because its targets are unknown",
    arguments: ["App.xcodeproj", "App.xcodeproj/project.pbxproj", "Package.swift", "Kit/Package.swift"])
  func linkedProject(link: String) throws {
    let project = try RepositoryLayout().project(
      in: InMemoryTree(
        [
          "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "Kit/Sources/Kit/K.swift": "",
        ].mapValues { Array($0.utf8) },
        links: [TreePath(trusted: link)]), excluding: [])
    let fault = try #require(project.diagnostics.first { $0.severity == .error })
    #expect(fault.path == (link == "App.xcodeproj" ? "App.xcodeproj/project.pbxproj" : link))
    #expect(
      fault.message == (link.hasSuffix("xcodeproj") ? "no such file" : "is a symbolic link, which is not followed"))
    #expect(project.unread.map(\.text) == [fault.path])
  }

  @Test(
    "a symbolic link in place of a catalog is reported and not followed; a link among sources makes the sources incomplete"
  )
  func links() throws {
    let project = try RepositoryLayout().project(
      in: InMemoryTree(
        ["App/A.swift": [], "App/Errors.xcstrings": Array(catalog("de").utf8)],
        links: ["App/Localizable.xcstrings", "App/Shared", "App/readme.md"]),
      excluding: [])
    #expect(project["App"]?.catalogs["Localizable"] == "App/Localizable.xcstrings")
    #expect(project["App"]?.unknownSources.map(\.path) == ["App/Shared"])
    #expect(
      project.diagnostics.map { "\($0.path) \($0.severity)" } == [
        "App/Shared warning", "App/Localizable.xcstrings error",
      ])
  }

  @Test("a package target of the root and a folder with the same name are two targets")
  func sameNames() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"App\")]"), "Sources/App/A.swift": "", "App/B.swift": "",
      "App/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project.ids == ["App", "App/"])
    #expect(project.feeders(of: "App/Localizable.xcstrings") == ["App/"])
  }

  @Test("an empty tree is an empty project")
  func empty() throws {
    let project = try layout([:])
    #expect(project.targets.isEmpty && project.catalogs.isEmpty && project.diagnostics.isEmpty)
    #expect(project.sourceLanguage == "en")
  }

  @Test("a folder that cannot be listed is reported, and the sources of its target are incomplete")
  func unreadable() throws {
    let files = [
      "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "App/Lost/B.swift": "",
      "Kit/Sources/Kit/A.swift": "",
      "Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"),
    ]
    let project = try RepositoryLayout().project(
      in: DamagedTree(base: InMemoryTree(texts: files), lost: "App/Lost"), excluding: [])
    #expect(project["App"]?.sources == ["App/A.swift"])
    #expect(project["App"]?.unknownSources.map(\.path) == ["App/Lost"])
    #expect(project["Kit:Kit"]?.unknownSources == [])
    #expect(project.diagnostics.map(\.path) == ["App/Lost"])
    #expect(throws: TreeError.self) {
      try RepositoryLayout().project(in: DamagedTree(base: InMemoryTree(texts: files), lost: .root), excluding: [])
    }
  }

  @Test("a missing object of a manifest or catalog affects only that file")
  func goneBytes() throws {
    let files = [
      "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "Kit/Sources/Kit/A.swift": "",
      "Kit/Package.swift": manifest("targets: [.target(name: \"Kit\")]"),
    ]
    for lost in ["App/Localizable.xcstrings", "Kit/Package.swift"] as [TreePath] {
      let project = try RepositoryLayout().project(
        in: DamagedTree(base: InMemoryTree(texts: files), lost: lost), excluding: [])
      #expect(project["App"]?.feedsCatalogs == true)
      #expect(project["Kit:Kit"] == nil || lost.name == "Localizable.xcstrings")
      #expect(project.diagnostics.map(\.path) == [lost.text])
    }
  }
}

/// A tree with a folder or file that cannot be read, like a git tree with a missing object.
private struct DamagedTree: SourceTree {
  let base: InMemoryTree
  let lost: TreePath

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    if folder == lost { throw TreeError(path: folder, kind: .unreadable, detail: "list the folder: object not found") }
    return try base.list(folder)
  }

  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path) }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    if path == lost { throw TreeError(path: path, kind: .unreadable, detail: "read the file: object not found") }
    return try base.read(path)
  }
}
