import Localization
import ProjectLayout
import Testing

@Suite struct TuistTests {
  @Test(
    "Tuist's manifests determine which strings are extracted from a project's code, if no other repository can set it",
    arguments: [
      ("let p = Project(name: \"App\")", [:], ProjectTarget.CodeStrings.searched),
      ("let p = Project(settings: .settings(base: [\"SWIFT_EMIT_LOC_STRINGS\": \"YES\"]))", [:], .typed),
      ("let s = Settings.settings(base: [\"LOCALIZED_STRING_SWIFTUI_SUPPORT\": \"NO\"])", [:], .typed),
      (
        "let c = Configuration.debug(name: \"Debug\", xcconfig: \"../Config/App.xcconfig\")",
        ["Config/App.xcconfig": "DEVELOPMENT_TEAM = T"], .searched
      ),
      (
        "let c = Configuration.debug(name: \"Debug\", xcconfig: \"../Config/App.xcconfig\")",
        ["Config/App.xcconfig": "SWIFT_EMIT_LOC_STRINGS = YES"], .typed
      ),
      ("let c = Configuration.debug(name: \"Debug\", xcconfig: \"Signing.xcconfig\")", [:], .typed),
      (
        "import ProjectDescriptionHelpers",
        ["Tuist/ProjectDescriptionHelpers/H.swift": "import ProjectDescription\npublic let team = \"T\""], .searched
      ),
      (
        "import ProjectDescriptionHelpers",
        ["Tuist/ProjectDescriptionHelpers/H.swift": "let s = [\"SWIFT_EMIT_LOC_STRINGS\": \"YES\"]"], .typed
      ),
      ("import ProjectDescriptionHelpers", [:], .typed), ("@_exported import OurPlugin", [:], .typed),
    ] as [(String, [String: String], ProjectTarget.CodeStrings)])
  func settings(_ manifest: String, _ more: [String: String], _ taken: ProjectTarget.CodeStrings) throws {
    let project = try layout(
      [
        "App/Project.swift": "import ProjectDescription\n" + manifest, "App/Sources/A.swift": "",
        "App/Sources/Localizable.xcstrings": catalog("de"), "B/B.swift": "", "B/Localizable.xcstrings": catalog("de"),
      ].merging(more) { $1 })
    #expect(project["App/Sources"]?.codeStrings == taken)
    #expect(project["B"]?.codeStrings == .typed)
  }
}
