/// Finds the catalog that the `original` of a returned file means.
struct CatalogMatch {
  enum Result {
    /// The path is the catalog's.
    case exact(TreePath)
    /// One path ends in the other, and only one catalog's does.
    case suffix(TreePath)
    case ambiguous([TreePath])
    case none
  }

  private let paths: [TreePath]
  private let known: Set<TreePath>

  init(_ paths: some Sequence<TreePath>) {
    known = Set(paths)
    self.paths = known.sorted()
  }

  /// `original` is relative to the project's folder, which may lie below or above the root of the tree, or beside a
  /// package (`../../Kit/…`; formats.md B1): so an exact match counts first, then a unique one by whole components from
  /// the end.
  func find(_ original: String) -> Result {
    if let path = TreePath(checking: original), known.contains(path) { return .exact(path) }
    let wanted = Self.inTree(original)
    guard !wanted.isRoot else { return .none }
    let found = paths.filter { Self.ends($0, in: wanted) || Self.ends(wanted, in: $0) }
    switch found.count {
    case 0: return .none
    case 1: return .suffix(found[0])
    default: return .ambiguous(found)
    }
  }

  /// The path without what leads out of the tree, so that it can stand in a report.
  static func inTree(_ original: String) -> TreePath {
    let components = original.split(separator: "/").filter { $0 != "." && $0 != ".." && !$0.utf8.contains(0) }
    return TreePath(trusted: components.joined(separator: "/"))
  }

  private static func ends(_ path: TreePath, in suffix: TreePath) -> Bool {
    let (all, end) = (path.components, suffix.components)
    return end.count <= all.count && zip(all.suffix(end.count), end).allSatisfy { String($0).isExactly(String($1)) }
  }
}
