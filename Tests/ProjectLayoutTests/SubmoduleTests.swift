import Localization
import ProjectLayout
import Testing

/// Other repositories inside targets of packages and folders. `XcodeBadInputTests` tests the same for Xcode projects.
@Suite("Submodules in targets")
struct SubmoduleTests {
  @Test("a submodule in a target of a package or of a folder makes the target's sources unknown")
  func submodules() throws {
    func texts(_ files: [String: String]) -> [TreePath: [UInt8]] {
      Dictionary(uniqueKeysWithValues: files.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) })
    }
    let package = InMemoryTree(
      texts([
        "Package.swift": manifest(
          "targets: [.target(name: \"Kit\", exclude: [\"Not\"]), .target(name: \"Part\", sources: [\"In\"])]"),
        "Sources/Kit/K.swift": "", "Sources/Kit/Localizable.xcstrings": catalog("de"), "Sources/Part/In/P.swift": "",
      ]), submodules: ["Sources/Kit/Sub", "Sources/Kit/Not/Sub", "Sources/Part/In/Sub", "Sources/Part/Out", "Other"])
    let project = try RepositoryLayout().project(in: package, excluding: [])
    #expect(project["Kit"]?.unknownSources.map(\.path) == ["Sources/Kit/Sub"])
    #expect(project["Part"]?.unknownSources.map(\.path) == ["Sources/Part/In/Sub"])
    #expect(
      project.diagnostics.filter { $0.message.hasSuffix("has files in a submodule, which is another repository") }.count
        == 2
    )
    let folders = InMemoryTree(
      texts(["App/A.swift": "", "App/Localizable.xcstrings": catalog("de"), "Tool/T.swift": ""]),
      submodules: ["App/More/Sub", "Vendor"])
    let app = try RepositoryLayout().project(in: folders, excluding: [])
    #expect(app["App"]?.unknownSources.map(\.path) == ["App/More/Sub"])
  }
}
