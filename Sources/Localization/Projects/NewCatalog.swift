/// A String Catalog that will be created.
package struct NewCatalog: Hashable, Sendable {
  package var path: TreePath
  /// The target whose strings are added to the catalog.
  package var target: TargetID

  package init(path: TreePath, target: TargetID) {
    self.path = path
    self.target = target
  }
}
