package import Localization

/// The files of a commit, as used by the readers.
package struct SimulatedTree: VersionedTree {
  private let files: FileTree

  package init(files: FileTree) { self.files = files }

  package var id: String { files.id }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    var found: [TreePath: TreeEntry] = [:]
    for path in files.files.keys where path != folder {
      guard let rest = path.relative(to: folder), let first = rest.components.first else { continue }
      let child = folder.appending(String(first))
      found[child] =
        child == path
        ? TreeEntry(path: child, kind: .file, blob: files.blobs[path]) : TreeEntry(path: child, kind: .folder)
    }
    guard !found.isEmpty || folder.isRoot else {
      throw TreeError(path: folder, kind: .notFound, detail: "no such folder")
    }
    return found.values.sorted { $0.path < $1.path }
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    if let blob = files.blobs[path] { return TreeEntry(path: path, kind: .file, blob: blob) }
    return path.isRoot || files.files.keys.contains { $0.isWithin(path) } ? TreeEntry(path: path, kind: .folder) : nil
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    guard let bytes = files[path] else { throw TreeError(path: path, kind: .notFound, detail: "no such file") }
    return bytes
  }

  package func modifiedFiles(since earlier: String) -> [TreeEntry]? { nil }
}
