private import Glibc

/// Detects changes of a file without reading it.
struct FileStamp: Hashable, Sendable {
  private var inode: UInt64 = 0
  private var size: Int64 = -1
  private var changed: [Int] = []

  /// A missing file has a stamp too, so that its creation counts as a change.
  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    changed = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
  }
}
