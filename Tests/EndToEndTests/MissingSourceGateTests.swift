import Foundation
import TestSupport
import Testing

/// Gates and `sync` in projects whose targets have sources that are missing on disk or belong to another repository.
@Suite("Gates with missing sources")
struct MissingSourceGateTests {
  private static let project = """
    // !$*UTF8*$!
    { archiveVersion = 1; objectVersion = 56; rootObject = R; objects = {
      R = { isa = PBXProject; mainGroup = M; targets = (T); developmentRegion = en; knownRegions = (en, Base, de); };
      M = { isa = PBXGroup; children = (A, B, C); sourceTree = "<group>"; };
      A = { isa = PBXFileReference; path = App/A.swift; sourceTree = "<group>"; };
      B = { isa = PBXFileReference; path = App/B.swift; sourceTree = "<group>"; };
      C = { isa = PBXFileReference; path = App/Localizable.xcstrings; sourceTree = "<group>"; };
      T = { isa = PBXNativeTarget; name = App; buildPhases = (S, P); buildConfigurationList = L;
        productType = "com.apple.product-type.application"; };
      L = { isa = XCConfigurationList; buildConfigurations = (D); };
      D = { isa = XCBuildConfiguration; name = Release; buildSettings = { SWIFT_EMIT_LOC_STRINGS = YES; }; };
      S = { isa = PBXSourcesBuildPhase; files = (SA, SB); };
      P = { isa = PBXResourcesBuildPhase; files = (PC); };
      SA = { isa = PBXBuildFile; fileRef = A; };
      SB = { isa = PBXBuildFile; fileRef = B; };
      PC = { isa = PBXBuildFile; fileRef = C; };
    }; }

    """
  private static let catalog = GateTests.catalog([
    GateTests.entry("Bye", ["de": "Tschüss"]), GateTests.entry("Hello", ["de": "Hallo"]),
  ])

  /// Returns an app whose second source, with the key `Bye`, is missing.
  private func app() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(Self.project, to: "App.xcodeproj/project.pbxproj")
    try folder.write("import SwiftUI\nlet hello = Text(\"Hello\")\n", to: "App/A.swift")
    try folder.write(Self.catalog, to: "App/Localizable.xcstrings")
    return folder
  }

  @Test("a listed source that is missing fails the gate with its location, and no key is lost")
  func listed() throws {
    let folder = try app()
    let gate = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(gate.status == 1)
    #expect(gate.output.contains("sources are unreadable: App.xcodeproj/project.pbxproj:6:"), "\(gate.output)")
    #expect(gate.output.contains("App/B.swift of target App is missing"))
    let sync = try dragoman(["sync"], in: folder.path)
    #expect(!sync.output.contains("Bye") && sync.errors.contains("keys are only added to this catalog"))
    #expect(String(decoding: try folder.read("App/Localizable.xcstrings"), as: UTF8.self).contains("Tschüss"))
    // After the file is created, its string is found.
    try folder.write("import SwiftUI\nlet bye = Text(\"Bye\")\n", to: "App/B.swift")
    #expect(try dragoman(["status", "--require", "100"], in: folder.path).status == 0)
  }

  @Test("a missing source that git ignores counts as generated: the gate passes, and keys are only added")
  func generated() throws {
    let folder = try app()
    try folder.write("B.swift\n", to: ".gitignore")
    #expect(try dragoman(["status", "--require", "100"], in: folder.path).status == 0)
    let sync = try dragoman(["sync"], in: folder.path)
    #expect(sync.status == 0 && !sync.output.contains("Bye"))
    #expect(sync.errors.contains("App/B.swift of target App is generated"))
    #expect(try dragoman(["sync", "--check"], in: folder.path).status == 0)
  }

  @Test("sources outside a sparse checkout fail the gate, and no key is lost")
  func sparse() throws {
    let repository = try TemporaryRepository()
    try repository.write(GateTests.manifest, to: "Package.swift")
    try repository.write(
      "import Foundation\nlet a = String(localized: \"Bye\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    try repository.write("let b = 1\n", to: "Sources/Tools/Tools.swift")
    try repository.write(Self.catalog, to: GateTests.catalog)
    try repository.commit()
    try repository.git("sparse-checkout", "set", "--no-cone", "/Package.swift", "*.xcstrings", "/Sources/Tools/")
    #expect(!FileManager.default.fileExists(atPath: repository.path + "/Sources/Kit/Kit.swift"))
    for folder in [repository.path, repository.path + "/Sources/.."] {
      let gate = try dragoman(["status", "--require", "0"], in: folder)
      #expect(gate.status == 1 && gate.output.contains("Sources/Kit/Kit.swift"), "\(gate.output)")
      #expect(gate.output.contains("left out of the sparse checkout") && !gate.output.contains("Tools.swift"))
    }
    let sync = try dragoman(["sync"], in: repository.path)
    #expect(sync.output == "" && sync.errors.contains("keys are only added"), "\(sync.output)")
    try repository.git("sparse-checkout", "disable")
    #expect(try dragoman(["sync", "--dry-run"], in: repository.path).errors.contains("sparse") == false)
  }

  @Test("a nested repository in a package's target fails the gate, and no key is lost")
  func nested() throws {
    let folder = try GateTests().project()
    try folder.write("x", to: "Sources/Kit/Sub/.git")
    try folder.write("import Foundation\n", to: "Sources/Kit/Kit.swift")
    let gate = try dragoman(["status", "--require", "0"], in: folder.path)
    #expect(
      gate.status == 1 && gate.output.contains("Sources/Kit/Sub: target Kit has files in a submodule"), "\(gate.output)"
    )
    #expect(gate.output.contains("--submodules") && gate.output.contains("extract.exclude"), "\(gate.output)")
    #expect(try dragoman(["sync"], in: folder.path).output == "")
  }

  @Test("--submodules counts strings in submodules' code, and ignores the submodules' own catalogs")
  func submodules() throws {
    let call = { (key: String) in "import Foundation\nlet a = String(localized: \"\(key)\", bundle: .module)\n" }
    let inner = GateTests.catalog([GateTests.entry("Inner", ["uk": "x"])])
    let sub = try TemporaryRepository()
    try sub.commit([
      "Code/Sub.swift": call("Hello"), "Own/Package.swift": GateTests.manifest,
      "Own/Sources/Kit/Kit.swift": call("New inner"), "Own/Sources/Tools/T.swift": "",
      "Own/" + GateTests.catalog: inner,
    ])
    let repository = try TemporaryRepository()
    try repository.commit([
      "Package.swift": GateTests.manifest.replacing(
        "name: \"Kit\", resources",
        with: "name: \"Kit\", path: \"Sources/Kit\", sources: [\"Kit.swift\", \"Sub/Code\"], resources"),
      "Sources/Tools/T.swift": "", "Sources/Kit/Kit.swift": call("Bye"), GateTests.catalog: Self.catalog,
    ])
    try repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", sub.path, "Sources/Kit/Sub")
    let gate = ["status", "--require", "100"]
    #expect(try dragoman(gate, in: repository.path).status == 1)
    #expect(try dragoman(["sync", "--check"], in: repository.path).status == 1)
    let read = try dragoman(gate + ["--submodules"], in: repository.path)
    #expect(read.output.hasPrefix("PASS de 100 % (2/2), needs 100 %\n") && !read.output.contains("uk"), "\(read)")
    #expect(try dragoman(["sync", "--check", "--submodules"], in: repository.path).status == 0)
    try repository.write(call("More"), to: "Sources/Kit/Sub/Code/Sub.swift")
    let more = try dragoman(gate + ["--submodules"], in: repository.path)
    #expect(more.output.contains("Sources/Kit/Sub/Code/Sub.swift:2: \"More\""), "\(more)")
    let sync = try dragoman(["sync", "--submodules"], in: repository.path)
    #expect(
      sync.output == "\(GateTests.catalog): stale: \"Hello\"\n\(GateTests.catalog): added: \"More\"\n", "\(sync)")
    #expect(
      try String(contentsOfFile: repository.path + "/Sources/Kit/Sub/Own/" + GateTests.catalog, encoding: .utf8)
        == inner)
    let revision = try dragoman(gate + ["--submodules", "--revision", "HEAD"], in: repository.path)
    #expect(revision.status == 64 && revision.errors.contains("leave out --revision"), "\(revision)")
    // With this option, `check` also reads the code of the submodule.
    let advice = ["check", "--format", "json", "--rule", "bundle-missing"]
    try repository.write(
      "import Foundation\nlet a = String(localized: \"More\")\n", to: "Sources/Kit/Sub/Code/Sub.swift")
    #expect(try !dragoman(advice, in: repository.path).output.contains("Sub/Code/Sub.swift"))
    let checked = try dragoman(advice + ["--submodules"], in: repository.path)
    #expect(checked.output.contains("Sources/Kit/Sub/Code/Sub.swift"), "\(checked)")
    #expect(!checked.output.contains("Sub/Own"), "\(checked)")
    // No other repository is changed.
    #expect(try !dragoman(advice + ["--submodules", "--fix"], in: repository.path).errors.contains("fixed: "))
    #expect(try dragoman(advice + ["--submodules", "--revision", "HEAD"], in: repository.path).status == 64)
    // A submodule that is not checked out is still reported.
    try repository.git("submodule", "--quiet", "deinit", "--force", "--all")
    #expect(try dragoman(gate + ["--submodules"], in: repository.path).output.contains("in a submodule"))
  }

  @Test("a local package in an uninitialized submodule fails the gate if a target uses it")
  func localPackage() throws {
    let repository = try TemporaryRepository()
    let manifest = { (dependencies: String) in
      """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", dependencies: [.package(path: "Vendor/Core")], targets: [
        .target(name: "Kit", dependencies: [\(dependencies)], resources: [.process("Resources")]),
      ])
      """
    }
    try repository.write(manifest(".product(name: \"CoreUI\", package: \"Core\")"), to: "Package.swift")
    try repository.write(
      "import Foundation\nlet a = String(localized: \"Hello\", bundle: .module)\n", to: "Sources/Kit/Kit.swift")
    try repository.write(Self.catalog, to: GateTests.catalog)
    try repository.commit()
    let head = try repository.git("rev-parse", "HEAD")
    try repository.git("update-index", "--add", "--cacheinfo", "160000,\(head),Vendor/Core")
    try FileManager.default.createDirectory(
      atPath: repository.path + "/Vendor/Core", withIntermediateDirectories: true)
    let gate = try dragoman(["status", "--require", "0"], in: repository.path)
    let reason = "the package Vendor/Core, which target Kit uses, is in a submodule, which is another repository"
    #expect(gate.status == 1 && gate.output.contains("Package.swift:3:"), "\(gate)")
    #expect(gate.output.contains(reason), "\(gate)")
    #expect(try dragoman(["check"], in: repository.path).status == 65)
    let sync = try dragoman(["sync"], in: repository.path)
    #expect(sync.output == "" && sync.errors.contains("keys are only added"), "\(sync)")
    // If no target uses the package, the gate does not need the package's strings.
    try repository.write(manifest(""), to: "Package.swift")
    let unused = try dragoman(["status", "--require", "0"], in: repository.path)
    #expect(!unused.output.contains("Vendor/Core"), "\(unused)")
  }

  @Test("extract --why finds a string in a folder named Pods that a target contains")
  func why() throws {
    let folder = try GateTests().project([
      "Sources/Kit/Pods/P.swift": "import Foundation\nlet p = String(localized: \"Pod\", bundle: .module)\n"
    ])
    let why = try dragoman(["extract", "--why", "Pod"], in: folder.path)
    #expect(why.output.contains("Sources/Kit/Pods/P.swift:2") && !why.output.contains("no target"), "\(why.output)")
    #expect(try dragoman(["sync"], in: folder.path).output.contains("added: \"Pod\""))
  }

  @Test("a library source that is a symbolic link fails the gate of targets that use the library, and no key is lost")
  func linkedDependency() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      // swift-tools-version: 5.9
      import PackageDescription
      let package = Package(name: "Kit", defaultLocalization: "en", targets: [
        .target(name: "Kit", dependencies: ["Cards"], resources: [.process("Localizable.xcstrings")]),
        .target(name: "Cards"),
      ])
      """, to: "Package.swift")
    try folder.write("import SwiftUI\nlet hello = Card(\"Hello\")\n", to: "Sources/Kit/Kit.swift")
    try folder.write("import SwiftUI\n", to: "Sources/Cards/Cards.swift")
    try folder.write(Self.catalog, to: "Sources/Kit/Localizable.xcstrings")
    #expect(try dragoman(["status", "--require", "100"], in: folder.path).status == 0)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("Sources/Cards/Card.swift"), withDestinationPath: "../../Card.swift")
    let gate = try dragoman(["status", "--require", "100"], in: folder.path)
    #expect(gate.status == 1)
    #expect(
      gate.output.contains("sources are unreadable: Sources/Cards/Card.swift: target Cards contains a symbolic link"),
      "\(gate.output)")
    let sync = try dragoman(["sync"], in: folder.path)
    #expect(sync.output.isEmpty && sync.errors.contains("keys are only added"), "\(sync)")
  }

  @Test("a string of an app extension is in no catalog if only the app has the catalog")
  func extensionOfApp() throws {
    let folder = try TemporaryFolder()
    let targets = { (type: String) in
      Self.project.replacing("targets = (T);", with: "targets = (T, E);")
        .replacing("files = (SA, SB);", with: "files = (SA);").replacing("App/B.swift", with: "Widget/B.swift")
        .replacing(
          "S = {",
          with: """
            E = { isa = PBXNativeTarget; name = Widget; buildPhases = (Q); buildConfigurationList = L;
              productType = "com.apple.product-type.\(type)"; };
            Q = { isa = PBXSourcesBuildPhase; files = (SB); };
            S = {
            """)
    }
    try folder.write("import SwiftUI\nlet hello = [Text(\"Hello\"), Text(\"Bye\")]\n", to: "App/A.swift")
    try folder.write("import SwiftUI\nlet bye = Text(\"Bye\")\n", to: "Widget/B.swift")
    try folder.write(Self.catalog, to: "App/Localizable.xcstrings")
    let shared = { (project: String) in project.replacing("files = (SA);", with: "files = (SA, SB);") }
    for (project, isInApp) in [
      (targets("app-extension"), false), (targets("framework"), true), (shared(targets("app-extension")), true),
    ] {
      try folder.write(project, to: "App.xcodeproj/project.pbxproj")
      let gate = try dragoman(["status", "--require", "100"], in: folder.path)
      #expect((gate.status == 0) == isInApp, "\(gate)")
      #expect(
        gate.output.hasPrefix(
          "FAIL 1 string of the code is in no catalog, because its target has none: Widget/B.swift:2: \"Bye\"")
          != isInApp,
        "\(gate)")
    }
  }
}
