package import Localization

/// Merges localization files for delivery branches that have commits by other people. The side `ours` is the watched branch. Its translations
/// are not marked for review, because a file is written only if one side of each remaining conflict is a text that Dragoman delivered.
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
