import Localization
import ProjectLayout
import Testing

@Suite struct XcodeBadInputTests {
  private static let files = [
    "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "Widget/W.swift": "",
    "Widget/Localizable.xcstrings": catalog("de"),
  ]

  @Test(
    "an unreadable project file is an error with its location, folders are used as targets, and no key is removed",
    arguments: [
      ("", "1:1: error: the file is empty"),
      ("{ objects = { A = { isa = PBXProject; ", "1:39: error: the file ends within 3 open"),
      ("{\n  objects = {\n<<<<<<< HEAD\n", "3:1: error: conflict markers"),
      ("{ rootObject = A; }", "1:1: error: the project file has no `objects`"),
      ("{ objects = { }; rootObject = A; }", "1:1: error: `rootObject` does not reference an object"),
      (
        "{ objects = { A = { isa = PBXGroup; }; }; rootObject = A; }",
        "1:19: error: `rootObject` does not reference a PBXProject"
      ),
      (
        "<?xml version=\"1.0\"?><plist/>",
        "1:2: error: expected a hexadecimal digit or '>', found '?'"
      ),
    ])
  func broken(text: String, message: String) throws {
    let project = try layout(Self.files.merging(["App.xcodeproj/project.pbxproj": text]) { $1 })
    #expect(project.ids == ["App", "Widget"])
    #expect(project.feeders(of: "App/Localizable.xcstrings") == ["App"])
    #expect(
      project.targets.allSatisfy { target in
        target.unknownSources.contains { $0.description.hasPrefix("App.xcodeproj/project.pbxproj:\(message)") }
      }, "\(project.diagnostics)")
    #expect(project.diagnostics.contains { $0.severity == .error })
  }

  @Test("a settings file with a merge conflict is an error, and neither side of it is used")
  func conflictInSettings() throws {
    let settings = "A = 1\n<<<<<<< HEAD\nPRODUCT_MODULE_NAME = Ours\n=======\nPRODUCT_MODULE_NAME = Theirs\n>>>>>>> b\n"
    let project = try layout(
      Self.files.merging([
        "App.xcodeproj/project.pbxproj": pbxproj(
          target("T", "App", sources: ["A"], base: "baseConfigurationReference = XC;") + file("A", "App/A.swift")
            + file("XC", "A.xcconfig"), children: "A, XC", targets: "T"), "A.xcconfig": settings,
      ]) { $1 })
    #expect(
      project.diagnostics.filter { $0.severity == .error }.map(\.withoutHint) == [
        "A.xcconfig:2:1: error: conflict markers of an unfinished merge, lines 2 to 6"
      ])
    #expect(project["App.xcodeproj:App"]?.name == "App")
  }

  @Test("a file of XcodeGen with a merge conflict is an error, and neither side of it is used")
  func conflictInGenerator() throws {
    let conflict =
      "settings:\n<<<<<<< HEAD\n  SWIFT_EMIT_LOC_STRINGS: NO\n=======\n  SWIFT_EMIT_LOC_STRINGS: YES\n>>>>>>> b\n"
    let project = try layout([
      "App/project.yml": "name: App\ntargets:\n  App:\n    platform: iOS\n" + conflict,
      "App/Sources/A.swift": "", "App/Sources/Localizable.xcstrings": catalog("de"),
      "Other/project.yml": "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> b\n",
    ])
    #expect(
      project.diagnostics.filter { $0.severity == .error }.map(\.withoutHint) == [
        "App/project.yml:6:1: error: conflict markers of an unfinished merge, lines 6 to 10"
      ])
    #expect(project["App/Sources"]?.codeStrings == .typed)
  }

  @Test("dangling references, unknown objects and cyclic groups are reported, and all other objects are read")
  func dangling() throws {
    let project = try layout(
      Self.files.merging([
        "App.xcodeproj/project.pbxproj": pbxproj(
          """
          G = { isa = PBXGroup; children = (A, G, NONE, H); path = App; sourceTree = "<group>"; };
          H = { isa = PBXGroup; children = (G, ODD); sourceTree = "<group>"; };
          ODD = { isa = PBXSomethingNew; path = x; };
          \(file("A", "A.swift")) \(file("GONE", "Gone.swift")) \(file("AWAY", "../../Away.swift"))
          \(file("SDK", "System/SDK.swift", tree: "SDKROOT"))
          \(target("T", "App", sources: ["A", "MISSING", "GONE", "AWAY", "SDK"]).replacing("T_AWAY)", with: "T_AWAY, NOTHING)"))
          """, children: "G, H, GONE, AWAY, SDK", targets: "T, U")
      ]) { $1 })
    let app = try #require(project["App.xcodeproj:App"])
    #expect(app.sources == ["App/A.swift"])
    let missing = "Gone.swift of target App is missing, so the strings in it are unknown"
    #expect(app.unknownSources.map(\.message) == [missing])
    let messages = project.diagnostics.map(\.message)
    for expected in [
      "a group references a missing object: NONE", "an object is in two groups or contains itself",
      "the project references a missing target: U", missing,
      "a build phase of target App references a file with a missing reference",
    ] {
      #expect(messages.contains(expected), "\(messages)")
    }
    #expect(
      project.diagnostics.allSatisfy {
        $0.severity != .error
          && ($0.line != nil || $0.path.hasSuffix("xcstrings") || $0.message.contains("no target of this project"))
      })
  }

  @Test("endlessly nested groups are truncated, and ten thousand targets are read")
  func absurd() throws {
    let nested = (0..<2000).map {
      "G\($0) = { isa = PBXGroup; children = (G\($0 + 1)); path = d; sourceTree = \"<group>\"; };"
    }
    let deep = try layout(["App.xcodeproj/project.pbxproj": pbxproj(nested.joined(separator: "\n"), children: "G0")])
    #expect(deep.diagnostics.map(\.severity) == [.warning])
    let many = (0..<1000).map { "T\($0) = { isa = PBXNativeTarget; name = App; };" }
    let wide = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(
        many.joined(separator: "\n"), targets: (0..<1000).map { "T\($0)" }.joined(separator: ","))
    ])
    #expect(Set(wide.ids).count == 1000)
  }

  @Test("a source that is behind a symbolic link counts as unknown")
  func links() throws {
    let tree = InMemoryTree(
      [
        "App.xcodeproj/project.pbxproj": Array(
          pbxproj(
            folder("F", "App") + file("L", "Linked/L.swift")
              + target("T", "App", sources: ["L"], more: "fileSystemSynchronizedGroups = (F);"), children: "F, L",
            targets: "T"
          ).utf8), "App/A.swift": [],
      ], links: ["Linked", "App/More"])
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    #expect(project["App.xcodeproj:App"]?.unknownSources.map(\.path) == ["Linked", "App/More"])
  }

  @Test("sources in a submodule and missing sources are unknown, whether listed or in a synchronized folder")
  func submodules() throws {
    let objects =
      folder("F", "App") + file("L", "Vendor/Kit/L.swift") + file("M", "Other/M.swift")
      + target("T", "App", sources: ["L", "M"], more: "fileSystemSynchronizedGroups = (F);")
      + folder("G", "Vendor/Kit/Sources") + target("U", "Kit", more: "fileSystemSynchronizedGroups = (G);")
      + target("V", "Plain", sources: ["M"])
    let tree = InMemoryTree(
      [
        "App.xcodeproj/project.pbxproj": Array(pbxproj(objects, children: "F, G, L, M", targets: "T, U, V").utf8),
        "App/A.swift": [], "Other/O.swift": [],
      ], submodules: ["App/More", "Vendor/Kit", "Unused"])
    let project = try RepositoryLayout().project(in: tree, excluding: [])
    let file = "App.xcodeproj/project.pbxproj"
    #expect(project["App.xcodeproj:App"]?.unknownSources.map(\.path) == ["Vendor/Kit", file, "App/More"])
    #expect(project["App.xcodeproj:Kit"]?.unknownSources.map(\.path) == ["Vendor/Kit"])
    #expect(project["App.xcodeproj:Plain"]?.unknownSources.map(\.path) == [file])
  }

  @Test(
    "a missing generated project is reported, and its folders are used as targets",
    arguments: ["App/project.yml", "App/Project.swift"])
  func generated(path: String) throws {
    let text =
      path.hasSuffix("yml")
      ? "name: App\ntargets:\n  App:\n    platform: iOS\n" : "import ProjectDescription\nlet p = Project()"
    let project = try layout([
      path: text, "App/Sources/A.swift": "", "App/Sources/Localizable.xcstrings": catalog("de"),
      "Tool.xcodeproj/project.pbxproj": pbxproj(
        folder("F", "Tool") + target("T", "Tool", more: "fileSystemSynchronizedGroups = (F);"), children: "F",
        targets: "T"),
      "Tool/T.swift": "", "Project.swift": "struct Project {}",
    ])
    #expect(project.feeders(of: "App/Sources/Localizable.xcstrings")?.contains("App/Sources") == true)
    #expect(project.diagnostics.map(\.path).contains(path))
    #expect(project["Tool.xcodeproj:Tool"]?.sources == ["Tool/T.swift"])
    // Files next to a readable project that are in no target do not become a folder target.
    #expect(!project.targets.contains { $0.sources.contains("Project.swift") })
  }

  /// A YAML document with twelve levels of lists of eight aliases each, which has 8^12 nodes.
  private static let aliases: String = {
    var text = "0: &b0 [x, x]\n"
    for level in 1...12 {
      let names = Array(repeating: "*b\(level - 1)", count: 8).joined(separator: ", ")
      text += "\(level): &b\(level) [\(names)]\n"
    }
    return text
  }()

  @Test(
    "XcodeGen's file determines which strings are extracted from its project's code",
    arguments: [
      ("settings:\n  base:\n    OTHER: YES\n", ProjectTarget.CodeStrings.searched),
      ("settings:\n  SWIFT_EMIT_LOC_STRINGS: YES\n", .typed),
      ("settings:\n  base:\n    SWIFT_EMIT_LOC_STRINGS: \"NO\"\n    LOCALIZED_STRING_SWIFTUI_SUPPORT: false\n", .none),
      ("include:\n  - other.yml\n", .typed), ("configFiles:\n  Debug: a.xcconfig\n", .typed),
      ("a: [unclosed\n", .typed),
      (Self.aliases, .typed),
    ])
  func generatedSettings(_ settings: String, _ taken: ProjectTarget.CodeStrings) throws {
    let project = try layout([
      "App/project.yml": "name: App\ntargets:\n  App:\n    platform: iOS\n    sources: [Sources]\n" + settings,
      "App/Sources/A.swift": "", "App/Sources/Localizable.xcstrings": catalog("de"), "B/B.swift": "",
      "B/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project["App/Sources"]?.codeStrings == taken)
    #expect(project["B"]?.codeStrings == .typed)
  }

  @Test("XcodeGen's Info.plist texts are assigned to the only target that has the catalog among its sources")
  func generatedInfoPlist() throws {
    let plist =
      "    info:\n      path: I.plist\n      properties:\n        CFBundleDisplayName: Birds\n        UILaunchScreen: {}\n"
    let project = try layout([
      "App/project.yml": "name: App\ntargets:\n  App:\n    platform: iOS\n    sources: [Sources, Shared]\n" + plist
        + "  Kit:\n    platform: iOS\n    sources:\n      - path: ./Kit/\n      - Shared\n" + plist
        + "  Out:\n    platform: iOS\n    sources: ../B\n" + plist,
      "App/Sources/A.swift": "", "App/Sources/InfoPlist.xcstrings": catalog("de"), "App/Kit/K.swift": "",
      "App/Kit/Kit-InfoPlist.xcstrings": catalog("de"), "App/Shared/S.swift": "",
      "App/Shared/InfoPlist.xcstrings": catalog("de"), "B/B.swift": "", "B/InfoPlist.xcstrings": catalog("de"),
    ])
    let own = project["App/Sources"]?.infoPlistOfGenerator
    #expect(own?.keys.sorted() == ["CFBundleDisplayName"])
    #expect(own?["CFBundleDisplayName"] == BuildSetting(value: "Birds", path: "App/project.yml", line: 9, column: 30))
    #expect(project["App/Kit"]?.infoPlistOfGenerator["CFBundleDisplayName"]?.line == 19)
    // Two targets have this catalog, so neither target gets the texts.
    #expect(project["App/Shared"]?.infoPlistOfGenerator == [:])
    #expect(project["B"]?.infoPlistOfGenerator == [:])
  }

  @Test("a project file with changed, removed or duplicated bytes is read or refused without a crash")
  func mutations() throws {
    let text = pbxproj(
      """
      G = { isa = PBXGroup; children = (A, V); path = App; sourceTree = "<group>"; };
      V = { isa = PBXVariantGroup; children = (S); sourceTree = "<group>"; };
      \(file("A", "A.swift")) \(file("S", "en.lproj/Localizable.strings")) \(folder("F", "Sub", exceptions: "E"))
      E = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T; membershipExceptions = ("/Localized: x"); };
      \(target("T", "App", sources: ["A"], resources: ["V"], settings: "X = \"$(A:lower) ${B}\"; A = $;"))
      """, children: "G, F", targets: "T")
    let bytes = Array(text.utf8)
    let pool = Array("{}()=;,\"\\<>$ATGF/*: \n".utf8) + [0, 0x80, 0xC3, 0xFF]
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<300 {
      var mutated = bytes
      for _ in 0...random(3) {
        let place = random(mutated.count)
        switch random(3) {
        case 0: mutated[place] = pool[random(pool.count)]
        case 1: mutated.remove(at: place)
        default:
          mutated.insert(contentsOf: mutated[place..<min(place + random(60), mutated.count)], at: random(mutated.count))
        }
      }
      let tree = InMemoryTree([
        "App.xcodeproj/project.pbxproj": mutated, "App/A.swift": [], "Sub/B.swift": [],
        "App/en.lproj/Localizable.strings": [],
      ])
      _ = try RepositoryLayout().project(in: tree, excluding: [])
    }
  }
}
