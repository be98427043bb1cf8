private import Glibc
import Localization

/// A folder that is locked for writing. Releasing the object closes the folder, which releases the lock.
private final class LockedFolder {
  let handle: Descriptor
  init(_ handle: consuming Descriptor) { self.handle = handle }
}

/// A file under a temporary name. Releasing the object removes the file, unless the file got its final name.
private final class TemporaryFile {
  let path: TreePath
  let folder: LockedFolder
  let handle: Descriptor
  private let name: String
  private var isNamed = false

  init(for path: TreePath, in folder: LockedFolder, _ name: String, _ handle: consuming Descriptor) {
    self.path = path
    self.folder = folder
    self.name = name
    self.handle = handle
  }

  /// Gives the file its final name.
  /// - Returns: whether this succeeded. If not, `errno` has the reason.
  func rename() -> Bool {
    isNamed = unsafe renameat(folder.handle.number, name, folder.handle.number, path.name) == 0
    return isNamed
  }

  deinit { if !isNamed { unsafe unlinkat(folder.handle.number, name, 0) } }
}

extension DirectoryTree {
  /// The suffix of the names of temporary files.
  private static let ending = ".dragoman"

  /// The number of files that are written before they are synced together.
  private static let filesAtOnce = 64

  /// Writes files. A file gets its final name only after all its data is on disk. Several files are synced together, because syncing each file alone
  /// takes most of the time.
  /// - Parameter made: called with the path of each file that got its final name.
  func write(_ files: [(path: TreePath, content: FileContent)], _ made: (TreePath) -> Void) throws(TreeError) {
    var cleaned: Set<TreePath> = []
    for start in stride(from: 0, to: files.count, by: Self.filesAtOnce) {
      let batch = files[start..<min(start + Self.filesAtOnce, files.count)]
      var folders: [TreePath: LockedFolder] = [:]
      // All processes lock in the same order, so two processes cannot wait for each other.
      for path in Set(batch.map(\.path.parent)).sorted() {
        let folder = try makeFolder(path, for: batch.first { $0.path.parent == path }?.path ?? path)
        try lock(folder, for: path)
        if cleaned.insert(path).inserted { removeLeftovers(in: folder) }
        folders[path] = LockedFolder(folder)
      }
      var written: [TemporaryFile] = []
      for file in batch {
        guard let folder = folders[file.path.parent] else { continue }
        written.append(try temporaryFile(with: file.content, for: file.path, in: folder))
      }
      if let failure = syncTogether(written.map { $0.handle.number }) {
        throw unwritable(written[failure.index].path, failure.code)
      }
      for file in written {
        try stamps.check(file.path, in: file.folder.handle)
        guard file.rename() else { throw unwritable(file.path) }
        stamps.forget(file.path)
        made(file.path)
      }
    }
  }

  /// Writes a file under a temporary name, with the mode of the file that it will replace.
  private func temporaryFile(
    with content: FileContent, for path: TreePath, in folder: LockedFolder
  ) throws(TreeError) -> TemporaryFile {
    var mode: mode_t = 0o644
    if try holdsFile(path, in: folder.handle) {
      var status = stat()
      if unsafe fstatat(folder.handle.number, path.name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        mode = status.st_mode & 0o7777
      }
    }
    let name = ".\(path.name.prefix(80)).\(UInt64.random(in: 0 ... .max))\(Self.ending)"
    guard
      let handle = unsafe Descriptor(
        openat(folder.handle.number, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    else { throw unwritable(path) }
    let file = TemporaryFile(for: path, in: folder, name, handle)
    guard file.handle.writeAll(content), fchmod(file.handle.number, mode) == 0 else { throw unwritable(path) }
    return file
  }

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

  /// Returns the error for a failed system call.
  /// - Parameter code: the value of `errno` after the call.
  private func unwritable(_ path: TreePath, _ code: Int32 = errno) -> TreeError {
    TreeError(path: path, kind: .unwritable, detail: "cannot be written: \(systemError(code))")
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
}
