import Localization
import Testing
import Workspace

/// What keeps a gate from judging a project.
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

  @Test("sources of a target without a catalog that are not known, but not those of tests and tools")
  func withoutCatalog() {
    let words = "1 target without a catalog may have strings: App.xcodeproj/project.pbxproj:3:1: it is missing"
    #expect(obstacles { _ in }.isEmpty)
    #expect(obstacles { $0.unknownSources = [Self.reason] } == [words])
    #expect(obstacles(isTest: true) { $0.unknownSources = [Self.reason] }.isEmpty)
    #expect(obstacles(isTool: true) { $0.unknownSources = [Self.reason] }.isEmpty)
  }

  @Test("missing string tables")
  func tables() {
    #expect(
      obstacles { $0.missingTables = [Self.reason] } == [
        "1 target lacks string tables: App.xcodeproj/project.pbxproj:3:1: it is missing"
      ])
    #expect(obstacles(isTest: true) { $0.missingTables = [Self.reason] }.isEmpty)
  }
}
