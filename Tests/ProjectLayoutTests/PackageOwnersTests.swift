import Localization
import Testing

@testable import ProjectLayout

/// The assignment of files to the targets of a package.
@Suite("Owners of the files of a package")
struct PackageOwnersTests {
  @Test("nested targets, excluded files, resources in other targets' folders and test targets get their files")
  func nested() throws {
    let project = try layout([
      "Package.swift": manifest(
        """
        targets: [
          .target(name: "Whole", path: ".", exclude: ["Left"]),
          .target(name: "Kit", path: "Kit", exclude: ["Inner/Old"]),
          .target(name: "Inner", path: "Kit/Inner", sources: ["Code"]),
          .target(name: "Shared", path: "Shared", resources: [.process("../Kit/Texts")]),
          .testTarget(name: "AllTests", path: "Tests", sources: ["Own"]),
          .target(name: "Support", path: "Tests/Support")]
        """, tools: "6.0"),
      "Main.swift": "", "Left/A.swift": "", "Kit/A.swift": "", "Kit/Inner/A.swift": "", "Kit/Inner/Code/A.swift": "",
      "Kit/Inner/Old/A.swift": "", "Shared/A.swift": "", "Tests/A.swift": "", "Tests/Own/A.swift": "",
      "Tests/Support/A.swift": "", "Kit/Texts/en.lproj/Localizable.strings": "\"a\" = \"a\";\n",
      "Kit/en.lproj/Localizable.strings": "\"a\" = \"a\";\n",
      "Kit/Inner/Texts/en.lproj/Localizable.strings": "\"a\" = \"a\";\n",
      "Tests/Texts/en.lproj/Localizable.strings": "\"a\" = \"a\";\n",
    ])
    #expect(project["Whole"]?.sources == ["Kit/Inner/Old/A.swift", "Main.swift", "Tests/A.swift"])
    #expect(project["Kit"]?.sources == ["Kit/A.swift", "Kit/Inner/A.swift"])
    #expect(project["Inner"]?.sources == ["Kit/Inner/Code/A.swift"])
    #expect(project["Shared"]?.sources == ["Shared/A.swift"])
    #expect(project["AllTests"]?.sources == ["Tests/Own/A.swift"])
    #expect(project["Support"]?.sources == ["Tests/Support/A.swift"])
    #expect(project["Whole"]?.catalogs == [:] && project["AllTests"]?.catalogs == [:])
    #expect(project["Kit"]?.catalogs == ["Localizable": "Kit/en.lproj/Localizable.strings"])
    #expect(project["Inner"]?.catalogs == ["Localizable": "Kit/Inner/Texts/en.lproj/Localizable.strings"])
    #expect(project["Shared"]?.catalogs == ["Localizable": "Kit/Texts/en.lproj/Localizable.strings"])
    #expect(project.testFolders == ["Tests/Own"])
  }

  @Test("a path belongs to the innermost target that takes it, for all combinations of rules", arguments: 1...300)
  func definition(_ seed: Int) {
    var random = LinearGenerator(state: UInt64(seed))
    let names = ["a", "b"]
    let paths =
      [TreePath.root] + names.map { TreePath(trusted: $0) }
      + names.flatMap { first in names.map { TreePath(trusted: "\(first)/\($0)") } }
      + names.flatMap { first in names.map { TreePath(trusted: "a/\(first)/\($0)") } }
    func pick(_ most: Int) -> [TreePath] {
      (0..<Int.random(in: 0...most, using: &random)).map { _ in paths.randomElement(using: &random) ?? .root }
    }
    var placed: [PackageFolders.Placed] = []
    for number in 0..<5 {
      var target = PackageFolders.Placed(
        target: ManifestTarget(kind: .regular, name: "T\(number)", line: 1, column: 1), folder: .root, sources: nil,
        excluded: pick(2), copied: [])
      target.folder = pick(1).first ?? "a"
      if Bool.random(using: &random) { target.sources = pick(2) }
      target.outer = pick(1).filter { !$0.isWithin(target.folder) }
      placed.append(target)
    }
    let order = placed.indices.sorted {
      (-placed[$0].folder.text.utf8.count, $0) < (-placed[$1].folder.text.utf8.count, $1)
    }
    var owners = PackageOwners(placed)
    for path in paths {
      let found = [
        owners.owner(ofSource: path), owners.owner(ofResource: path), owners.owner(ofSourceOrResource: path),
      ]
      let expected = [
        order.first { placed[$0].takesSource(path) }, order.first { placed[$0].takes(path) },
        order.first { placed[$0].takesSource(path) || placed[$0].takes(path) },
      ]
      #expect(found == expected, "\(path)")
      let holders = placed.indices.filter { path.isWithin(placed[$0].folder) }
      #expect(owners.holders(of: path) == holders, "\(path)")
    }
  }

  @Test(
    "the work for targets with their tables is proportional to the number of targets",
    arguments: [
      { _ in .standard }, { .path("Sources/M\($0)") }, { _ in .path("Sources") },
    ] as [@Sendable (Int) -> ManifestTarget.Location])
  func proportional(_ location: @Sendable (Int) -> ManifestTarget.Location) {
    let few = steps(targets: 40, location)
    let many = steps(targets: 80, location)
    #expect(Double(many) <= 2.2 * Double(few), "\(few) for 40 targets, \(many) for 80")
  }

  @Test(
    "the work for a target that excludes many files is not multiplied by the number of other targets",
    arguments: [true, false])
  func excludedFiles(isFirst: Bool) {
    func steps(_ count: Int) -> Int {
      func target(_ name: String, _ excluded: [TreePath]) -> PackageFolders.Placed {
        PackageFolders.Placed(
          target: ManifestTarget(kind: .regular, name: name, line: 1, column: 1), folder: "S", sources: nil,
          excluded: excluded, copied: [])
      }
      let files = (0..<count).map { TreePath(trusted: "S/A/x\($0)") }
      let others = (0..<count).map { target("T\($0)", ["S/A"]) }
      let large = target("L", files)
      var owners = PackageOwners(isFirst ? [large] + others : others + [large])
      for file in files { #expect(owners.owner(ofSource: file.appending("F.swift")) == nil) }
      #expect(owners.owner(ofSource: "S/A/other.swift") == (isFirst ? 0 : count))
      return owners.steps
    }
    let (few, many) = (steps(50), steps(100))
    #expect(Double(many) <= 2.2 * Double(few), "\(few) for 50 files and targets, \(many) for 100")
  }

  /// Assigns the files of a package to its targets. Each target has a source, and tables in two languages.
  /// - Returns: the number of steps.
  private func steps(targets count: Int, _ location: (Int) -> ManifestTarget.Location) -> Int {
    var package = PackageManifest(path: "Package.swift", toolsVersion: ToolsVersion(major: 5, minor: 9))
    package.defaultLocalization = "en"
    var texts: [String: String] = ["Package.swift": ""]
    for number in 0..<count {
      var target = ManifestTarget(kind: .regular, name: "M\(number)", line: 1, column: 1)
      target.location = location(number)
      target.excluded = ["M\(number)", "Old"]
      package.targets.append(target)
      texts["Sources/M\(number)/A.swift"] = ""
      for language in ["en", "de"] {
        texts["Sources/M\(number)/Resources/\(language).lproj/Localizable.strings"] = "\"a\" = \"a\";\n"
      }
    }
    let listing = TreeListing(InMemoryTree(texts: texts), excluding: [])
    let targets = PackageTargets(
      [.root: package], regions: Regions(packages: [.root], projects: []), listing: listing,
      absent: AbsentFolders(listing, packages: [.root]))
    #expect(targets.targets.count == count)
    let sources = targets.targets.flatMap(\.swiftSources)
    #expect(sources.count == count)
    return targets.steps
  }
}

/// The definition of the results of `PackageOwners`.
extension PackageFolders.Placed {
  fileprivate func takesSource(_ path: TreePath) -> Bool {
    holds(path) && sources.map { $0.contains { path.isWithin($0) } } ?? true
  }

  fileprivate func takes(_ path: TreePath) -> Bool { holds(path) || outer.contains { path.isWithin($0) } }
}

/// A generator of the same numbers in every run.
private struct LinearGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (state >> 32) | (state << 32)
  }
}
