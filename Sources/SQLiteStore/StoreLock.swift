import Glibc

/// The right of one process to use a store folder. The kernel takes it back when the process ends, however it ends.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(folder: String) throws(StoreError) {
    let path = folder + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw StoreError(
        .unwritable, operation: "open store \(folder)",
        detail: "\(path) cannot be written (\(String(cString: strerror(errno)))); check the folder's rights")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      var digits = [UInt8](repeating: 0, count: 20)
      let count = read(descriptor, &digits, digits.count)
      let owner = String(decoding: digits.prefix(max(0, count)).filter { (48...57).contains($0) }, as: UTF8.self)
      close(descriptor)
      throw StoreError(
        .inUse, operation: "open store \(folder)",
        detail: "process \(owner.isEmpty ? "unknown" : owner) uses it; stop that process, or give another --store")
    }
    let digits = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, digits, digits.count, 0)
  }

  deinit {
    // A child that is just being started holds a copy of the descriptor until it becomes another program.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
