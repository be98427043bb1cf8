import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import SQLiteStore

struct StoreLockTests {
  @Test("a lock that another process holds is refused, and no other thread's descriptor is closed")
  func refused() throws {
    let folder = try TemporaryFolder()
    let held = try StoreLock(folder: folder.path)
    let isDone = Mutex(false)
    let lost = Mutex(0)
    let over = DispatchSemaphore(value: 0)
    // The thread opens files continuously, so a descriptor that is closed twice is likely to be one of the thread's descriptors.
    try folder.write("", to: "file")
    let file = folder.file("file")
    Thread {
      while !isDone.withLock({ $0 }) {
        let descriptors = (0..<8).map { _ in open(file, O_RDONLY | O_CLOEXEC) }
        for descriptor in descriptors where close(descriptor) != 0 { lost.withLock { $0 += 1 } }
      }
      over.signal()
    }.start()
    for _ in 0..<20_000 {
      #expect(throws: (any Error).self) { try StoreLock(folder: folder.path) }
    }
    isDone.withLock { $0 = true }
    over.wait()
    withExtendedLifetime(held) {}
    #expect(lost.withLock { $0 } == 0)
  }
}
