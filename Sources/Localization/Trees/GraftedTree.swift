/// A tree that includes the contents of some of its submodules. Other submodules are listed, but their contents are not included.
package struct GraftedTree: VersionedTree {
  /// The tree of one submodule.
  package struct Graft: Sendable {
    /// The path of the submodule in the base tree.
    package var path: TreePath
    package var tree: any VersionedTree
    /// The URL of the submodule's repository, for messages.
    package var url: String

    package init(path: TreePath, tree: any VersionedTree, url: String) {
      self.path = path
      self.tree = tree
      self.url = url
    }
  }

  package let base: any VersionedTree
  /// The submodules that are included, sorted by path. A submodule follows the submodule that contains it.
  package let grafts: [Graft]
  /// Notes about submodules that were not included.
  package let notes: [Diagnostic]

  package init(_ base: any VersionedTree, grafts: [Graft], notes: [Diagnostic] = []) {
    self.base = base
    self.grafts = grafts.sorted { $0.path < $1.path }
    self.notes = notes
  }

  /// Returns the submodule that contains a path; `nil` if the base tree contains it. A submodule's folder belongs to the submodule.
  package func submodule(of path: TreePath) -> Graft? { grafts.last { path.isWithin($0.path) } }

  /// Calls `body` with the tree that contains a path, and with the path within that tree.
  private func within<Value>(
    _ path: TreePath, _ body: (any VersionedTree, TreePath) throws(TreeError) -> Value
  ) throws(TreeError) -> Value {
    guard let graft = submodule(of: path), let inner = path.relative(to: graft.path) else {
      return try body(base, path)
    }
    do { return try body(graft.tree, inner) } catch {
      throw TreeError(path: graft.path.appending(error.path), kind: error.kind, detail: error.detail)
    }
  }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    let prefix = submodule(of: folder)?.path ?? .root
    let entries = try within(folder) { (tree, path) throws(TreeError) in try tree.list(path) }
    return entries.map { placed($0, below: prefix) }
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    let prefix = submodule(of: path)?.path ?? .root
    return try within(path) { (tree, path) throws(TreeError) in try tree.entry(at: path) }.map {
      placed($0, below: prefix)
    }
  }

  private func placed(_ entry: TreeEntry, below prefix: TreePath) -> TreeEntry {
    let path = prefix.appending(entry.path)
    let isFollowed = entry.kind == .submodule && grafts.contains { $0.path == path }
    return TreeEntry(path: path, kind: isFollowed ? .folder : entry.kind, blob: entry.blob)
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    try within(path) { (tree, path) throws(TreeError) in try tree.read(path) }
  }

  package func holdsMore(than entries: Int) -> Bool {
    base.holdsMore(than: entries) || grafts.contains { $0.tree.holdsMore(than: entries) }
  }

  /// The id of the base tree, and the id and path of each submodule.
  package var id: String {
    ([base.id] + grafts.map { "\($0.tree.id) \($0.path)" }).joined(separator: "\n")
  }

  package func modifiedFiles(since earlier: String) -> [TreeEntry]? {
    let lines = earlier.split(separator: "\n", omittingEmptySubsequences: false)
    guard let old = lines.first, lines.count == grafts.count + 1,
      var found = base.modifiedFiles(since: String(old))
    else { return nil }
    for (graft, line) in zip(grafts, lines.dropFirst()) {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, String(parts[1]).isExactly(graft.path.text),
        let modified = graft.tree.modifiedFiles(since: String(parts[0]))
      else { return nil }
      found += modified.map { placed($0, below: graft.path) }
    }
    return found.sorted { $0.path < $1.path }
  }
}
