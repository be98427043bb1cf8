import Localization
import Testing

@testable import ProjectLayout

@Suite("Scopes of exports of a tree")
struct ExportScopesTests {
  private static let app = pbxproj(target("APP", "App"), targets: "APP")
  private static let tests = pbxproj(target("T", "T", type: "bundle.unit-test"), targets: "T")

  private func scope(_ files: [String: String]) throws -> (scope: ExportScope, diagnostics: [Diagnostic]) {
    ExportScope.whole(try layout(files), in: InMemoryTree(texts: files), called: "repository")
  }

  @Test(
    "the scope is the root's project or workspace, else the only project at the least depth; a root package is a project too",
    arguments: [
      (["B.xcodeproj/project.pbxproj": app, "A.xcodeproj/project.pbxproj": app], "A.xcodeproj", ""),
      (["A.xcodeproj/project.pbxproj": app, "Z.xcworkspace/contents.xcworkspacedata": ""], "Z.xcworkspace", ""),
      (
        ["ios/App.xcodeproj/project.pbxproj": app, "ios/Old/Old.xcodeproj/project.pbxproj": app], "App.xcodeproj", "ios"
      ),
      (["ios/App.xcodeproj/project.pbxproj": app, "T/T.xcodeproj/project.pbxproj": tests], "App.xcodeproj", "ios"),
      (
        [
          "Demo/App.xcodeproj/project.pbxproj": app,
          "Package.swift": manifest("defaultLocalization: \"en\", targets: [.target(name: \"K\")]"),
          "Sources/K/K.swift": "",
        ], "repository", ""
      ),
      (["App/A.swift": ""], "repository", ""),
    ] as [([String: String], String, String)])
  func whole(files: [String: String], name: String, folder: String) throws {
    let found = try scope(files)
    #expect(found.scope == ExportScope(name: name, folder: TreePath(trusted: folder)))
    #expect(found.diagnostics.isEmpty)
  }

  @Test("if several projects have the same depth, the root is used, with a note that explains how to choose")
  func several() throws {
    let found = try scope(["a/A.xcodeproj/project.pbxproj": Self.app, "b/B.xcodeproj/project.pbxproj": Self.app])
    #expect(found.scope == ExportScope(name: "repository"))
    #expect(found.diagnostics.map(\.hint) == ["choose one with --xcode-project"])
    #expect(found.diagnostics.first?.message.contains("a/A.xcodeproj, b/B.xcodeproj") == true)
  }

  @Test(
    "paths in a bundle are resolved from the exported project's folder first, then from the folders of other projects")
  func folders() throws {
    let files = [
      "ios/App.xcodeproj/project.pbxproj": Self.app, "a/Old/Old.xcodeproj/project.pbxproj": Self.app,
      "Tests/T.xcodeproj/project.pbxproj": Self.tests,
    ]
    let folders = ExportScope.folders(of: try layout(files), in: InMemoryTree(texts: files))
    #expect(folders == ["ios", "Tests", "a/Old"])
  }

  @Test("a project is selected by its project file, and a workspace by the projects that it lists")
  func only() throws {
    let files = InMemoryTree(texts: [
      "ios/A.xcodeproj/project.pbxproj": Self.app,
      "ios/W.xcworkspace/contents.xcworkspacedata":
        #"<Workspace version="1.0"><FileRef location="group:A.xcodeproj"/><FileRef location="group:../b/B.xcodeproj"/></Workspace>"#,
      "b/B.xcodeproj/project.pbxproj": Self.app,
      "P.xcworkspace/contents.xcworkspacedata":
        #"<Workspace version="1.0"><FileRef location="group:Kit"/><FileRef location="group:Gone.xcodeproj"/></Workspace>"#,
      "X.xcworkspace/contents.xcworkspacedata": "<Workspace",
    ])
    let project: TreePath = "ios/A.xcodeproj/project.pbxproj"
    #expect(
      try ExportScope.only("ios/A.xcodeproj", in: files)
        == ExportScope(name: "A.xcodeproj", folder: "ios", projects: [project]))
    #expect(
      try ExportScope.only("ios/W.xcworkspace", in: files)
        == ExportScope(name: "W.xcworkspace", folder: "ios", projects: [project, "b/B.xcodeproj/project.pbxproj"]))
    #expect(throws: TreeError.self) { try ExportScope.only("C.xcodeproj", in: files) }
    for (path, words) in [
      ("P.xcworkspace", "contains no Xcode project"), ("X.xcworkspace", "the projects of this workspace"),
    ] {
      let error = #expect(throws: TreeError.self) { try ExportScope.only(TreePath(trusted: path), in: files) }
      #expect(error?.detail.contains(words) == true && error?.kind == .unreadable)
    }
  }

  @Test("new tables of tools and static libraries are not translatable, and an aggregate target has no tables")
  func products() throws {
    let project = try layout([
      "A.xcodeproj/project.pbxproj": pbxproj(
        target("APP", "App") + target("TOOL", "Tool", type: "tool") + target("LIB", "Lib", type: "library.static")
          + target("FWK", "Fwk", type: "framework")
          + "ALL = { isa = PBXAggregateTarget; name = All; buildConfigurationList = APPLIST; buildPhases = (); };",
        targets: "APP, TOOL, LIB, FWK, ALL")
    ])
    let found = Dictionary(uniqueKeysWithValues: project.targets.map { ($0.name, $0.places?.isUntranslatable) })
    #expect(found == ["App": false, "Fwk": false, "Lib": true, "Tool": true, "All": nil])
  }
}
