import Localization
import ProjectLayout
import Testing

@Suite struct ManifestTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var manifest: String
    var testDescription: String { name }
  }

  /// Manifests in different notations. Each declares exactly the targets Kit and UI.
  static let readable: [Case] = [
    Case(
      name: "literals",
      manifest: manifest("targets: [.target(name: \"Kit\"), .target(name: \"UI\", path: \"Custom/UI\")]")),
    Case(
      name: "constants, concatenation and interpolation",
      manifest: manifest(
        "targets: [.target(name: kit), Target.target(name: ui, path: \"\\(folder)/\" + ui)]",
        before: "let kit = \"Ki\" + \"t\"\nlet ui = \"UI\"\nlet folder = \"Custom\"")),
    Case(
      name: "lists joined",
      manifest: manifest(
        "targets: first + [] + second",
        before:
          "let first: [Target] = [.target(name: \"Kit\")]\nlet second = [Target.target(name: \"UI\", path: \"Custom/UI\")]"
      )),
    Case(
      name: "a list that grows before the package is made",
      manifest: manifest(
        "targets: targets",
        before: """
          var targets: [Target] = []
          targets.append(.target(name: "Kit"))
          targets += [.target(name: "UI", path: "Custom/UI")]
          """)),
    Case(
      name: "targets added to the package",
      manifest: manifest(
        "targets: [.target(name: \"Kit\")]",
        after: "package.targets.append(contentsOf: [.target(name: \"UI\", path: \"Custom/UI\")])")),
    Case(
      name: "the package given later",
      manifest: """
        import PackageDescription
        let package: Package = .init(name: "Kit", targets: [])
        package.defaultLocalization = "en"
        package.targets = [.target(name: "Kit"), .target(name: "UI")]
        package.targets[1].path = nil
        """.replacing("\npackage.targets[1].path = nil", with: "").replacing(
          ".target(name: \"UI\")", with: ".target(name: \"UI\", path: \"Custom/UI\")")),
    Case(
      name: "functions with defaults and labels",
      manifest: manifest(
        "targets: make(\"Kit\") + make(\"UI\", at: \"Custom/UI\")",
        after: """
          func make(_ name: String, at path: String? = nil) -> [Target] {
            var all: [Target] = []
            let target = Target.target(name: name, path: path)
            all.append(target)
            return all
          }
          """)),
    Case(
      name: "extensions and enums",
      manifest: manifest(
        "targets: [.target(name: .kit), .feature(Module.UI.rawValue)]",
        after: """
          extension String { static let kit = "Kit"; var inCustom: String { "Custom/" + self } }
          enum Module: String { case UI }
          extension Target { static func feature(_ name: String) -> Target { .target(name: name, path: name.inCustom) } }
          """)),
    Case(
      name: "map over a list",
      manifest: manifest(
        "targets: [(\"Kit\")].map { .target(name: $0) } + [\"UI\"].map { name in Target.target(name: name, path: \"Custom/\" + name) }"
      )),
    Case(
      name: "a loop that makes targets",
      manifest: manifest(
        "targets: []",
        after: """
          for name in ["Kit", "UI"] {
            package.targets.append(.target(name: name, path: name == "UI" ? "Custom/UI" : nil))
          }
          """)),
    Case(
      name: "a loop that changes settings",
      manifest: manifest(
        "targets: [.target(name: \"Kit\"), .target(name: \"UI\", path: \"Custom/UI\")]",
        after: """
          for target in package.targets where target.type != .plugin {
            var settings = target.swiftSettings ?? []
            settings.append(.enableUpcomingFeature("X"))
            target.swiftSettings = settings
            target.plugins = (target.plugins ?? []) + [.plugin(name: "Lint")]
          }
          """)),
    Case(
      name: "a loop that sets paths",
      manifest: manifest(
        "targets: [.target(name: \"Kit\"), .target(name: \"UI\")]",
        after: "for target in package.targets where target.name == \"UI\" { target.path = \"Custom/\\(target.name)\" }")
    ),
    Case(
      name: "plugins and packages by environment",
      manifest: manifest(
        """
        dependencies: [] + lint(), targets: [.target(name: "Kit", plugins: plugin()), .target(name: "UI", path: "Custom/UI")]
        """,
        after: """
          func lint() -> [Package.Dependency] {
            if ProcessInfo.processInfo.environment["LINT"] != nil { [.package(url: "x", from: "1.0.0")] } else { [] }
          }
          func plugin() -> [Target.PluginUsage] { Context.environment["LINT"] == nil ? [] : [.plugin(name: "Lint")] }
          """)),
    Case(
      name: "conditions of the compiler",
      manifest: manifest(
        "targets: targets()",
        after: """
          func targets() -> [Target] {
            var all: [Target] = [.target(name: "Kit")]
            #if os(Linux) || FLAG
            all.append(.target(name: "Linux"))
            #elseif canImport(Darwin) && swift(>=5.5)
            all.append(.target(name: "UI", path: "Custom/UI"))
            #endif
            return all
          }
          """)),
  ]

  @Test("a manifest is read whatever the notation of its targets", arguments: readable)
  func reads(example: Case) throws {
    let project = try layout([
      "Package.swift": example.manifest, "Sources/Kit/A.swift": "", "Custom/UI/B.swift": "",
      "Custom/UI/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project.diagnostics.filter { $0.severity != .note } == [])
    #expect(project.ids == ["Kit", "UI"])
    #expect(project["Kit"]?.sources == ["Sources/Kit/A.swift"])
    #expect(project["UI"]?.sources == ["Custom/UI/B.swift"])
    #expect(project.targets.allSatisfy { $0.unknownSources.isEmpty })
    #expect(project.sourceLanguage == "en")
  }

  @Test("a value that is known only by running the manifest is reported with its location, and not guessed")
  func unknownValues() throws {
    let project = try layout([
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      import Foundation
      let place = ProcessInfo.processInfo.environment["PLACE"] ?? "x"
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [
        .target(name: "Kit"),
        .target(name: "Open", exclude: ["Old", place]),
        .target(name: "Lost", path: place),
      ])
      """,
      "Sources/Kit/A.swift": "", "Sources/Open/A.swift": "", "Sources/Open/Old/B.swift": "", "Sources/Lost/A.swift": "",
      "Sources/Lost/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project.ids == ["Kit", "Lost", "Open"])
    #expect(project["Kit"]?.unknownSources == [])
    #expect(project["Open"]?.sources == ["Sources/Open/A.swift"])
    #expect(project["Open"]?.unknownSources.count == 1)
    #expect(project["Lost"]?.sources == [])
    #expect(project["Lost"]?.unknownSources.count == 1)
    #expect(project.feeders(of: "Sources/Lost/Localizable.xcstrings") == [])
    let places = project.diagnostics.map { "\($0.path):\($0.line ?? 0):\($0.column ?? 0) \($0.severity)" }
    #expect(places == ["Package.swift:4:13 warning", "Package.swift:4:13 warning"])
  }

  @Test("a list of targets that may be incomplete makes all sources incomplete")
  func openTargets() throws {
    let project = try layout([
      "Package.swift": manifest(
        "targets: [.target(name: \"Kit\")]",
        after: """
          if Context.environment["MORE"] != nil {
            package.targets.append(.target(name: "More"))
          }
          """),
      "Sources/Kit/A.swift": "", "Sources/Kit/Localizable.xcstrings": catalog("de"), "Sources/More/B.swift": "",
      "Sources/More/Localizable.xcstrings": catalog("fr"),
    ])
    #expect(project.ids == ["Kit"])
    #expect(project["Kit"]?.unknownSources.map(\.line) == [5])
    #expect(project.feeders(of: "Sources/More/Localizable.xcstrings") == [])
    #expect(project.feeders(of: "Sources/Kit/Localizable.xcstrings") == ["Kit"])
  }

  static let broken: [Case] = [
    Case(
      name: "an unclosed list", manifest: "import PackageDescription\nlet package = Package(name: \"Kit\", targets: [\n"
    ),
    Case(
      name: "conflict markers",
      manifest: "import PackageDescription\n<<<<<<< HEAD\nlet package = Package(name: \"A\")\n=======\n>>>>>>> b\n"),
    Case(name: "no package", manifest: "import PackageDescription\nlet x = 1\n"),
    Case(
      name: "1,000 nested brackets",
      manifest: "import PackageDescription\nlet package = Package(targets: " + String(repeating: "[", count: 1000)
        + String(repeating: "]", count: 1000) + ")"),
    Case(
      name: "100,000 chained calls",
      manifest: "import PackageDescription\nlet package = Package()" + String(repeating: ".a()", count: 100_000)),
    Case(name: "not UTF-8", manifest: "PackageDescription"),
  ]

  @Test("an unreadable manifest affects only its own package", arguments: broken)
  func breaks(example: Case) throws {
    var bytes = Array(example.manifest.utf8)
    if example.name == "not UTF-8" { bytes += [0x0A, 0xFF, 0xFE] }
    let project = try RepositoryLayout().project(
      in: InMemoryTree([
        "Bad/Package.swift": bytes, "Bad/Sources/Kit/A.swift": [],
        "Bad/Localizable.xcstrings": Array(catalog("de").utf8),
        "Good/Package.swift": Array(manifest("targets: [.target(name: \"Kit\")]").utf8), "Good/Sources/Kit/A.swift": [],
        "Good/Sources/Kit/Localizable.xcstrings": Array(catalog("de").utf8),
      ]), excluding: [])
    #expect(project.ids == ["Good:Kit"])
    #expect(project.feeders(of: "Good/Sources/Kit/Localizable.xcstrings") == ["Good:Kit"])
    #expect(project.feeders(of: "Bad/Localizable.xcstrings") == [])
    #expect(!project.diagnostics.isEmpty)
    for diagnostic in project.diagnostics {
      #expect(diagnostic.path == "Bad/Package.swift" && diagnostic.severity == .error)
      #expect((diagnostic.line ?? 0) >= 1 && (diagnostic.column ?? 0) >= 1)
    }
  }

  @Test("conflict markers in a manifest are reported, with the location of the first one")
  func conflict() throws {
    let lines = ["// swift-tools-version: 6.0", "import PackageDescription", "let package = Package("]
    let text =
      (lines + ["<<<<<<< HEAD", "  name: \"A\"", "=======", "  name: \"B\"", ">>>>>>> b", ")"]).joined(separator: "\n")
    let project = try RepositoryLayout().project(
      in: InMemoryTree(["Package.swift": Array(text.utf8), "Sources/Kit/A.swift": []]), excluding: [])
    #expect(
      project.diagnostics.map(\.description) == [
        """
        Package.swift:4:1: error: conflict markers of an unfinished merge, lines 4 to 8; the targets of the package are unknown
          hint: resolve the conflict and remove the markers
        """
      ])
  }

  static let endless: [Case] = [
    Case(name: "recursion", manifest: manifest("targets: f()", after: "func f() -> [Target] { f() + f() }")),
    Case(
      name: "doubling",
      manifest: manifest(
        "targets: a",
        before: "var a: [Target] = [.target(name: \"Kit\")]\n" + String(repeating: "a += a\n", count: 60))),
    Case(
      name: "loops in loops",
      manifest: manifest(
        "targets: []",
        before: "let n = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]\n" + String(repeating: "for x in n {", count: 12) + "n.f()"
          + String(repeating: "}", count: 12))),
  ]

  @Test("reading stops at a manifest that would never end", arguments: endless)
  func gaveUp(example: Case) throws {
    let project = try layout(["Package.swift": example.manifest, "Sources/Kit/A.swift": ""])
    #expect(example.name == "loops in loops" || !project.diagnostics.isEmpty)
  }

  @Test("a target without a folder and a target outside the package are reported with their location")
  func missingFolders() throws {
    let project = try layout([
      "Kit/Package.swift": manifest(
        "targets: [.target(name: \"Gone\"), .target(name: \"Out\", path: \"../Other\"), .target(name: \"Kit\")]"),
      "Kit/Sources/Kit/A.swift": "", "Other/A.swift": "",
    ])
    #expect(project["Kit:Kit"]?.sources == ["Kit/Sources/Kit/A.swift"])
    #expect(project.diagnostics.map(\.line) == [4, 4])
    #expect(project.diagnostics.map(\.severity) == [.warning, .warning])
  }
}
