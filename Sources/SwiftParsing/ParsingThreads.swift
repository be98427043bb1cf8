import Localization
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import CDispatch
  import Glibc
#endif

/// Threads with a large stack, for recursion into deeply nested source code.
///
/// Threads of Swift's cooperative pool have stacks of only 512 KB, and blocking work must not run on them. A large stack reserves address space, but
/// only the pages that are accessed use memory.
package enum ParsingThreads {
  /// The address space of one thread's stack in bytes. It is four times the stack that 200 nested brackets and 4,000 chained parts need in a debug
  /// build.
  package static let stackBytes = 512 << 20

  /// Calls `work` for each item on `threads` threads. Free threads take the items in order.
  /// - Returns: the results, in the order of the items.
  /// - Throws: the error of the first failed item, in the order of the items. The other items are still processed, so the result and the error do not
  ///   depend on timing. `CancellationError` if the current `CancellationFlag` is set; no further items are then started. `ThreadError` if no thread
  ///   can be created.
  package static func map<Item: Sendable, Output: Sendable>(
    _ items: [Item], threads: Int, _ work: @escaping @Sendable (Item) throws -> Output
  ) throws -> [Output] {
    guard !items.isEmpty else { return [] }
    Allocation.tune()
    let board = Board<Output>(count: items.count)
    let next = Atomic<Int>(0)
    let flag = CancellationFlag.current
    try withThreads(min(max(1, threads), items.count)) {
      // The new threads inherit the cancellation flag of the thread that starts them.
      CancellationFlag.$current.withValue(flag) {
        while true {
          let index = next.add(1, ordering: .relaxed).oldValue
          guard index < items.count else { return }
          let result = Result {
            try CancellationFlag.check()
            return try work(items[index])
          }
          board.results.withLock { $0[index] = result }
        }
      }
    }
    return try board.results.withLock { results in try results.compactMap { try $0?.get() } }
  }

  /// Runs `work` on one thread with a large stack and waits for it.
  package static func run<Output: Sendable>(_ work: @escaping @Sendable () throws -> Output) throws -> Output {
    let results = try map([0], threads: 1) { _ in try work() }
    guard let result = results.first else { throw ThreadError(code: 0) }
    return result
  }

  private final class Board<Output: Sendable>: Sendable {
    let results: Mutex<[Result<Output, any Error>?]>
    init(count: Int) { results = Mutex(Array(repeating: nil, count: count)) }
  }

  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  private static func withThreads(_ count: Int, _ body: () -> Void) throws {
    // All threads are joined before this function returns, so the closure does not escape.
    try withoutActuallyEscaping(body) { body in
      nonisolated(unsafe) let body = body
      let job = Job { body() }
      var handles: [pthread_t] = []
      var failure: Int32 = 0
      for _ in 0..<count {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackBytes)
        #if canImport(Darwin)
          var handle: pthread_t?
        #else
          var handle = pthread_t()
        #endif
        let box = Unmanaged.passRetained(job)
        failure = pthread_create(&handle, &attributes, parsingThreadEntry, box.toOpaque())
        guard failure == 0 else {
          box.release()
          break
        }
        #if canImport(Darwin)
          if let handle { handles.append(handle) }
        #else
          handles.append(handle)
        #endif
      }
      for handle in handles { pthread_join(handle, nil) }
      if handles.isEmpty { throw ThreadError(code: failure) }
    }
  }

  fileprivate static func perform(_ pointer: UnsafeMutableRawPointer) {
    Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue().body()
  }
}

/// The error if the system refuses to create a thread.
package struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error code of `pthread_create`.
  package let code: Int32
  package var description: String { "cannot start a parsing thread (system error code \(code))" }
}

#if canImport(Darwin)
  private func parsingThreadEntry(_ pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    ParsingThreads.perform(pointer)
    return nil
  }
#else
  private func parsingThreadEntry(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let pointer { ParsingThreads.perform(pointer) }
    return nil
  }
#endif
