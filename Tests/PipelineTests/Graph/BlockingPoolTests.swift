import Dispatch
import Synchronization
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct BlockingPoolTests {
  private struct Fault: Error, Equatable {}

  @Test("a pool runs at most as many calls concurrently as it has threads")
  func width() async throws {
    let pool = BlockingPool("test", width: 2)
    // Each of the two calls waits for the other call.
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    async let one: Void = pool.run {
      first.signal()
      second.wait()
    }
    async let other: Void = pool.run {
      second.signal()
      first.wait()
    }
    _ = try await (one, other)
    let tally = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await pool.run {
            tally.begin()
            tally.end()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(tally.most <= 2)
    #expect(tally.total == 50)
  }

  @Test("a pool runs work in the order of submission, whatever the amount")
  func order() async throws {
    let pool = BlockingPool("test", width: 1)
    let log = Log<Int>()
    for number in 0..<3000 { pool.submit { log.add(number) } }
    try await pool.run {}
    #expect(log.elements == Array(0..<3000))
  }

  @Test("an error of a call is thrown to the caller, and the thread continues")
  func faults() async throws {
    let pool = BlockingPool("test", width: 1)
    await #expect(throws: Fault.self) { try await pool.run { throw Fault() } }
    #expect(try await pool.run { 7 } == 7)
  }

  @Test("a call runs even if the calling task is cancelled")
  func cancelled() async throws {
    let pool = BlockingPool("test", width: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await pool.run { 7 }
    }
    #expect(try await task.value == 7)
  }

  @Test("a pool releases the captures of a call before its caller continues")
  func released() async throws {
    final class Resource: Sendable {}
    let pool = BlockingPool("test", width: 1)
    for _ in 0..<100 {
      weak var resource: Resource?
      func use() async throws {
        let strong = Resource()
        resource = strong
        try await pool.run { withExtendedLifetime(strong) {} }
      }
      try await use()
      #expect(resource == nil)
    }
  }

  @Test("an actor on a pool runs one call at a time, and two actors can share one thread")
  func executor() async {
    actor Counter {
      private let executor: PooledSerialExecutor
      private(set) var value = 0
      nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
      init(_ pool: BlockingPool) { executor = PooledSerialExecutor(pool) }
      func increment() { value += 1 }
    }
    let pool = BlockingPool("test", width: 1)
    let counters = [Counter(pool), Counter(pool)]
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<400 { group.addTask { await counters[number % 2].increment() } }
    }
    for counter in counters { #expect(await counter.value == 200) }
  }

  @Test("an inline pool runs a call immediately")
  func inline() async throws {
    let pool = BlockingPool.inline("test")
    let log = Log<String>()
    try await pool.run { log.add("call") }
    log.add("after")
    #expect(log.elements == ["call", "after"])
  }
}
