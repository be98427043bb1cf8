/// Merges the two sides of a localization file by key, language and variation. `CatalogFormats` implements this protocol.
package protocol CatalogMerger: Sendable {
  /// Merges two versions of a file.
  /// - Parameters:
  ///   - base: the common ancestor of both sides; `nil` if both sides added the file.
  ///   - ours: the side whose content is kept in conflicts.
  /// - Throws: if a version cannot be read, if the file has another format, or if the merged file cannot be written.
  func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8], at path: TreePath) throws(InputFault) -> MergedCatalog
}

/// A merged file and its conflicts.
package struct MergedCatalog: Sendable {
  package var bytes: [UInt8]
  package var conflicts: [MergeConflict]

  package init(bytes: [UInt8], conflicts: [MergeConflict]) {
    self.bytes = bytes
    self.conflicts = conflicts
  }
}
