import Glibc
import LedgerStore

/// The exclusive lock of one process on a store folder. The kernel releases the lock when the process ends for any reason.
final class StoreLock: Sendable {
  private let descriptor: Int32

  init(folder: String) throws(StoreError) {
    let path = folder + "/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0, fchmod(descriptor, 0o600) == 0 else {
      let error = StoreFiles.cannotWrite(path)
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      var digits = [UInt8](repeating: 0, count: 20)
      let count = read(descriptor, &digits, digits.count)
      let owner = String(decoding: digits.prefix(max(0, count)).filter { (48...57).contains($0) }, as: UTF8.self)
      close(descriptor)
      throw StoreError(
        .inUse, operation: "open store",
        detail: "another dragoman (pid \(owner.isEmpty ? "unknown" : owner)) is using \(folder); "
          + "stop it, or choose another folder with --store (with PostgreSQL: DRAGOMAN_FOLDER)")
    }
    let digits = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, digits, digits.count, 0)
    // The property is set last. If the initializer threw after this, `deinit` would run and close the descriptor a second time, when another thread
    // may already use the same descriptor for another file.
    self.descriptor = descriptor
  }

  deinit {
    // The file is unlocked explicitly, because a child process that is being started has a copy of the descriptor until it executes its program.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
