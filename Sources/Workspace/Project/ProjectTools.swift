package import Localization

/// The readers of a project's layout, catalogs and code. The command line and the daemon use the same readers.
package struct ProjectTools: Sendable {
  package var layout: any ProjectReader
  package var extractor: any StringExtractor
  package var reviewer: any CodeReviewer
  /// Returns the format of the catalog at a path; `nil` if Dragoman does not support it.
  package var format: @Sendable (TreePath) -> (any CatalogFormat)?

  package init(
    layout: any ProjectReader, extractor: any StringExtractor, reviewer: any CodeReviewer,
    format: @escaping @Sendable (TreePath) -> (any CatalogFormat)?
  ) {
    self.layout = layout
    self.extractor = extractor
    self.reviewer = reviewer
    self.format = format
  }

  /// Returns whether builds sync a catalog at this path with the code.
  package func isKeptInStep(_ path: TreePath) -> Bool { format(path)?.isKeptInStep == true }
}
