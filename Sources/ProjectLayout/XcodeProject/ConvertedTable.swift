package import Localization

/// A String Catalog, and the files of the table that it replaced.
package struct ConvertedTable: Hashable, Sendable {
  package var catalog: TreePath
  package var removed: Set<TreePath>
  /// The storyboard or xib that the files translated; `nil` for a table of code.
  package var interface: TreePath?

  package init(catalog: TreePath, removed: Set<TreePath>, interface: TreePath? = nil) {
    self.catalog = catalog
    self.removed = removed
    self.interface = interface
  }
}
