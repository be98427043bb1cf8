private import Glibc
package import Localization

/// The files of a directory as a tree. `.git` is excluded. The files of nested repositories (submodules) are excluded unless `readingSubmodules()`
/// includes them.
///
/// Symbolic links in a file's path are not followed: each component is opened separately, relative to the previous one. Only the root may be a
/// symbolic link.
package struct DirectoryTree: SourceTree {
  /// The path as given, for messages.
  package let path: String
  /// The maximum size of a file in bytes. Larger files are rejected.
  private let fileLimit = GitTree.fileLimit
  let stamps = FileStamps()
  private let index: DirectoryIndex
  /// Whether nested repositories are treated as ordinary folders.
  private var readsSubmodules = false

  package init(path: String) {
    self.path = path
    index = DirectoryIndex(of: path)
  }

  package func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
    let descriptor = try openFolder(folder)
    guard let names = names(in: descriptor) else {
      throw TreeError(path: folder, kind: .unreadable, detail: "cannot be listed: \(systemError())")
    }
    stamps.note(folder, names)
    var entries: [TreeEntry] = []
    for name in names where name != ".git" {
      if let kind = kind(of: name, in: descriptor) {
        entries.append(entry(at: folder.appending(name), kind))
      } else if name.unicodeScalars.contains("\u{FFFD}") {
        // The entry's name is not UTF-8, so the entry cannot be read. Readers report this.
        entries.append(TreeEntry(path: folder.appending(name), kind: .file))
      }
    }
    return entries.sorted { $0.path < $1.path }
  }

  package func entry(at path: TreePath) throws(TreeError) -> TreeEntry? {
    guard !path.isRoot else { return TreeEntry(path: path, kind: .folder) }
    guard path.name != ".git" else { return nil }
    let parent: Descriptor
    do { parent = try openFolder(path.parent) } catch {
      if error.kind == .unreadable { throw error }
      return nil
    }
    return kind(of: path.name, in: parent).map { entry(at: path, $0) }
  }

  /// Returns the entry for a path of this kind. Git's index shows which folders are submodules, because the folder of a submodule that is not
  /// initialized looks like any other folder.
  private func entry(at path: TreePath, _ kind: TreeEntry.Kind) -> TreeEntry {
    let kind = kind == .folder && index.paths.submodules.contains(path) ? .submodule : kind
    return TreeEntry(path: path, kind: kind == .submodule && readsSubmodules && isCheckedOut(path) ? .folder : kind)
  }

  /// Returns whether a submodule is checked out. The folder of a submodule that is not checked out is empty.
  private func isCheckedOut(_ submodule: TreePath) -> Bool {
    guard let folder = try? openFolder(submodule) else { return false }
    return names(in: folder)?.isEmpty == false
  }

  /// Returns the same directory, including the files of nested repositories.
  package func readingSubmodules() -> DirectoryTree {
    var tree = self
    tree.readsSubmodules = true
    return tree
  }

  /// Returns whether a path is a nested repository or is inside one.
  package func isInSubmodule(_ path: TreePath) -> Bool {
    var outer = self
    outer.readsSubmodules = false
    var folder = path
    while !folder.isRoot {
      if (try? outer.entry(at: folder))?.kind == .submodule { return true }
      folder = folder.parent
    }
    return false
  }

  /// Returns the missing files of the directory that a sparse checkout leaves out (git marks them `skip-worktree`).
  package func filesLeftOut() -> [TreePath] {
    index.paths.skipped.filter { (try? entry(at: $0)) == nil }
  }

  package func read(_ path: TreePath) throws(TreeError) -> [UInt8] {
    guard !path.isRoot else {
      throw TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    }
    let parent = try openFolder(path.parent, for: path)
    // Without O_NONBLOCK, opening a named pipe would block forever.
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    guard let file = unsafe Descriptor(openat(parent.number, path.name, flags)) else {
      throw fault(path, isFolder: false)
    }
    var status = stat()
    guard unsafe fstat(file.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw TreeError(path: path, kind: .notAFile, detail: "is not a regular file")
    }
    guard Int(status.st_size) <= fileLimit, let bytes = file.readAll(limit: fileLimit) else {
      throw Int(status.st_size) > fileLimit
        ? TreeError(path: path, kind: .tooLarge, detail: "is larger than \(fileLimit >> 20) MiB")
        : TreeError(path: path, kind: .unreadable, detail: systemError())
    }
    stamps.note(path, status)
    return bytes
  }
}

extension DirectoryTree {
  /// Opens a folder component by component.
  /// - Parameter asked: the path that errors report.
  func openFolder(_ folder: TreePath, for asked: TreePath? = nil) throws(TreeError) -> Descriptor {
    let asked = asked ?? folder
    guard var current = unsafe Descriptor(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) else {
      throw fault(.root, isFolder: true)
    }
    var done = TreePath.root
    for component in folder.components {
      done = done.appending(String(component))
      let next = unsafe openat(
        current.number, String(component), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard let opened = Descriptor(next) else {
        let code = errno
        if code == ENOTDIR || code == ELOOP,
          kind(of: String(component), in: current) == .symbolicLink
        {
          throw TreeError(
            path: asked, kind: .isSymbolicLink,
            detail: "\(done) is a symbolic link, which is not followed")
        }
        errno = code
        throw fault(asked, isFolder: asked == folder)
      }
      current = opened
    }
    return current
  }

  /// Returns the names in an open folder, in no particular order. Returns `nil` and sets `errno` if the folder cannot be listed.
  func names(in folder: borrowing Descriptor) -> [String]? {
    // The stream closes its descriptor, so it receives a duplicate.
    guard let stream = unsafe fdopendir(fcntl(folder.number, F_DUPFD_CLOEXEC, 0)) else { return nil }
    return unsafe remainingNames(stream)
  }

  /// Returns the kind of an entry; `nil` if it is missing or of another kind, such as a socket or a device.
  func kind(of name: String, in folder: borrowing Descriptor) -> TreeEntry.Kind? {
    var status = stat()
    guard unsafe fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return status.st_mode & S_IXUSR == 0 ? .file : .executable
    case S_IFLNK: return .symbolicLink
    case S_IFDIR:
      var inner = stat()
      return unsafe fstatat(folder.number, name + "/.git", &inner, AT_SYMLINK_NOFOLLOW) == 0
        ? .submodule : .folder
    default: return nil
    }
  }

  /// Returns the error for a path, based on `errno`.
  func fault(_ path: TreePath, isFolder: Bool) -> TreeError {
    switch errno {
    case ENOENT, ENOTDIR:
      TreeError(path: path, kind: .notFound, detail: isFolder ? "no such folder" : "no such file")
    case ELOOP:
      TreeError(
        path: path, kind: .isSymbolicLink, detail: "is a symbolic link, which is not followed")
    case EISDIR: TreeError(path: path, kind: .notAFile, detail: "is a folder, not a file")
    default: TreeError(path: path, kind: .unreadable, detail: systemError())
    }
  }
}
