import Localization
import ProjectLayout
import Testing

@Suite struct PackageTests {
  @Test("targets are found in SwiftPM's folders")
  func folders() throws {
    let project = try layout([
      "Package.swift": manifest(
        """
        targets: [.target(name: "Kit"), .executableTarget(name: "Tool"), .macro(name: "Macros"), .testTarget(name: "KitTests"),
          .plugin(name: "Gen", capability: .buildTool()), .systemLibrary(name: "CLib"), .target(name: "UI", path: "Custom/UI"),
          .binaryTarget(name: "Blob", path: "Blob.xcframework")]
        """),
      "Sources/Kit/A.swift": "", "Sources/Kit/Deep/B.swift": "", "Sources/Tool/main.swift": "",
      "Sources/Macros/M.swift": "",
      "Tests/KitTests/T.swift": "", "Plugins/Gen/G.swift": "", "Sources/CLib/module.modulemap": "",
      "Custom/UI/U.swift": "",
      "Custom/UI/C.m": "", "Custom/UI/C.h": "",
    ])
    #expect(project.ids == ["CLib", "Gen", "Kit", "KitTests", "Macros", "Tool", "UI"])
    #expect(project["Kit"]?.sources == ["Sources/Kit/A.swift", "Sources/Kit/Deep/B.swift"])
    #expect(project["KitTests"]?.sources == ["Tests/KitTests/T.swift"])
    #expect(project["Gen"]?.sources == ["Plugins/Gen/G.swift"])
    #expect(project["UI"]?.sources == ["Custom/UI/U.swift"])
    #expect(project["UI"]?.otherSources.map(\.path) == ["Custom/UI/C.h", "Custom/UI/C.m"])
    #expect(project.targets.allSatisfy { $0.catalogs.isEmpty && $0.unknownSources.isEmpty })
    #expect(project.diagnostics.isEmpty)
  }

  @Test("the path of a binary target does not matter, because such a target has no sources")
  func computedPathOfBinary() throws {
    let project = try layout([
      "Package.swift": manifest(
        """
        targets: [
          .target(name: "Kit", dependencies: ["Blob"]),
          .binaryTarget(name: "Blob", path: "build/\\(Context.environment["CONFIGURATION"]!)/Blob.xcframework")]
        """),
      "Sources/Kit/A.swift": "",
    ])
    #expect(project.ids == ["Kit"])
    #expect(project["Kit"]?.unknownSources.isEmpty == true)
    #expect(project.diagnostics.isEmpty)
  }

  @Test(
    "the only target may use Sources itself from tools version 5.9 on", arguments: [("5.9", true), ("5.8", false)])
  func soleTarget(tools: String, holds: Bool) throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\"), .testTarget(name: \"KitTests\")]", tools: tools),
      "Sources/A.swift": "", "Tests/KitTests/T.swift": "",
    ])
    #expect(project["Kit"]?.sources == (holds ? ["Sources/A.swift"] : []))
    #expect(project["Kit"]?.unknownSources.isEmpty == holds)
    #expect(project.diagnostics.count == (holds ? 0 : 1))
  }

  @Test("sources, exclude and path determine a target's files")
  func selection() throws {
    let project = try layout([
      "Package.swift": manifest(
        """
        targets: [
          .target(name: "Kit", dependencies: [], path: "Kit", exclude: ["Old", "Draft.swift"], sources: ["New", "Old", "One.swift"]),
          .target(name: "All", path: "."), .testTarget(name: "KitTests", path: "Tests", exclude: ["UI"]),
          .testTarget(name: "UITests", path: "Tests/UI")]
        """),
      "Kit/New/A.swift": "", "Kit/Old/B.swift": "", "Kit/One.swift": "", "Kit/Other.swift": "", "Kit/Draft.swift": "",
      "Kit/Texts/Localizable.xcstrings": catalog("de"), "Kit/Old/Old.xcstrings": catalog("fr"), "Tests/T.swift": "",
      "Tests/UI/U.swift": "", "Main.swift": "", "Package@swift-6.0.swift": "import PackageDescription",
    ])
    #expect(project["Kit"]?.sources == ["Kit/New/A.swift", "Kit/One.swift"])
    #expect(project["Kit"]?.catalogs == ["Localizable": "Kit/Texts/Localizable.xcstrings"])
    #expect(project["KitTests"]?.sources == ["Tests/T.swift"])
    #expect(project["UITests"]?.sources == ["Tests/UI/U.swift"])
    #expect(project["All"]?.sources.contains("Package.swift") == false)
    #expect(project.diagnostics.map(\.path) == ["Package@swift-6.0.swift"])
    #expect(project.diagnostics.first?.severity == .note)
  }

  @Test("a catalog below a target's folder belongs to the target, even if it is not listed")
  func catalogs() throws {
    let project = try layout([
      "Package.swift": manifest(
        """
        targets: [.target(name: "Listed", resources: [.process("Texts")]), .target(name: "Plain"), .target(name: "None"),
          .target(name: "Copied", resources: [.copy("Data")]),
          .target(name: "Embedded", resources: [.embedInCode("Texts/Localizable.xcstrings")]), .testTarget(name: "PlainTests")]
        """),
      "Sources/Listed/A.swift": "", "Sources/Listed/Texts/Localizable.xcstrings": catalog("de"),
      "Sources/Listed/Texts/Errors.xcstrings": catalog("de"), "Sources/Plain/A.swift": "",
      "Sources/Plain/Localizable.xcstrings": catalog("de"), "Sources/None/A.swift": "",
      "Sources/None/de.lproj/Localizable.strings": "", "Sources/Copied/A.swift": "",
      "Sources/Copied/Data/Localizable.xcstrings": catalog("fr"), "Tests/PlainTests/T.swift": "",
      "Sources/Embedded/A.swift": "", "Sources/Embedded/Texts/Localizable.xcstrings": catalog("de"),
      "Tests/PlainTests/Fixtures/Localizable.xcstrings": catalog("xx"),
    ])
    #expect(project["Listed"]?.catalogs.keys.sorted() == ["Errors", "Localizable"])
    #expect(project["Listed"]?.resourceFolder == "Sources/Listed/Texts")
    #expect(project["Plain"]?.catalogs == ["Localizable": "Sources/Plain/Localizable.xcstrings"])
    #expect(project["None"]?.feedsCatalogs == false)
    #expect(project["Copied"]?.feedsCatalogs == false)
    #expect(project["Embedded"]?.catalogs == ["Localizable": "Sources/Embedded/Texts/Localizable.xcstrings"])
    #expect(project["PlainTests"]?.feedsCatalogs == false)
    #expect(project.feeders(of: "Sources/Copied/Data/Localizable.xcstrings") == [])
    #expect(project.feeders(of: "Tests/PlainTests/Fixtures/Localizable.xcstrings") == [])
    #expect(project.feeders(of: "Sources/Plain/Localizable.xcstrings") == ["Plain"])
    #expect(project.languages.contains("xx") == false)
    #expect(
      project.diagnostics.map(\.path) == [
        "Sources/Copied/Data/Localizable.xcstrings", "Sources/None/de.lproj/Localizable.strings",
      ])
  }

  @Test("if a target has two catalogs of one table, strings are added to the first, with a warning")
  func twice() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "Sources/Kit/A.swift": "",
      "Sources/Kit/A/Localizable.xcstrings": catalog("de"), "Sources/Kit/B/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project["Kit"]?.catalogs == ["Localizable": "Sources/Kit/A/Localizable.xcstrings"])
    #expect(project.feeders(of: "Sources/Kit/B/Localizable.xcstrings") == [])
    #expect(project.diagnostics.map(\.path) == ["Sources/Kit/B/Localizable.xcstrings"])
  }

  @Test("dependencies on targets of the same repository are found in every notation")
  func dependencies() throws {
    let project = try layout([
      "App/Package.swift": manifest(
        """
        dependencies: [.package(path: "../Kit"), .package(name: "Old", path: "../Packages/New"), .package(url: "https://x/Far", from: "1.0.0")],
        targets: [.target(name: "App", dependencies: ["Base", .target(name: "Util"), .product(name: "Everything", package: "kit"),
          .product(name: "New", package: "Old"), .byName(name: "Far"), .product(name: "Far", package: "Far")]),
          .target(name: "Base"), .target(name: "Util")]
        """),
      "App/Sources/App/A.swift": "", "App/Sources/Base/A.swift": "", "App/Sources/Util/A.swift": "",
      "Kit/Package.swift": manifest(
        "products: [.library(name: \"Everything\", targets: [\"One\", \"Two\"])], targets: [.target(name: \"One\"), .target(name: \"Two\")]"
      ),
      "Kit/Sources/One/A.swift": "", "Kit/Sources/Two/A.swift": "",
      "Packages/New/Package.swift":
        "import PackageDescription\nlet p = Package(name: \"Old\", targets: [.target(name: \"New\")])",
      "Packages/New/Sources/New/A.swift": "", "Far/Package.swift": manifest("targets: [.target(name: \"Far\")]"),
      "Far/Sources/Far/A.swift": "",
    ])
    #expect(
      project["App:App"]?.dependencies.map(\.rawValue)
        == ["App:Base", "App:Util", "Kit:One", "Kit:Two", "Packages/New:New"])
  }

  @Test("a package inside another package is separate")
  func nested() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\", path: \".\")]"), "A.swift": "",
      "Localizable.xcstrings": catalog("de"),
      "Inner/Package.swift": manifest("targets: [.target(name: \"Inner\", path: \".\")]"),
      "Inner/B.swift": "", "Inner/Localizable.xcstrings": catalog("fr"),
    ])
    #expect(project["Kit"]?.sources == ["A.swift"])
    #expect(project["Inner:Inner"]?.sources == ["Inner/B.swift"])
    #expect(project.feeders(of: "Inner/Localizable.xcstrings") == ["Inner:Inner"])
  }

  @Test("a source file named Package.swift is not treated as a manifest")
  func noManifest() throws {
    let project = try layout([
      "App/Models/Package.swift": "protocol Package { var name: String { get } }",
      "App/Localizable.xcstrings": catalog("de"),
    ])
    #expect(project["App"]?.sources == ["App/Models/Package.swift"])
  }

  @Test("files of a package outside its targets are assigned to folder targets")
  func leftOver() throws {
    let project = try layout([
      "Package.swift": manifest("targets: [.target(name: \"Kit\"), .testTarget(name: \"KitTests\")]"),
      "Sources/Kit/A.swift": "",
      "Sources/Kit/Localizable.xcstrings": catalog("de"), "Tests/KitTests/T.swift": "",
      "Tests/UITests/UITests.xcodeproj/project.pbxproj": "", "Tests/UITests/TestApp/App.swift": "",
      "Tests/UITests/TestApp/ButtonTests/B.swift": "", "Tests/UITests/TestApp/Localizable.xcstrings": catalog("de"),
      "Tests/UITests/TestAppUITests/T.swift": "", "Examples/Demo/D.swift": "",
    ])
    #expect(
      project["Tests/UITests/TestApp"]?.sources
        == ["Tests/UITests/TestApp/App.swift", "Tests/UITests/TestApp/ButtonTests/B.swift"])
    #expect(project.feeders(of: "Tests/UITests/TestApp/Localizable.xcstrings") == ["Tests/UITests/TestApp"])
    #expect(project["Tests/UITests"]?.feedsCatalogs == false)
    #expect(project.feeders(of: "Sources/Kit/Localizable.xcstrings") == ["Kit"])
    #expect(project["."]?.feedsCatalogs == false)
  }

  @Test(
    "resources outside a target's folder belong to the target from tools version 6.0 on", arguments: ["5.10", "6.0"])
  func outerResources(tools: String) throws {
    let project = try layout([
      "Kit/Package.swift": manifest(
        "targets: [.target(name: \"Kit\", path: \"Sources\", resources: [.process(\"../Resources\"), .copy(\"../Raw\")])]",
        tools: tools),
      "Kit/Sources/K.swift": "", "Kit/Resources/Localizable.xcstrings": catalog("de"), "Kit/Resources/No.swift": "",
      "Kit/Raw/Raw.xcstrings": catalog("de"),
    ])
    let kit = try #require(project["Kit:Kit"])
    #expect(kit.sources == ["Kit/Sources/K.swift"])
    #expect(kit.catalogs == (tools == "6.0" ? ["Localizable": "Kit/Resources/Localizable.xcstrings"] : [:]))
  }

  @Test(
    "a String Catalog without a resource rule is built from tools version 5.9 on",
    arguments: [
      ("5.8", "", false), ("5.9", "", true), ("5.8", "resources: [.process(\"Texts\")]", true),
      ("5.8", "resources: [.process(\"Texts/Localizable.xcstrings\")]", true),
      ("5.8", "resources: [.process(\"Other\")]", false), ("5.8", "resources: rules()", true),
    ])
  func catalogWithoutRule(tools: String, resources: String, isBuilt: Bool) throws {
    let rule = resources.isEmpty ? "" : ", " + resources
    let project = try layout([
      "Package.swift": manifest(
        "targets: [.target(name: \"Kit\"\(rule)), .testTarget(name: \"KitTests\")]", tools: tools),
      "Sources/Kit/A.swift": "", "Sources/Kit/Texts/Localizable.xcstrings": catalog("de"),
      "Tests/KitTests/Localizable.xcstrings": catalog("de"),
    ])
    let message =
      "Sources/Kit/Texts/Localizable.xcstrings: warning: SwiftPM does not include this catalog in the product: Package.swift has "
      + "tools version \(tools), and before 5.9 a catalog needs a resource rule"
    #expect(project.unbuiltTables.map(\.withoutHint) == (isBuilt ? [] : [message]))
    #expect(project.unbuiltTables.allSatisfy(project.diagnostics.contains))
  }

  @Test(
    "localized files of a package without defaultLocalization are not built",
    arguments: [
      ("", "Sources/Kit/de.lproj/Localizable.strings", false), ("", "Sources/Kit/en.lproj/Main.xib", false),
      ("defaultLocalization: \"en\", ", "Sources/Kit/en.lproj/Localizable.strings", true),
      ("defaultLocalization: language(), ", "Sources/Kit/en.lproj/Localizable.strings", true),
      ("", "Sources/Kit/Localizable.strings", true), ("", "Tests/KitTests/de.lproj/Localizable.strings", true),
      ("", "Sources/Kit/Copied/de.lproj/Localizable.strings", true),
    ])
  func withoutLanguage(language: String, file: String, isBuilt: Bool) throws {
    let project = try layout([
      "Package.swift": """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", \(language)targets: [
        .target(name: "Kit", resources: [.copy("Copied")]), .testTarget(name: "KitTests")
      ])
      """,
      "Sources/Kit/A.swift": "", "Tests/KitTests/T.swift": "", file: "",
    ])
    let message = "Package.swift: warning: SwiftPM refuses to build \(file): the manifest has no defaultLocalization"
    #expect(project.unbuiltTables.map(\.withoutHint) == (isBuilt ? [] : [message]))
  }
}
