/// The paths of a project's catalogs, indexed by their last components.
///
/// On a Mac's disk, names that differ only in case or Unicode normalization are the same file. `matching` and `namesakes` therefore compare names as
/// Swift strings in lower case.
struct CatalogPaths {
  /// The table or interface file of a path in a language folder.
  private struct Table: Hashable {
    var path: TreePath
    var ending: String
  }

  /// An edge of the trie: a path component and the node from which it starts.
  private struct Edge: Hashable {
    var node: Int
    var name: String
  }

  /// A node of the trie: the paths that are equal to the components up to the node, and the longer paths that end with these components.
  private struct Node {
    var equal: [TreePath] = []
    var longer: [TreePath] = []
  }

  private let known: Set<TreePath>
  /// The edges of a trie of the paths' components, from the last component to the first. The root is node 0.
  private var edges: [Edge: Int] = [:]
  private var nodes = [Node()]
  private let byName: [String: [TreePath]]
  /// The catalogs by the stem of their file names, in lower case.
  private let byStem: [String: [TreePath]]
  private let byTable: [Table: [TreePath]]

  init(_ known: Set<TreePath>) {
    self.known = known
    let paths = known.sorted()
    byName = Dictionary(grouping: paths) { $0.name.lowercased() }
    byStem = Dictionary(grouping: paths.filter(Self.isCatalog)) { $0.stem.lowercased() }
    byTable = Dictionary(grouping: paths.filter(\.isInLanguageFolder), by: Self.table)
    for path in paths { insert(path) }
  }

  private mutating func insert(_ path: TreePath) {
    var node = 0
    let names = Self.names(of: path)
    for (index, name) in names.enumerated() {
      let edge = Edge(node: node, name: name)
      if let next = edges[edge] {
        node = next
      } else {
        node = nodes.count
        edges[edge] = node
        nodes.append(Node())
      }
      if index == names.count - 1 { nodes[node].equal.append(path) } else { nodes[node].longer.append(path) }
    }
  }

  func contains(_ path: TreePath) -> Bool { known.contains(path) }

  /// Returns the catalog paths that end with `path`, and the catalog paths that are an ending of `path`.
  /// - Parameter limit: the maximum number of paths.
  func matching(_ path: TreePath, limit: Int) -> [TreePath] {
    var found: [TreePath] = []
    var node = 0
    for name in Self.names(of: path) {
      guard let next = edges[Edge(node: node, name: name)] else { return found }
      node = next
      found += nodes[node].equal.prefix(limit - found.count)
    }
    return found + nodes[node].longer.prefix(limit - found.count)
  }

  /// Returns the files of the same table in the language folders of the same folder.
  func siblings(of path: TreePath) -> [TreePath] {
    path.isInLanguageFolder ? byTable[Self.table(of: path)] ?? [] : []
  }

  /// Returns the catalogs for a table or interface file of the same name, including those in other folders and formats.
  /// - Parameter limit: the maximum number of paths.
  func namesakes(of path: TreePath, limit: Int) -> [TreePath] {
    // Catalogs with the same name also have the same stem.
    let found = Self.isCatalog(path) ? byStem[path.stem.lowercased()] : byName[path.name.lowercased()]
    return Array((found ?? []).prefix(limit))
  }

  private static func isCatalog(_ path: TreePath) -> Bool { CatalogKind(ending: path.ending.lowercased()) != nil }

  private static func table(of path: TreePath) -> Table { Table(path: path.withoutLanguage, ending: path.ending) }

  /// Returns the components in lower case, the last one first.
  private static func names(of path: TreePath) -> [String] { path.components.reversed().map { $0.lowercased() } }
}
