import Localization
private import Synchronization

/// A tree that determines the traits of each Swift file when extraction reads it. Therefore the review does not have to read all files again.
struct ScreenedReads<Base: SourceTree>: SourceTree {
  private let base: Base
  private let reviewer: any CodeReviewer
  private let kept = KeptTraits()

  init(_ base: Base, for reviewer: any CodeReviewer) {
    self.base = base
    self.reviewer = reviewer
  }

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] { try base.list(folder) }
  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path) }
  func holdsMore(than entries: Int) -> Bool { base.holdsMore(than: entries) }
  func filesLeftOut() -> [TreePath] { base.filesLeftOut() }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    let bytes = try base.read(path)
    if path.ending == "swift" { kept.keep(reviewer.traits(of: bytes), of: path) }
    return bytes
  }

  /// The traits of the files that were read.
  var traits: [TreePath: CodeTraits] { kept.all }
}

extension ScreenedReads: VersionedTree where Base: VersionedTree {
  var id: String { base.id }
  func modifiedFiles(since earlier: String) -> [TreeEntry]? { base.modifiedFiles(since: earlier) }
}

private final class KeptTraits: Sendable {
  private let traits = Mutex<[TreePath: CodeTraits]>([:])

  func keep(_ found: CodeTraits, of path: TreePath) { traits.withLock { $0[path] = found } }
  var all: [TreePath: CodeTraits] { traits.withLock { $0 } }
}
