import Localization
import Testing

/// Folders named `Pods`, `DerivedData` and similar, which SwiftPM and Xcode do not treat specially.
@Suite("Folders with the names of tools' folders")
struct ToolFolderTests {
  static let names = ["Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules"]

  @Test(
    "a folder named Pods or similar in a package target belongs to the target, with its files and catalogs",
    arguments: names)
  func package(name: String) throws {
    let project = try layout([
      "Package.swift": manifest(
        "targets: [.target(name: \"Kit\", exclude: [\"Out\"]), .target(name: \"Own\", path: \"\(name)/Own\")]"),
      "Sources/Kit/K.swift": "", "Sources/Kit/\(name)/In/\(name)/A.swift": "",
      "Sources/Kit/\(name)/Localizable.xcstrings": catalog("de"), "Sources/Kit/Out/\(name)/B.swift": "",
      "\(name)/Own/O.swift": "", "\(name)/Other/C.swift": "",
    ])
    #expect(project["Kit"]?.sources == ["Sources/Kit/K.swift", "Sources/Kit/\(name)/In/\(name)/A.swift"].sorted())
    #expect(project.feeders(of: TreePath(trusted: "Sources/Kit/\(name)/Localizable.xcstrings")) == ["Kit"])
    #expect(project["Own"]?.sources == ["\(name)/Own/O.swift"])
    #expect(!project.targets.contains { $0.sources.contains { $0.hasSuffix("B.swift") || $0.hasSuffix("C.swift") } })
    #expect(project.diagnostics == [])
  }

  @Test(
    "an Xcode target has the listed files of a folder like Pods, and all files of one in its synchronized folder",
    arguments: names)
  func xcode(name: String) throws {
    let objects =
      file("L", "\(name)/L.swift") + folder("F", "App", exceptions: "E") + folder("G", "Kit/\(name)/Kit")
      + "E = { isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = T; membershipExceptions = (\"Not/\(name)\"); };"
      + target("T", "App", sources: ["L"], more: "fileSystemSynchronizedGroups = (F);")
      + target("U", "Kit", more: "fileSystemSynchronizedGroups = (G);")
    let project = try layout([
      "App.xcodeproj/project.pbxproj": pbxproj(objects, children: "L, F, G", targets: "T, U"), "App/A.swift": "",
      "App/\(name)/B.swift": "", "App/\(name)/Localizable.xcstrings": catalog("de"), "App/Not/\(name)/N.swift": "",
      "\(name)/L.swift": "", "\(name)/M.swift": "", "Kit/\(name)/Kit/K.swift": "", "Kit/\(name)/K.swift": "",
    ])
    #expect(
      project["App.xcodeproj:App"]?.sources == ["App/A.swift", "App/\(name)/B.swift", "\(name)/L.swift"].sorted())
    #expect(project.feeders(of: TreePath(trusted: "App/\(name)/Localizable.xcstrings")) == ["App.xcodeproj:App"])
    #expect(project["App.xcodeproj:Kit"]?.sources == ["Kit/\(name)/Kit/K.swift"])
    #expect(!project.diagnostics.contains { $0.message.contains("no target of this project builds") })
  }

  @Test("outside targets, folders with a tool's name are skipped, even below a project that is read by folders")
  func others() throws {
    let project = try layout([
      "App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "App/Pods/P.swift": "", "Pods/Q.swift": "",
    ])
    #expect(project["App"]?.sources == ["App/A.swift"])
    #expect(project.ids == ["App"])
  }

  @Test("a pattern in the pipeline file can also exclude a folder with a tool's name in a target")
  func excluded() throws {
    let project = try layout(
      [
        "Package.swift": manifest("targets: [.target(name: \"Kit\")]"), "Sources/Kit/K.swift": "",
        "Sources/Kit/Pods/P.swift": "",
      ], excluding: ["**/Pods"])
    #expect(project["Kit"]?.sources == ["Sources/Kit/K.swift"])
  }
}
