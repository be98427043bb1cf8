/// Bytes ↔ catalog, without loss: the port that a format of `CatalogFormats` meets.
package protocol CatalogFormat: Sendable {
  var name: String { get }

  /// Whether a build in Xcode brings catalogs of this format in step with the code: String Catalogs alone. What others hold is kept by
  /// people; code adds nothing to them and takes nothing out.
  var isKeptInStep: Bool { get }

  /// Whether a catalog that a file of this name names is of this format.
  func recognizes(_ path: TreePath) -> Bool

  /// Reads the files of all languages. A language whose file cannot be read is named in `Catalog.unread`, and the others are read all the
  /// same; what is worth knowing besides is in `Catalog.warnings`.
  /// - Throws: where the file that names the catalog cannot be read: all faults of the files at once, each with line and column.
  func read(_ files: CatalogFiles) throws(InputFault) -> Catalog

  /// The files with a changed catalog: every byte that the change does not account for stays, and what is new is laid out as Xcode
  /// lays it out. A file that has no bytes in `files` is new.
  /// - Returns: the files that differ or are new.
  /// - Throws: if a file that would change cannot be read, or the catalog cannot be said in this format.
  func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]]

  /// The same in pieces of the old bytes and new ones, for a writer that needs no copy of the whole.
  func splice(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: FileContent]

  /// The file that names the catalog, reduced to the source language, as bundles hold it under Source Contents (xcode-formats.md C).
  func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8]
}

extension CatalogFormat {
  package func splice(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: FileContent] {
    try write(catalog, over: files).mapValues { FileContent($0) }
  }
}
