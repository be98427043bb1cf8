import Localization
private import Synchronization

/// A cache of the catalogs of the last tree that was read. Most of these catalogs are unchanged in the next tree of the same repository.
package final class CatalogMemory: Sendable {
  /// The description of a catalog, and the blobs of its files.
  fileprivate struct Key: Hashable {
    var files: ProjectCatalog
    var blobs: [TreePath: BlobID]

    /// Returns the key of a catalog in a tree; `nil` if a file has no blob ID, as in a directory.
    init?(_ catalog: ProjectCatalog, in tree: any SourceTree) {
      var blobs: [TreePath: BlobID] = [:]
      for path in catalog.paths {
        guard let blob = try? tree.entry(at: path)?.blob else { return nil }
        blobs[path] = blob
      }
      files = catalog
      files.targets = []
      self.blobs = blobs
    }
  }

  fileprivate struct Entry {
    var catalog: Catalog
    var files: CatalogFiles
  }

  private let entries = Mutex<[Key: Entry]>([:])
  private let other: CatalogMemory?

  /// - Parameter other: another memory whose catalogs are used too but never changed.
  package init(beside other: CatalogMemory? = nil) { self.other = other }

  fileprivate subscript(key: Key) -> Entry? { entries.withLock { $0[key] } ?? other?[key] }
  fileprivate func replace(with kept: [Key: Entry]) { entries.withLock { $0 = kept } }
}

/// Reads the catalogs of one tree. Unchanged catalogs are taken from a memory.
struct CatalogReading {
  private let memory: CatalogMemory?
  private var kept: [CatalogMemory.Key: CatalogMemory.Entry] = [:]
  /// The memory key of the catalog whose files were requested last.
  private var key: CatalogMemory.Key?
  private var known: CatalogMemory.Entry?

  init(_ memory: CatalogMemory?) { self.memory = memory }

  mutating func files(of catalog: ProjectCatalog, in tree: any SourceTree) throws(TreeError) -> CatalogFiles {
    key = memory == nil ? nil : CatalogMemory.Key(catalog, in: tree)
    known = key.flatMap { memory?[$0] }
    if let known { return known.files }
    return try LFSPointer.refusing(catalog.files(in: tree))
  }

  /// Returns the content of a catalog, from the memory or from its files.
  /// - Parameter files: the result of ``files(of:in:)`` for this catalog.
  mutating func catalog(
    of catalog: ProjectCatalog, _ files: CatalogFiles, as format: any CatalogFormat
  ) throws(InputFault) -> Catalog {
    let content: Catalog
    if let known { content = known.catalog } else { content = try format.read(files) }
    if let key, files.unread.isEmpty {
      var entry = CatalogMemory.Entry(catalog: content, files: files)
      entry.files.origin = content.origin
      kept[key] = entry
    }
    return content
  }

  /// Keeps the catalogs that were read completely, for the next tree.
  func finish() { memory?.replace(with: kept) }
}
