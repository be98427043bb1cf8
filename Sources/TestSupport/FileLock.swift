import Dispatch
internal import Glibc

/// A wait for a file lock (`flock`) that another process holds.
package enum FileLock {
  /// Waits until no process holds the lock. A file that cannot be opened counts as not locked. The kernel wakes the waiting thread, which is not a
  /// thread of the cooperative pool.
  package static func waitUntilFree(_ path: String) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        if descriptor >= 0 {
          _ = flock(descriptor, LOCK_EX)
          _ = flock(descriptor, LOCK_UN)
          close(descriptor)
        }
        continuation.resume()
      }
    }
  }
}
