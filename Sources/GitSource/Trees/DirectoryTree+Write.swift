private import Glibc
import Localization

extension DirectoryTree {
  /// The maximum number of files, and of their bytes, that are written before they are synced together.
  private static let filesAtOnce = 64
  private static let bytesAtOnce = 16 << 20

  /// Writes files, in order. A file gets its final name only after all its data is on disk. Several files are synced together, because syncing each
  /// file alone takes most of the time. If a file cannot be added to the files of a group, for example because too many files are open, the
  /// group is finished first.
  /// - Parameter made: called with the path of each file that got its final name.
  func write(_ files: [(path: TreePath, content: FileContent)], _ made: (TreePath) -> Void) throws(TreeError) {
    var folders = MadeFolders()
    do throws(TreeError) {
      var group: [UnnamedFile] = []
      var most = Self.filesAtOnce
      var bytes = 0
      for (path, content) in files {
        if !group.isEmpty, group.count >= most || bytes + content.count > Self.bytesAtOnce {
          try finish(&group, made)
          bytes = 0
        }
        if !group.isEmpty {
          do throws(TreeError) {
            group.append(try unnamedFile(with: content, for: path, beside: group, &folders))
            bytes += content.count
            continue
          } catch {
            most = max(1, group.count / 2)
            try finish(&group, made)
            bytes = 0
          }
        }
        group.append(try unnamedFile(with: content, for: path, beside: [], &folders))
        bytes += content.count
      }
      try finish(&group, made)
    } catch {
      for folder in folders.paths.reversed() { removeIfEmpty(folder) }
      throw error
    }
  }

  /// Syncs the files and gives them their final names.
  private func finish(_ group: inout [UnnamedFile], _ made: (TreePath) -> Void) throws(TreeError) {
    let files = group
    group = []
    if let failure = syncTogether(files.map { $0.handle.number }) {
      throw unwritable(files[failure.index].path, failure.code)
    }
    // All files are checked before the first gets its name, so that a conflict does not leave half of the group. Each is checked again just before.
    for file in files { try stamps.check(file.path, in: file.folder.handle) }
    for file in files {
      try stamps.check(file.path, in: file.folder.handle)
      if let code = file.giveName() {
        throw code == EEXIST ? FileStamps.changed(file.path, "created") : unwritable(file.path, code)
      }
      stamps.forget(file.path)
      made(file.path)
    }
  }

  /// Writes a file that has no name yet, with the mode of the file that it will replace.
  /// - Parameter group: files that are already written. Their folders are locked. To avoid that two processes wait for each other, this function does
  ///   not wait for another lock unless the group is empty.
  private func unnamedFile(
    with content: FileContent, for path: TreePath, beside group: [UnnamedFile], _ made: inout MadeFolders
  ) throws(TreeError) -> UnnamedFile {
    let folder: LockedFolder
    if let known = group.last(where: { $0.path.parent == path.parent })?.folder {
      folder = known
    } else {
      let handle = try lockedFolder(path.parent, for: path, waits: group.isEmpty, &made)
      if made.cleaned.insert(path.parent).inserted { removeLeftovers(in: handle) }
      folder = LockedFolder(handle)
    }
    var mode: mode_t = 0o644
    let replaces = try holdsFile(path, in: folder.handle)
    if replaces {
      var status = stat()
      if unsafe fstatat(folder.handle.number, path.name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        mode = status.st_mode & 0o7777
      }
    }
    guard let file = UnnamedFile(for: path, in: folder, replaces: replaces) else { throw unwritable(path) }
    guard file.handle.writeAll(content), fchmod(file.handle.number, mode) == 0 else {
      // Releasing the file makes system calls, which can change `errno`.
      let code = errno
      withExtendedLifetime(file) {}
      throw unwritable(path, code)
    }
    return file
  }

  /// Creates a folder if it is missing, and locks it. If another process removes the folder before it is locked, the folder is created again.
  private func lockedFolder(
    _ folder: TreePath, for path: TreePath, waits: Bool, _ made: inout MadeFolders
  ) throws(TreeError) -> Descriptor {
    for _ in 0..<10 {
      let handle = try makeFolder(folder, for: path, &made)
      try lock(handle, for: path, waits: waits)
      var status = stat()
      if unsafe fstat(handle.number, &status) == 0, status.st_nlink > 0 { return handle }
    }
    throw TreeError(
      path: path, kind: .unwritable,
      detail: "cannot be written: another program removes its folder again and again. Run the command again")
  }

  /// Removes a folder if it is empty. A folder that another process has locked stays, because that process may have files there that have no name
  /// yet.
  /// - Parameter held: whether this process has locked the folder.
  /// - Returns: whether the folder was removed.
  @discardableResult
  func removeIfEmpty(_ folder: TreePath, held: Bool = false) -> Bool {
    guard let parent = try? openFolder(folder.parent), let own = try? openFolder(folder),
      held || tryLock(own)
    else { return false }
    return unsafe unlinkat(parent.number, folder.name, AT_REMOVEDIR) == 0
  }

  /// Locks a folder. Closing the folder releases the lock.
  /// - Parameter waits: whether to wait, for at most ten seconds, while another process writes into the folder.
  func lock(_ folder: borrowing Descriptor, for path: TreePath, waits: Bool = true) throws(TreeError) {
    for attempt in 0..<(waits ? 1000 : 1) {
      if attempt > 0 { _ = poll(nil, 0, 10) }
      if tryLock(folder) { return }
    }
    throw TreeError(
      path: path, kind: .unwritable,
      detail:
        "cannot be written: its folder has been locked for ten seconds by another program, such as another Dragoman "
        + "process or flock. Run the command again when the other program has ended")
  }

  /// Locks a folder unless another process has locked it.
  /// - Returns: whether the folder is locked, or is on a network file system without locks.
  private func tryLock(_ folder: borrowing Descriptor) -> Bool {
    flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
  }

  private func removeLeftovers(in folder: borrowing Descriptor) {
    for name in names(in: folder) ?? [] where UnnamedFile.isTemporaryName(name) && kind(of: name, in: folder) == .file {
      unsafe unlinkat(folder.number, name, 0)
    }
  }

  /// Returns the error for a failed system call.
  /// - Parameter code: the value of `errno` after the call.
  private func unwritable(_ path: TreePath, _ code: Int32 = errno) -> TreeError {
    TreeError(path: path, kind: .unwritable, detail: "cannot be written: \(systemError(code))")
  }

  private func makeFolder(
    _ folder: TreePath, for asked: TreePath, _ made: inout MadeFolders
  ) throws(TreeError) -> Descriptor {
    do { return try openFolder(folder, for: asked) } catch {
      if error.kind == .unreadable {
        throw TreeError(path: asked, kind: .unwritable, detail: "cannot be written: \(error.detail)")
      }
      guard error.kind == .notFound, !folder.isRoot else { throw error }
    }
    let parent = try makeFolder(folder.parent, for: asked, &made)
    if unsafe mkdirat(parent.number, folder.name, 0o777) == 0 {
      made.paths.append(folder)
    } else if errno != EEXIST {
      throw TreeError(path: folder, kind: .unwritable, detail: "cannot be created: \(systemError())")
    }
    return try openFolder(folder, for: asked)
  }
}

/// The folders that an edit creates, in the order of their creation, and those from which temporary files of killed processes were removed.
private struct MadeFolders {
  var paths: [TreePath] = []
  var cleaned: Set<TreePath> = []
}
