import Localization
import ProjectLayout
import Testing

@Suite struct PathPatternTests {
  @Test(
    "a pattern matches its path and everything below it",
    arguments: [
      ("Examples/**", "Examples/App/X.swift", true), ("Examples/**", "Examples", true),
      ("Examples", "Examples/X.swift", true),
      ("Examples/**", "Example/X.swift", false), ("Examples/**", "App/Examples/X.swift", false),
      ("**/Examples", "App/Examples/X.swift", true), ("**/Examples", "Examples/X.swift", true),
      ("*.swift", "X.swift", true), ("*.swift", "App/X.swift", false), ("**/*.swift", "App/Deep/X.swift", true),
      ("App/?.swift", "App/X.swift", true), ("App/?.swift", "App/XY.swift", false),
      ("A*c*e", "Abcde", true), ("A*c*e", "Abcd", false), ("**", "anything/at/all", true),
      ("App/**/Tests", "App/Tests/X.swift", true), ("App/**/Tests", "App/a/b/Tests/X.swift", true),
      ("./App//X", "App/X", true), ("\u{E9}.swift", "e\u{301}.swift", false),
    ])
  func covering(pattern: String, path: String, covers: Bool) throws {
    let compiled = try #require(PathPattern(pattern))
    #expect(compiled.covers(TreePath(trusted: path)) == covers)
  }

  @Test("patterns that cannot match any path are rejected", arguments: ["", "/abs", "../out", "."])
  func impossible(pattern: String) {
    #expect(PathPattern(pattern) == nil)
  }

  @Test("a pattern with many stars is matched without exponential time")
  func adversarial() throws {
    let pattern = try #require(PathPattern(String(repeating: "a*", count: 200) + "b"))
    #expect(!pattern.covers(TreePath(trusted: String(repeating: "a", count: 5000))))
    let deep = try #require(PathPattern(String(repeating: "**/a/", count: 60) + "b"))
    #expect(!deep.covers(TreePath(trusted: String(repeating: "a/", count: 400) + "c")))
  }

  @Test("a pattern that can match no path is reported, and the others are read")
  func reported() throws {
    let project = try layout(["App/X.swift": "", "App/Localizable.xcstrings": catalog("de")], excluding: ["/App/**"])
    #expect(project["App"]?.feedsCatalogs == true)
    #expect(project.diagnostics.map(\.path) == ["/App/**"])
  }

  @Test("excluded folders are treated as if they did not exist")
  func excluded() throws {
    let project = try layout(
      [
        "Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "Sources/Kit/A.swift": "",
        "Sources/Kit/Localizable.xcstrings": catalog("de"), "Examples/Package.swift": "import PackageDescription (",
        "Examples/Localizable.xcstrings": catalog("fr"),
      ], excluding: ["Examples/**"])
    #expect(project.ids == ["Kit"])
    #expect(project.languages == ["de", "en"])
    #expect(project.diagnostics.isEmpty)
  }

  @Test("a target whose folder is excluded in the pipeline file is not an error in the manifest")
  func leftOutTarget() throws {
    let project = try layout(
      [
        "Package.swift": manifest("targets: [.target(name: \"Kit\"), .testTarget(name: \"KitTests\")]"),
        "Sources/Kit/A.swift": "", "Tests/KitTests/B.swift": "",
      ], excluding: ["Tests/**"])
    #expect(project.diagnostics.isEmpty)
    #expect(project.ids == ["Kit"])
  }
}
