private import Glibc

/// The leftover files of killed processes in a mirror.
struct StaleFiles {
  /// The folder of the mirror.
  let folder: String

  /// Removes git's lock files, regardless of their age, unfinished files, and the remains of removed mirrors. This must only be called before this
  /// process first uses the mirror. The lock of the store's folder excludes other processes, so the processes that created these files have ended.
  func remove() {
    for name in folderNames(above) ?? [] where name.hasPrefix(baseName + Self.removedMark) {
      removeFolder(above + "/" + name)
    }
    for name in [
      "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock", "index.lock", "objects/info/alternates.lock",
    ] {
      _ = unsafe unlink(folder + "/" + name)
    }
    removeLocks(below: folder + "/refs")
    let objects = ObjectFiles(folder: folder + "/objects")
    objects.removeLeftovers()
    objects.removeUnfinishedObjects()
  }

  private func removeLocks(below path: String) {
    for name in folderNames(path) ?? [] {
      let child = path + "/" + name
      if FileKind(child) == .folder {
        removeLocks(below: child)
      } else if name.hasSuffix(".lock") {
        _ = unsafe unlink(child)
      }
    }
  }

  /// Removes the mirror. The folder is renamed first, because no reader may find a partly removed mirror.
  func removeMirror() {
    let removed = above + "/" + baseName + Self.removedMark + String(UInt32.random(in: 0 ... .max), radix: 16)
    removeFolder(unsafe rename(folder, removed) == 0 ? removed : folder)
  }

  private static let removedMark = ".removed-"
  private var above: String { folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? "." }
  private var baseName: String {
    folder.lastIndex(of: "/").map { String(folder[folder.index(after: $0)...]) } ?? folder
  }
}

/// The identity and modification time of a file or folder. Two stamps of a path differ if the file or folder was replaced or changed between them.
struct FileStamp: Equatable {
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  /// - Returns: `nil` if nothing exists at the path.
  init?(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    inode = UInt64(status.st_ino)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}
