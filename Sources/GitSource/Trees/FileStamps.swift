import Glibc
import Localization
private import Synchronization

/// The inodes, sizes and times of the files of a directory when they were first read. A file that has changed since then is neither overwritten nor
/// removed, because its new content would be lost.
final class FileStamps: Sendable {
  /// An identifier of a file's version. Replacing the file or writing to it changes the stamp.
  private struct Stamp: Equatable {
    var inode: UInt64
    var size: Int
    var modified: [Int]

    init(_ status: stat) {
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
  }

  private let stamps = Mutex<[TreePath: Stamp]>([:])

  func note(_ path: TreePath, _ status: stat) {
    stamps.withLock { stamps in
      if stamps[path] == nil { stamps[path] = Stamp(status) }
    }
  }

  /// Forgets the stamp of a file that we wrote or removed.
  func forget(_ path: TreePath) { stamps.withLock { $0[path] = nil } }

  /// Throws an error if a file has changed or was removed since it was first read.
  func check(_ path: TreePath, in folder: borrowing Descriptor) throws(TreeError) {
    guard let noted = stamps.withLock({ $0[path] }) else { return }
    var status = stat()
    let isThere = unsafe fstatat(folder.number, path.name, &status, AT_SYMLINK_NOFOLLOW) == 0
    guard !isThere || Stamp(status) != noted else { return }
    throw TreeError(
      path: path, kind: .unwritable,
      detail: "was \(isThere ? "changed" : "removed") by another program while this command ran, so it was left as it "
        + "is. Run the command again")
  }
}
