import Localization
import Synchronization
import Testing

/// A tree whose folders all have the same content. In git, a few tree objects describe such a tree.
private final class EndlessTree: SourceTree {
  let folders: Int
  let listed = Mutex(0)

  init(folders: Int) { self.folders = folders }

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    listed.withLock { $0 += 1 }
    return [TreeEntry(path: folder.appending("A.swift"), kind: .file)]
      + (0..<folders).map { TreeEntry(path: folder.appending("d\($0)"), kind: .folder) }
  }

  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { nil }
  func read(_ path: TreePath) throws(TreeError) -> [UInt8] { [] }
}

@Suite struct TreeWalkTests {
  private func walk(_ tree: EndlessTree, _ limits: TreeWalkLimits) -> (files: Int, errors: [TreeError]) {
    var errors: [TreeError] = []
    let files = tree.walk(limits: limits, unreadable: { errors.append($0) }).count
    return (files, errors)
  }

  @Test("a walk stops at the maximum number of entries, returns no entries, and reports the limit once")
  func entries() {
    for limit in [1000, 2000] {
      let tree = EndlessTree(folders: 10)
      let found = walk(tree, TreeWalkLimits(entries: limit, depth: 20, pathBytes: 1 << 20))
      #expect(found.errors.map(\.kind) == [.tooLarge])
      #expect(found.errors.first?.detail.contains("\(limit) files and folders") == true)
      #expect(tree.listed.withLock { $0 } <= limit / 11 + 1)
      #expect(found.files == 0)
    }
  }

  @Test("a walk stops at the maximum size of all paths")
  func bytes() {
    let tree = EndlessTree(folders: 2)
    let found = walk(tree, TreeWalkLimits(entries: 1_000_000, depth: 1000, pathBytes: 10_000))
    #expect(found.errors.map(\.kind) == [.tooLarge])
    #expect(tree.listed.withLock { $0 } < 1000)
  }

  @Test("folders below the maximum depth are skipped with one error, and all others are read")
  func depth() {
    let found = walk(EndlessTree(folders: 2), TreeWalkLimits(entries: 1_000_000, depth: 5, pathBytes: 1 << 20))
    #expect(found.files == 63)
    #expect(found.errors.count == 1)
    #expect(found.errors.first?.detail.contains("5 levels deep") == true)
  }
}
