package import Localization

/// Merges localization files with `CatalogFormats`, for delivery branches that have commits by other people. Ours is the watched branch:
/// its translations are kept as they are, because only conflicts with our own deliveries are left when the file is written.
package struct LocalizationMerger: CatalogMerger {
  package init() {}

  package func merge(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], at path: TreePath
  ) throws(InputFault) -> MergedCatalog {
    let versions = MergeVersions(base: base ?? [], ours: ours, theirs: theirs, asksForReview: false)
    let merged = try MergeDriver.merge(versions, at: path)
    return MergedCatalog(bytes: merged.bytes, conflicts: merged.conflicts.map(\.conflict))
  }
}
