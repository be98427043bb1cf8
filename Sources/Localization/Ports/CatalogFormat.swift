/// A file format of catalogs, which reads catalogs from bytes and writes them without losing content. The formats of `CatalogFormats`
/// implement this protocol.
package protocol CatalogFormat: Sendable {
  var name: String { get }

  /// Whether builds in Xcode sync catalogs of this format with the code. This is true only for String Catalogs. Developers add and remove the
  /// entries of other catalogs by hand.
  var isKeptInStep: Bool { get }

  /// Returns whether the file at a path identifies a catalog of this format. Only the path is checked.
  func recognizes(_ path: TreePath) -> Bool

  /// Reads the files of all languages. A language whose file cannot be read is listed in `Catalog.unread`, and the other languages are
  /// still read. Problems that do not prevent reading are in `Catalog.warnings`.
  /// - Throws: all faults of the files, each with line and column, if the identifying file cannot be read.
  func read(_ files: CatalogFiles) throws(InputFault) -> Catalog

  /// Writes a changed catalog. Bytes that the change does not affect are kept. New bytes have the layout of the file, or Xcode's layout in a new
  /// file. A file without bytes in `files` is new.
  /// - Returns: the changed and the new files.
  /// - Throws: if a file that would change cannot be read, or if the format cannot express the catalog.
  func write(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: [UInt8]]

  /// Writes a changed catalog like `write`, but returns ranges of old bytes and new bytes, so that callers need not copy large files.
  func splice(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: FileContent]

  /// Returns the identifying file, reduced to the source language as in a bundle's Source Contents (xcode-formats.md C).
  func sourceCopy(of files: CatalogFiles) throws(InputFault) -> [UInt8]
}

extension CatalogFormat {
  package func splice(_ catalog: Catalog, over files: CatalogFiles) throws(InputFault) -> [TreePath: FileContent] {
    try write(catalog, over: files).mapValues { FileContent($0) }
  }
}
