import Localization
import ProjectLayout
import Testing

@Suite("A tree that is read only in part")
struct DeepTreeTests {
  /// A tree of endlessly nested folders.
  private struct DeepTree: SourceTree {
    func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
      [
        TreeEntry(path: folder.appending("A.swift"), kind: .file),
        TreeEntry(path: folder.appending("Localizable.xcstrings"), kind: .file),
        TreeEntry(path: folder.appending("in"), kind: .folder),
      ]
    }

    func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { nil }
    func read(_ path: TreePath) throws(TreeError) -> [UInt8] { Array(catalog("de").utf8) }
  }

  @Test("if a part of the tree is not read, the sources of all targets are incomplete, and this is reported once")
  func deep() throws {
    let project = try RepositoryLayout().project(in: DeepTree(), excluding: [])
    #expect(!project.targets.isEmpty)
    #expect(project.targets.allSatisfy { target in target.unknownSources.contains { $0.message.contains("nested") } })
    #expect(project.diagnostics.filter { $0.message.contains("nested") }.count == 1)
  }
}
