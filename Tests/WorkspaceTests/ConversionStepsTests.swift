import Localization
import Testing
import Workspace

struct ConversionStepsTests {
  @Test("catalogs are written before project files, and the source language's files are removed last")
  func order() {
    let table = ProjectCatalog(
      path: "App/Base.lproj/T.strings", table: "T", sourceLanguage: "en",
      localizations: ["de": "App/de.lproj/T.strings"],
      twin: "App/en.lproj/T.strings", targets: [])
    let project = ProjectDescription(sourceLanguage: "en", catalogs: [table])
    var edits = TreeEdits()
    edits.write([1], to: "App/T.xcstrings")
    for path: TreePath in ["App/Base.lproj/T.strings", "App/de.lproj/T.strings", "App/en.lproj/T.strings"] {
      edits.remove(path)
    }
    var projects = TreeEdits()
    projects.write([2], to: "App.xcodeproj/project.pbxproj")
    let steps = TableGroup.steps(TableGroup.all(of: project).map { ($0, edits) }, projects: projects)
    #expect(
      steps.map(\.paths) == [
        ["App/T.xcstrings"], ["App.xcodeproj/project.pbxproj", "App/de.lproj/T.strings"],
        ["App/Base.lproj/T.strings", "App/en.lproj/T.strings"],
      ])
    #expect(steps.reduce(TreeEdits()) { $0.merging($1) } == edits.merging(projects))
  }
}
