private import CDispatch
private import Dispatch
private import Glibc
private import Synchronization

/// A fixed number of threads for calls that block: disk, SQLite, libgit2, parsing. Nothing that blocks runs on Swift's cooperative pool.
///
/// Threads start when there is work for them and stay. Work is taken in the order in which it was given.
package final class BlockingPool: Sendable {
  private struct State {
    var pending: [@Sendable () -> Void] = []
    /// Index of the next element of `pending`; taken elements are removed in blocks.
    var first = 0
    var threads = 0
    var idle = 0
  }

  private let name: String
  private let width: Int
  /// Whether there are no threads: calls run where they are made.
  private let isInline: Bool
  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - name: what the threads are for, for messages.
  ///   - width: how many calls run at the same time, at least 1.
  package init(_ name: String, width: Int) {
    self.name = name
    self.width = max(1, width)
    isInline = false
  }

  private init(inline name: String) {
    self.name = name
    width = 1
    isInline = true
  }

  /// A pool without threads, for programs that run everything on one thread, such as the simulation: the order of calls is then the order
  /// in which they are made.
  package static func inline(_ name: String) -> BlockingPool { BlockingPool(inline: name) }

  /// Runs a call on a thread of the pool. It runs even where the calling task is cancelled.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard !isInline else { return try body() }
    return try await withCheckedThrowingContinuation { continuation in
      let call = SingleCall(body)
      submit { continuation.resume(with: call.run()) }
    }
  }

  /// Adds work. It must not wait for other work of the same pool.
  package func submit(_ work: @escaping @Sendable () -> Void) {
    guard !isInline else {
      // Later, and not within the call: the work may belong to an actor that is running now.
      Task.detached { work() }
      return
    }
    let needsThread = state.withLock { state in
      state.pending.append(work)
      guard state.idle < state.pending.count - state.first, state.threads < width else { return false }
      state.threads += 1
      return true
    }
    if needsThread { startThread() }
    signal.signal()
  }

  private func startThread() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Catalogs and trees are read by recursion.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    defer { pthread_attr_destroy(&attributes) }
    let pool = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue().serve()
        return nil
      }, pool.toOpaque())
    precondition(code == 0, "no thread could be started for \(name): \(String(cString: strerror(code)))")
  }

  private func serve() {
    while true {
      state.withLock { $0.idle += 1 }
      signal.wait()
      let work = state.withLock { state in
        state.idle -= 1
        let work = state.pending[state.first]
        state.first += 1
        if state.first == state.pending.count {
          state.pending.removeAll(keepingCapacity: true)
          state.first = 0
        } else if state.first >= 1024 {
          state.pending.removeFirst(state.first)
          state.first = 0
        }
        return work
      }
      work()
    }
  }
}

/// A call that releases what it captured before its caller goes on. Otherwise the thread could be the last to hold a store or a file that
/// the caller has given up, and close it at a later time.
private final class SingleCall<Value: Sendable>: Sendable {
  private let body: Mutex<(@Sendable () throws -> Value)?>

  init(_ body: @escaping @Sendable () throws -> Value) { self.body = Mutex(body) }

  func run() -> Result<Value, any Error> {
    guard let body = body.withLock({ $0.take() }) else { preconditionFailure("a call is made once") }
    return Result(catching: body)
  }
}
