/// Merges the two sides of a localization file by key, language and variation; `CatalogFormats` does it.
package protocol CatalogMerger: Sendable {
  /// - Parameters:
  ///   - base: the file that both sides began with; `nil` where each side added it.
  ///   - ours: wins where both sides wrote something else.
  /// - Throws: where a side cannot be read.
  func merge(base: [UInt8]?, ours: [UInt8], theirs: [UInt8], at path: TreePath) throws(InputFault) -> MergedCatalog
}

/// A merged file, and where both sides wrote something else.
package struct MergedCatalog: Sendable {
  package var bytes: [UInt8]
  package var conflicts: [MergeConflict]

  package init(bytes: [UInt8], conflicts: [MergeConflict]) {
    self.bytes = bytes
    self.conflicts = conflicts
  }
}
