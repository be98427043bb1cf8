import Localization
import ProjectLayout
import Testing

/// Sources and string tables that belong to a target but are missing from the tree.
@Suite("Missing sources")
struct MissingSourceTests {
  /// Returns the layout of a project with a target that lists `App/A.swift` and one more source. Another target has a build script whose output paths
  /// are given.
  private func app(_ source: String, script: String = "", _ files: [String: String] = [:]) throws -> ProjectDescription
  {
    let objects =
      file("A", "App/A.swift") + file("S", source) + file("C", "App/Localizable.xcstrings")
      + target("T", "App", sources: ["A", "S"], resources: ["C"])
      + "X = { isa = PBXNativeTarget; name = X; buildPhases = (XS); };"
      + "XS = { isa = PBXShellScriptBuildPhase; outputPaths = (\(script)); };"
    let texts = [
      "App.xcodeproj/project.pbxproj": pbxproj(objects, children: "A, S, C", targets: "T, X"), "App/A.swift": "",
      "App/Localizable.xcstrings": catalog("de"),
    ]
    return try layout(texts.merging(files) { $1 })
  }

  @Test("a missing listed source is reported with its location, and the target's sources are then unknown")
  func missing() throws {
    let project = try app("App/S.swift")
    let reasons = project["App.xcodeproj:App"]?.unknownSources ?? []
    #expect(reasons.map(\.severity) == [.warning] && reasons.first?.line != nil)
    #expect(reasons.first?.message == "App/S.swift of target App is missing, so the strings in it are unknown")
    #expect(project.diagnostics.filter { $0 == reasons.first }.count == 1)
    #expect(project["App.xcodeproj:App"]?.generatedSources == [])
  }

  @Test(
    "a listed source that a build generates gives a note, and keys are kept",
    arguments: [
      ("App/S.swift", "", ".gitignore", "S.swift\n"), ("App/Generated/S.swift", "", "App/.gitignore", "/Generated/\n"),
      ("App/S.swift", "\"$(SRCROOT)/App/S.swift\"", "x", ""), ("App/S.swift", "\"App/S.swift\"", "x", ""),
    ])
  func generated(source: String, script: String, name: String, text: String) throws {
    let target = try app(source, script: script, [name: text])["App.xcodeproj:App"]
    #expect(target?.unknownSources == [])
    #expect(target?.generatedSources.map(\.severity) == [.note])
    #expect(target?.generatedSources.first?.message.hasPrefix("\(source) of target App is generated") == true)
  }

  @Test(
    "a path that is known only during a build, and a missing storyboard, are reported as notes",
    arguments: ["$(DERIVED_FILE_DIR)/S.swift", "S.storyboard"])
  func others(source: String) throws {
    let project = try app(source)
    let target = try #require(project["App.xcodeproj:App"])
    #expect(target.unknownSources == [] && target.generatedSources == [] && target.missingTables == [])
    #expect(project.diagnostics.filter { $0.message.contains("not in the repository") }.map(\.severity) == [.note])
  }

  @Test("a missing string table is reported, unless a build generates it", arguments: ["S.xcstrings", "S.strings"])
  func table(source: String) throws {
    let project = try app(source)
    let target = try #require(project["App.xcodeproj:App"])
    #expect(target.unknownSources == [])
    #expect(
      target.missingTables.map(\.message) == [
        "\(source) of target App is missing, so the strings in it are not counted"
      ])
    #expect(try app(source, [".gitignore": source])["App.xcodeproj:App"]?.missingTables == [])
  }

  @Test("the sources of a target are unknown if its synchronized folder is missing or a symbolic link")
  func synchronizedFolder() throws {
    func app(_ files: [String: String] = [:], links: Set<TreePath> = []) throws -> ProjectTarget {
      let project = pbxproj(
        folder("F", "App") + target("T", "App", more: "fileSystemSynchronizedGroups = (F);"),
        children: "F", targets: "T")
      let texts = files.merging(["App.xcodeproj/project.pbxproj": project]) { $1 }
      let tree = InMemoryTree(
        Dictionary(uniqueKeysWithValues: texts.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) }), links: links)
      return try #require(try RepositoryLayout().project(in: tree, excluding: [])["App.xcodeproj:App"])
    }
    for file in ["App/A.swift", "App/a.png", "App/Icon.icon/icon.json"] {
      #expect(try app([file: ""]).unknownSources == [], "\(file)")
    }
    #expect(
      try app().unknownSources.map(\.message) == [
        "this folder of target App is missing, so the strings in it are unknown"
      ])
    #expect(
      try app(links: ["App"]).unknownSources.map(\.message) == [
        "target App contains a symbolic link, which is not followed"
      ])
    let generated = try app([".gitignore": "App/"])
    #expect(generated.unknownSources == [] && generated.generatedSources.map(\.severity) == [.note])
  }

  @Test(
    ".gitignore is read as by git",
    arguments: [
      ("A.swift", "App/A.swift", true), ("/A.swift", "App/A.swift", false), ("App/*.swift", "App/A.swift", true),
      ("App", "App/A.swift", true), ("App/", "App/A.swift", true), ("A.swift/", "App/A.swift", false),
      ("**/A.swift", "App/A.swift", true), ("*.swift\n!A.swift", "App/A.swift", false),
      ("App/\n!A.swift", "App/A.swift", true), ("# A.swift", "App/A.swift", false),
      ("A.swift  \r", "App/A.swift", true),
      ("/*\n!/App", "App/A.swift", false), ("\n\n", "App/A.swift", false),
    ])
  func ignored(rules: String, source: String, isIgnored: Bool) throws {
    let target = try app("App/S.swift", [".gitignore": rules.replacing("A.swift", with: "S.swift")])[
      "App.xcodeproj:App"]
    #expect((target?.generatedSources.isEmpty == false) == isIgnored)
    #expect((target?.unknownSources.isEmpty == true) == isIgnored)
  }
}
