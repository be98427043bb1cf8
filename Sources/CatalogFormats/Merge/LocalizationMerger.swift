package import Localization

/// Merges localization files with `CatalogFormats`, for delivery branches that have commits of others.
package struct LocalizationMerger: CatalogMerger {
  package init() {}

  package func merge(
    base: [UInt8]?, ours: [UInt8], theirs: [UInt8], at path: TreePath
  ) throws(InputFault) -> MergedCatalog {
    let merged = try MergeDriver.merge(MergeVersions(base: base ?? [], ours: ours, theirs: theirs), at: path)
    return MergedCatalog(bytes: merged.bytes, conflicts: merged.conflicts.map(\.conflict))
  }
}
