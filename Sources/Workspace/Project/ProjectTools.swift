package import Localization

/// The readers of a project: of its layout, its catalogs and the strings of its code. The command line and the daemon use the same tools.
package struct ProjectTools: Sendable {
  package var layout: any ProjectReader
  package var extractor: any StringExtractor
  package var reviewer: any CodeReviewer
  /// The format of a catalog by its path; `nil` if Dragoman does not read it.
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

  /// Returns whether builds sync a catalog with this path with the code.
  package func isKeptInStep(_ path: TreePath) -> Bool { format(path)?.isKeptInStep == true }
}
