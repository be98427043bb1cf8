import Localization
import Testing

@Suite("Scope of an export")
struct ExportScopeTests {
  @Test(
    "paths of files are relative to the project's folder (Fred78290/caker, Xcode 26.4)",
    arguments: [
      ("Caker", "Caker/Resources/Localizable.xcstrings", "Resources/Localizable.xcstrings"),
      ("Caker", "Resources/Localizable.xcstrings", "../Resources/Localizable.xcstrings"),
      ("Apps/Caker", "Kit/L.xcstrings", "../../Kit/L.xcstrings"),
      ("Apps/Caker", "Apps/Cakery/L.xcstrings", "../Cakery/L.xcstrings"), ("", "App/L.xcstrings", "App/L.xcstrings"),
    ])
  func original(folder: String, path: String, original: String) {
    let scope = ExportScope(name: "", folder: TreePath(trusted: folder))
    #expect(scope.original(of: TreePath(trusted: path)) == original)
  }

  @Test("the scope of a project has its targets, their dependencies and the catalogs of both")
  func restricted() {
    func target(_ name: String, of kind: ProjectTarget.Kind, needs: [TargetID] = []) -> ProjectTarget {
      ProjectTarget(
        id: TargetID(rawValue: name), name: name, kind: kind, folder: .root, dependencies: needs, resourceFolder: .root)
    }
    func catalog(_ path: TreePath, _ targets: String...) -> ProjectCatalog {
      ProjectCatalog(path: path, table: "L", sourceLanguage: "en", targets: targets.map(TargetID.init(rawValue:)))
    }
    let kit = TargetID(rawValue: "Kit")
    let project = ProjectDescription(
      sourceLanguage: "en",
      targets: [
        target("A", of: .xcode(project: "A/A.xcodeproj/project.pbxproj"), needs: [kit]),
        target("B", of: .xcode(project: "B/B.xcodeproj/project.pbxproj")),
        target("Kit", of: .package(manifest: "Package.swift"), needs: [kit]),
        target("Other", of: .package(manifest: "Package.swift")),
      ],
      catalogs: [
        catalog("1.xcstrings", "A", "B"), catalog("2.xcstrings", "B"), catalog("3.xcstrings", "Kit"),
        catalog("4.xcstrings"),
      ]
    ).restricted(to: ["A/A.xcodeproj/project.pbxproj"])
    #expect(project.targets.map(\.name) == ["A", "Kit"])
    #expect(project.catalogs.map(\.path.text) == ["1.xcstrings", "3.xcstrings"])
  }
}
