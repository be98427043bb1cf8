private import Glibc
package import Localization

extension DirectoryTree {
  /// Applies the edits on disk. Each file is written under a temporary name and then renamed, so no reader sees a partial file. An
  /// existing file keeps its mode. Folders are created as needed, and removed when their last file is removed.
  ///
  /// Symbolic links are neither followed nor replaced. A file that has changed since this tree first read it is neither replaced nor removed. All
  /// paths are checked before the first write. After that, the first error (such as a full disk) stops the operation, and files that are already
  /// written remain. Files are removed after all writes, so that a failed write does not lose the content of a file that the edits rename.
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
    var cleaned: Set<TreePath> = []
    for path in paths {
      guard case .write(let content)? = edits.edits[path] else { continue }
      try write(content, to: path, cleaning: cleaned.insert(path.parent).inserted)
      stamps.forget(path)
      made(path)
    }
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
  private func holdsFile(_ path: TreePath, in folder: borrowing Descriptor) throws(TreeError) -> Bool {
    switch kind(of: path.name, in: folder) {
    case .symbolicLink:
      throw TreeError(
        path: path, kind: .isSymbolicLink, detail: "is a symbolic link; Dragoman neither follows nor replaces links")
    case .folder, .submodule: throw TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    case .file, .executable: return true
    case nil: return false
    }
  }

  /// The suffix of the names of temporary files.
  private static let ending = ".dragoman"

  /// Locks a folder. Waits at most ten seconds for other processes that write into it. Closing the folder releases the lock.
  private func lock(_ folder: borrowing Descriptor, for path: TreePath) throws(TreeError) {
    for _ in 0..<1000 {
      // Some network file systems do not support locks.
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return }
      _ = poll(nil, 0, 10)
    }
    throw TreeError(
      path: path, kind: .unwritable,
      detail: "cannot be written: another Dragoman process has been writing to this folder for ten seconds")
  }

  private func removeLeftovers(in folder: borrowing Descriptor) {
    for name in names(in: folder) ?? [] where name.hasPrefix(".") && name.hasSuffix(Self.ending) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: true)
      guard parts.count >= 3, UInt64(parts[parts.count - 2]) != nil else { continue }
      unsafe unlinkat(folder.number, name, 0)
    }
  }

  private func write(_ content: FileContent, to path: TreePath, cleaning: Bool) throws(TreeError) {
    let folder = try makeFolder(path.parent, for: path)
    var mode: mode_t = 0o644
    if try holdsFile(path, in: folder) {
      var status = stat()
      if unsafe fstatat(folder.number, path.name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        mode = status.st_mode & 0o7777
      }
    }
    try lock(folder, for: path)
    if cleaning { removeLeftovers(in: folder) }
    let temporary = ".\(path.name.prefix(80)).\(UInt64.random(in: 0 ... .max))\(Self.ending)"
    guard
      let file = unsafe Descriptor(
        openat(
          folder.number, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    else {
      throw unwritable(path)
    }
    do throws(TreeError) {
      // The file gets its final name only after all its data is on disk.
      guard file.writeAll(content), fchmod(file.number, mode) == 0, fsync(file.number) == 0 else {
        throw unwritable(path)
      }
      try stamps.check(path, in: folder)
      guard unsafe renameat(folder.number, temporary, folder.number, path.name) == 0 else { throw unwritable(path) }
    } catch {
      unsafe unlinkat(folder.number, temporary, 0)
      throw error
    }
  }

  /// Returns the error for a failed system call, based on `errno`.
  private func unwritable(_ path: TreePath) -> TreeError {
    TreeError(path: path, kind: .unwritable, detail: "cannot be written: \(systemError())")
  }

  private func makeFolder(_ folder: TreePath, for asked: TreePath) throws(TreeError) -> Descriptor {
    guard !folder.isRoot else { return try openFolder(folder, for: asked) }
    do { return try openFolder(folder, for: asked) } catch {
      guard error.kind == .notFound else { throw error }
    }
    let parent = try makeFolder(folder.parent, for: asked)
    if unsafe mkdirat(parent.number, folder.name, 0o777) != 0, errno != EEXIST {
      throw TreeError(path: folder, kind: .unwritable, detail: "cannot be created: \(systemError())")
    }
    return try openFolder(folder, for: asked)
  }

  private func remove(_ path: TreePath) throws(TreeError) {
    let folder: Descriptor
    do { folder = try openFolder(path.parent, for: path) } catch {
      // Without the folder, there is nothing to remove.
      if error.kind == .notFound { return }
      throw error
    }
    guard try holdsFile(path, in: folder) else { return }
    try stamps.check(path, in: folder)
    stamps.forget(path)
    guard unsafe unlinkat(folder.number, path.name, 0) == 0 else {
      throw TreeError(path: path, kind: .unwritable, detail: "cannot be removed: \(systemError())")
    }
    var emptied = path.parent
    while !emptied.isRoot {
      let above = try openFolder(emptied.parent, for: path)
      // This call fails if the folder is not empty. In that case its parents are not empty either.
      guard unsafe unlinkat(above.number, emptied.name, AT_REMOVEDIR) == 0 else { return }
      emptied = emptied.parent
    }
  }
}
