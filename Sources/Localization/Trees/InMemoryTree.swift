/// A source tree in memory, such as the contents of a zipped bundle, an empty repository, or the files of a test.
package struct InMemoryTree: SourceTree {
  private let files: [TreePath: [UInt8]]
  private let links: Set<TreePath>
  private let submodules: Set<TreePath>

  package init(_ files: [TreePath: [UInt8]], links: Set<TreePath> = [], submodules: Set<TreePath> = []) {
    self.files = files
    self.links = links
    self.submodules = submodules
  }

  /// Creates a tree of UTF-8 texts.
  package init(texts: [String: String]) {
    self.init(Dictionary(uniqueKeysWithValues: texts.map { (TreePath(trusted: $0.key), Array($0.value.utf8)) }))
  }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    var byPath: [TreePath: TreeEntry] = [:]
    for path in Array(files.keys) + links + submodules where path != folder {
      guard let rest = path.relative(to: folder), let first = rest.components.first else { continue }
      let child = folder.appending(String(first))
      byPath[child] =
        child == path
        ? TreeEntry(path: child, kind: kind(of: path))
        : TreeEntry(path: child, kind: .folder)
    }
    guard !byPath.isEmpty || folder.isRoot else {
      throw TreeError(path: folder, kind: .notFound, detail: "no such folder")
    }
    return byPath.values.sorted { $0.path < $1.path }
  }

  private func kind(of path: TreePath) -> TreeEntry.Kind {
    links.contains(path) ? .symbolicLink : submodules.contains(path) ? .submodule : .file
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    if files[path] != nil || links.contains(path) || submodules.contains(path) {
      return TreeEntry(path: path, kind: kind(of: path))
    }
    return files.keys.contains { $0.isWithin(path) } || path.isRoot ? TreeEntry(path: path, kind: .folder) : nil
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    if links.contains(path) {
      throw TreeError(path: path, kind: .isSymbolicLink, detail: "is a symbolic link, which is not followed")
    }
    if submodules.contains(path) { throw TreeError(path: path, kind: .notAFile, detail: "is a submodule, not a file") }
    guard let bytes = files[path] else { throw TreeError(path: path, kind: .notFound, detail: "no such file") }
    return bytes
  }
}
