private import Glibc
package import Localization

extension DirectoryTree {
  /// Applies the edits on disk. Each file gets its name only after it is written, so no reader sees a partial file. An existing file keeps its mode.
  /// Folders are created as needed, and removed when their last file is removed.
  ///
  /// Symbolic links are neither followed nor replaced. A file that has changed since this tree first read it, or that was created since this tree
  /// listed its folder, is neither replaced nor removed. All paths are checked before the first write. After that, the first error (such as a full
  /// disk) stops the operation, and files that already have their final names remain. Files are removed after all writes, so that a failed write does
  /// not lose the content of a file that the edits rename.
  ///
  /// A lock ensures that only one Dragoman process writes into a folder at a time, except on network file systems without locks. Therefore an
  /// existing temporary file was left by a killed process, and is removed.
  /// - Parameter made: called with each path after its edit is applied.
  package func apply(_ edits: TreeEdits, made: (TreePath) -> Void = { _ in }) throws(TreeError) {
    try apply([edits], made: made)
  }

  /// Applies several edits, one after the other. All paths are checked before the first write.
  package func apply(_ steps: [TreeEdits], made: (TreePath) -> Void = { _ in }) throws(TreeError) {
    try check(steps)
    for edits in steps { try make(edits, made) }
  }

  /// Checks that every path of these edits can be written or removed, as far as this can be determined in advance.
  package func check(_ steps: [TreeEdits]) throws(TreeError) {
    for edits in steps { for path in edits.paths { try check(path) } }
  }

  private func make(_ edits: TreeEdits, _ made: (TreePath) -> Void) throws(TreeError) {
    let paths = edits.paths
    try write(
      paths.compactMap { if case .write(let content)? = edits.edits[$0] { ($0, content) } else { nil } }, made)
    for path in paths where edits.edits[path] == .remove {
      try remove(path)
      made(path)
    }
  }

  /// Throws an error if the file at a path cannot be written or removed, or has changed since it was first read.
  private func check(_ path: TreePath) throws(TreeError) {
    // The system would cut a name off at a NUL, which would select another file.
    guard !path.isRoot, TreePath(checking: path.text) == path,
      path.components.allSatisfy({ $0.lowercased() != ".git" })
    else {
      throw TreeError(path: path, kind: .notAFile, detail: "cannot be written: it is not a valid path, or is in .git")
    }
    guard path.components.allSatisfy({ $0.utf8.count <= NAME_MAX }) else {
      throw TreeError(path: path, kind: .notAFile, detail: "cannot be written: its name is too long")
    }
    let folder: Descriptor
    do { folder = try openFolder(path.parent, for: path) } catch {
      guard error.kind == .notFound else { throw error }
      // A missing folder is no error: it is created later, or the removal has no effect. However, no folder can be created below a file.
      var above = path.parent
      while !above.isRoot {
        if let entry = try entry(at: above), entry.kind != .folder {
          throw TreeError(path: path, kind: .notAFile, detail: "\(above) is a file, not a folder")
        }
        above = above.parent
      }
      return
    }
    _ = try holdsFile(path, in: folder)
    try stamps.check(path, in: folder)
  }

  /// Returns whether a path has a file.
  /// - Throws: an error if the path has anything else, because only files are overwritten or removed.
  func holdsFile(_ path: TreePath, in folder: borrowing Descriptor) throws(TreeError) -> Bool {
    switch kind(of: path.name, in: folder) {
    case .symbolicLink:
      throw TreeError(
        path: path, kind: .isSymbolicLink, detail: "is a symbolic link; Dragoman neither follows nor replaces links")
    case .folder, .submodule: throw TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    case .file, .executable: return true
    case nil: return false
    }
  }

  private func remove(_ path: TreePath) throws(TreeError) {
    let folder: Descriptor
    do { folder = try openFolder(path.parent, for: path) } catch {
      // Without the folder, there is nothing to remove.
      if error.kind == .notFound { return }
      throw error
    }
    try lock(folder, for: path)
    guard try holdsFile(path, in: folder) else { return }
    try stamps.check(path, in: folder)
    stamps.forget(path)
    guard unsafe unlinkat(folder.number, path.name, 0) == 0 else {
      throw TreeError(path: path, kind: .unwritable, detail: "cannot be removed: \(systemError())")
    }
    var emptied = path.parent
    // If a folder is not empty, its parents are not empty either.
    while !emptied.isRoot, removeIfEmpty(emptied, held: emptied == path.parent) { emptied = emptied.parent }
  }
}
