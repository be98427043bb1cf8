/// Bytes ↔ catalog, without loss: the port that a format of `CatalogFormats` meets.
package protocol CatalogFormat: Sendable {
  var name: String { get }

  /// Whether a file of this name is of this format.
  func recognizes(_ path: TreePath) -> Bool

  /// - Throws: all faults of the file at once, each with line and column.
  func read(_ bytes: [UInt8], at path: TreePath) throws(InputFault) -> Catalog

  /// The file with a changed catalog: every byte that the change does not account for stays, and what is new is laid out as
  /// Xcode lays it out. `original` is `nil` for a new file.
  /// - Throws: if `original` cannot be read, or the catalog cannot be said in this format.
  func write(_ catalog: Catalog, over original: [UInt8]?) throws(InputFault) -> [UInt8]

  /// The file reduced to the source language, as bundles hold it under Source Contents (formats.md C).
  func sourceCopy(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [UInt8]
}
