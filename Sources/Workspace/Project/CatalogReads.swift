import Localization
private import Synchronization

/// A tree in which the second reading of a String Catalog returns the bytes of the first. The layout reads a catalog for its languages, and later the
/// snapshot reads it for its content. Reading a catalog of 10 MB from a git repository takes longer than parsing it.
struct CatalogReads<Base: SourceTree>: SourceTree {
  private let base: Base
  private let kept = KeptBytes()

  init(_ base: Base) { self.base = base }

  func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] { try base.list(folder) }
  func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path) }
  func holdsMore(than entries: Int) -> Bool { base.holdsMore(than: entries) }
  func filesLeftOut() -> [TreePath] { base.filesLeftOut() }

  func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    guard path.isStringCatalog else { return try base.read(path) }
    if let bytes = kept.take(path) { return bytes }
    let bytes = try base.read(path)
    kept.keep(bytes, of: path)
    return bytes
  }
}

extension CatalogReads: VersionedTree where Base: VersionedTree {
  var id: String { base.id }
  func modifiedFiles(since earlier: String) -> [TreeEntry]? { base.modifiedFiles(since: earlier) }
}

/// The bytes of files, kept from the first to the second reading.
private final class KeptBytes: Sendable {
  private let bytes = Mutex<[TreePath: [UInt8]]>([:])

  func keep(_ content: [UInt8], of path: TreePath) { bytes.withLock { $0[path] = content } }
  func take(_ path: TreePath) -> [UInt8]? { bytes.withLock { $0.removeValue(forKey: path) } }
}
