import Localization
import ProjectLayout
import Testing

/// Folders of packages and targets that are missing from the tree.
@Suite("Missing folders")
struct AbsentFolderTests {
  private func project(
    _ files: [String: String], links: Set<TreePath> = [], submodules: Set<TreePath> = [], excluding: [String] = []
  ) throws -> ProjectDescription {
    let files = Dictionary(uniqueKeysWithValues: files.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) })
    return try RepositoryLayout().project(
      in: InMemoryTree(files, links: links, submodules: submodules), excluding: excluding)
  }

  private func reasons(_ project: ProjectDescription, _ id: String) -> [String] {
    project[id]?.unknownSources.map(\.message) ?? []
  }

  // MARK: Targets of packages

  private static let targets = manifest(
    """
    targets: [.target(name: "Kit", path: "Vendor/Kit"), .target(name: "App", dependencies: ["Kit"]),
      .target(name: "Other"), .testTarget(name: "Tests", path: "Gone"), .macro(name: "Macros")]
    """)

  private func package(
    _ files: [String: String] = [:], links: Set<TreePath> = [], submodules: Set<TreePath> = [],
    excluding: [String] = []
  ) throws -> ProjectDescription {
    let own = ["Package.swift": Self.targets, "Sources/App/A.swift": "", "Sources/Other/O.swift": ""]
    return try project(own.merging(files) { $1 }, links: links, submodules: submodules, excluding: excluding)
  }

  @Test("the sources of a target with a missing folder, and of the targets that use it, are unknown")
  func missingTarget() throws {
    let project = try package()
    #expect(reasons(project, "Kit") == ["target Kit has no sources: no folder Vendor/Kit"])
    #expect(reasons(project, "App") == reasons(project, "Kit"))
    #expect(reasons(project, "Other") == [] && project["Kit"]?.unknownSources.first?.line != nil)
    #expect(project["Tests"] == nil && project["Macros"] == nil)
    #expect(project.diagnostics.filter { $0.message.contains("Kit has no sources") }.count == 1)
  }

  @Test(
    "sources in another repository or behind a symbolic link are unknown", arguments: ["Vendor", "Vendor/Kit"])
  func otherPlaces(path: TreePath) throws {
    let other = ["target Kit has files in a submodule, which is another repository"]
    #expect(reasons(try package(submodules: [path]), "Kit") == other)
    #expect(reasons(try package(submodules: [path]), "App") == other)
    #expect(
      reasons(try package(links: [path]), "Kit") == [
        "target Kit has no sources: no folder Vendor/Kit; the symbolic link there is not followed"
      ])
  }

  @Test("sources count as known if a target's folder is empty, excluded, or ignored by git")
  func knownFolders() throws {
    let file = try package(["Vendor/Kit/kit.s": ""])
    #expect(reasons(file, "Kit") == [] && reasons(file, "App") == [])
    #expect(reasons(try package(["vendor/kit/kit.s": ""]), "App") == [])
    #expect(reasons(try package(excluding: ["Vendor"]), "App") == [])
    let ignored = try package([".gitignore": "Vendor/\n"])
    #expect(reasons(ignored, "Kit") == [] && reasons(ignored, "App") == [])
    #expect(ignored["Kit"]?.generatedSources.map(\.severity) == [.note])
  }

  // MARK: Local packages

  private func dependent(
    _ packages: String, _ dependency: String, submodules: Set<TreePath> = []
  ) throws -> [String] {
    let text = manifest(
      "dependencies: [\(packages)], targets: [.target(name: \"App\", dependencies: [\(dependency)])]")
    let kit = manifest("products: [.library(name: \"Here\", targets: [\"Here\"])], targets: [.target(name: \"Here\")]")
    return reasons(
      try project(
        [
          "Package.swift": text, "Sources/App/A.swift": "", "Here/Package.swift": kit,
          "Here/Sources/Here/H.swift": "",
        ], submodules: submodules), "App")
  }

  @Test(
    "sources are unknown for a target that uses a product of a package whose folder is missing",
    arguments: [
      #".product(name: "Some", package: "Kit")"#, #".product(name: "Some", package: "kit")"#, #""Kit""#, #""Some""#,
    ])
  func missingPackage(dependency: String) throws {
    let here = #".package(path: "Here")"#
    let missing = ["the package Vendor/Kit, which target App uses, is missing, so strings may be unknown"]
    let gone = #".package(path: "Vendor/Kit")"#
    #expect(try dependent("\(here), \(gone)", dependency) == missing)
    #expect(
      try dependent(gone, dependency, submodules: ["Vendor/Kit"]) == [
        "the package Vendor/Kit, which target App uses, is in a submodule, which is another repository"
      ])
  }

  @Test("a missing package makes no sources unknown if no target uses it or it is outside this repository")
  func otherPackages() throws {
    let gone = #".package(path: "Vendor/Kit")"#
    let remote = #".package(url: "https://example.com/some", from: "1.0.0")"#
    #expect(try dependent(gone, "") == [])
    #expect(try dependent("\(gone), \(remote)", #""Some""#) == [])
    #expect(try dependent("\(gone), \(remote)", #".product(name: "Some", package: "some")"#) == [])
    #expect(try dependent("\(gone), .package(path: \"Here\")", #""Here""#) == [])
    #expect(try dependent(#".package(path: "../Kit")"#, #""Kit""#) == [])
    #expect(try dependent(#".package(name: "Old", path: "Vendor/Kit")"#, #""Old""#).count == 1)
  }

  @Test("a path to a missing folder refers to the package with the same identity")
  func otherPath() throws {
    let kit = manifest("products: [.library(name: \"UI\", targets: [\"Views\"])], targets: [.target(name: \"Views\")]")
    let features = manifest(
      "dependencies: [.package(path: \"UI\")], targets: [.target(name: \"Features\", dependencies: [\"UI\"])]")
    let project = try project([
      "Features/Package.swift": features, "Features/Sources/Features/F.swift": "", "ui/Package.swift": kit,
      "ui/Sources/Views/V.swift": "",
    ])
    #expect(reasons(project, "Features:Features") == [])
    #expect(project["Features:Features"]?.dependencies.map(\.rawValue) == ["ui:Views"])
  }

  // MARK: Packages of Xcode projects

  private func app(
    reference: String = "", uses: Bool = true, submodules: Set<TreePath> = [], _ files: [String: String] = [:]
  ) throws -> ProjectDescription {
    let objects = """
      LP = { isa = XCLocalSwiftPackageReference; relativePath = Packages/Core; };
      RP = { isa = XCRemoteSwiftPackageReference; repositoryURL = "https://example.com/x"; };
      P = { isa = XCSwiftPackageProductDependency; productName = CoreKit; \(reference) };
      D = { isa = PBXTargetDependency; target = T2; };
      """
    let dependencies = uses ? "packageProductDependencies = (P);" : ""
    let text = pbxproj(
      objects + target("T", "App", more: "dependencies = (D);")
        + target("T2", "Kit", type: "framework", more: dependencies), targets: "T, T2",
      project: "packageReferences = (LP, RP);")
    return try project(files.merging(["App.xcodeproj/project.pbxproj": text]) { $1 }, submodules: submodules)
  }

  @Test("a missing package makes the sources of an Xcode target that uses it unknown, and those of the target's users")
  func missingLocalPackage() throws {
    let missing = ["the package Packages/Core, which target Kit uses, is missing, so strings may be unknown"]
    for reference in ["", "package = LP;"] {
      let project = try app(reference: reference)
      #expect(reasons(project, "App.xcodeproj:Kit") == missing)
      #expect(reasons(project, "App.xcodeproj:App") == missing)
      #expect(project["App.xcodeproj:Kit"]?.unknownSources.first?.line != nil)
      let other = try app(reference: reference, submodules: ["Packages/Core"])
      #expect(
        reasons(other, "App.xcodeproj:Kit").first?.hasSuffix("is in a submodule, which is another repository") == true)
    }
  }

  @Test("an Xcode target's sources are known if its package is unused, remote, or in the tree")
  func knownLocalPackage() throws {
    let kit = manifest(
      "products: [.library(name: \"CoreKit\", targets: [\"Core\"])], targets: [.target(name: \"Core\")]")
    let files = ["Packages/Core/Package.swift": kit, "Packages/Core/Sources/Core/C.swift": ""]
    for project in [
      try app(uses: false), try app(reference: "package = RP;"), try app(files),
      try app(reference: "package = LP;", files),
    ] {
      #expect(reasons(project, "App.xcodeproj:Kit") == [] && reasons(project, "App.xcodeproj:App") == [])
    }
  }

  @Test("a package that only the workspace lists and that is in a submodule makes the sources of its users unknown")
  func workspacePackage() throws {
    let workspace = """
      <?xml version="1.0" encoding="UTF-8"?>
      <Workspace version="1.0"><FileRef location="group:App.xcodeproj"/><FileRef location="group:More/CoreKit"/></Workspace>
      """
    let objects =
      "P = { isa = XCSwiftPackageProductDependency; productName = CoreKit; };"
      + target("T", "App", more: "packageProductDependencies = (P);")
    let project = try project(
      [
        "App.xcodeproj/project.pbxproj": pbxproj(objects, targets: "T"),
        "All.xcworkspace/contents.xcworkspacedata": workspace,
      ], submodules: ["More/CoreKit"])
    #expect(
      reasons(project, "App.xcodeproj:App") == [
        "the package More/CoreKit, which target App uses, is in a submodule, which is another repository"
      ])
  }

  // MARK: Single files of synchronized folders

  @Test(
    "a target that lists single files of a missing folder has unknown sources",
    arguments: ["Both.swift", "Localizable.xcstrings", "image.png"])
  func singleFiles(name: String) throws {
    let objects =
      folder("F", "Shared", exceptions: "E")
      + "E = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; membershipExceptions = (\(name)); target = T; };"
      + target("T", "App")
    let text = pbxproj(objects, children: "F", targets: "T")
    func reasons(_ files: [String: String] = [:], submodules: Set<TreePath> = []) throws -> [String] {
      self.reasons(
        try project(files.merging(["App.xcodeproj/project.pbxproj": text]) { $1 }, submodules: submodules),
        "App.xcodeproj:App")
    }
    let matters = name != "image.png"
    #expect(
      try reasons() == (matters ? ["this folder of target App is missing, so the strings in it are unknown"] : []))
    #expect(
      try reasons(submodules: ["Shared"])
        == (matters ? ["target App has files in a submodule, which is another repository"] : []))
    #expect(try reasons(["Shared/x.png": "", "Shared/Sub/a.txt": ""], submodules: ["Shared/Other"]) == [])
  }
}
