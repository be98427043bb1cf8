private import Glibc

/// The inode, the size, and the times of the last changes of a file and of its metadata. Two stamps differ if the file was changed or replaced
/// between them. The file's content is not read.
struct FileStamp: Hashable, Sendable {
  private var inode: UInt64 = 0
  private var size: Int64 = -1
  private var changed: [Int] = []

  /// Reads the stamp of a file. A missing file also has a stamp, so its creation counts as a change.
  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}
