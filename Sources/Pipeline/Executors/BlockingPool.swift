private import CDispatch
private import Dispatch
private import Glibc
package import Localization
private import Synchronization

/// A pool with a limited number of threads for blocking calls, for example of the disk, a database, libgit2 or a parser. Blocking calls must
/// not run on Swift's cooperative pool.
///
/// Threads start on demand and are kept. Work starts in the order of submission.
package final class BlockingPool: Sendable {
  private struct State {
    var pending: [@Sendable () -> Void] = []
    /// The index of the next element of `pending`. Finished elements are removed in blocks.
    var first = 0
    var threads = 0
    var idle = 0
  }

  private let name: String
  private let width: Int
  /// Whether the pool has no threads: `run` runs each call in its caller, and `submit` runs the work in a detached task.
  private let isInline: Bool
  private let isBackground: Bool
  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - name: the purpose of the threads, for messages.
  ///   - width: the maximum number of concurrent calls, at least 1.
  ///   - isBackground: whether the threads, and threads that they start, run at low priority.
  package init(_ name: String, width: Int, isBackground: Bool = false) {
    self.name = name
    self.width = max(1, width)
    self.isBackground = isBackground
    isInline = false
  }

  private init(inline name: String) {
    self.name = name
    width = 1
    isBackground = false
    isInline = true
  }

  /// Returns a pool without threads, for programs that run everything on one thread, such as the simulation. Calls run in the order in
  /// which they are made.
  package static func inline(_ name: String) -> BlockingPool { BlockingPool(inline: name) }

  /// Runs a call on a thread of the pool, even if the calling task is cancelled.
  package func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    guard !isInline else { return try body() }
    return try await withCheckedThrowingContinuation { continuation in
      let call = SingleCall(body)
      submit { continuation.resume(with: call.run()) }
    }
  }

  /// Starts a call on a thread of the pool, and returns without waiting for its result.
  package func start<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) -> AwaitedOutcome<Value> {
    let outcome = AwaitedOutcome<Value>()
    submit { outcome.end(Result { try body() }) }
    return outcome
  }

  /// Submits work. The work must not wait for other work of the same pool.
  package func submit(_ work: @escaping @Sendable () -> Void) {
    guard !isInline else {
      // Runs the work after this call, because it may belong to an actor that is currently running.
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
    // The readers of catalogs and trees are recursive and need a large stack.
    let code = DetachedThread.start(stack: 8 << 20) { self.serve() }
    precondition(code == 0, "no thread could be started for \(name): \(String(cString: strerror(code)))")
  }

  private func serve() {
    // On Linux this only affects the calling thread. If it fails, the work runs at normal priority.
    if isBackground { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 15) }
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

/// A call whose captured values are released before its caller continues. Otherwise, the thread could hold the last reference to a store or
/// a file, and close it later than the caller expects.
private final class SingleCall<Value: Sendable>: Sendable {
  private let body: Mutex<(@Sendable () throws -> Value)?>

  init(_ body: @escaping @Sendable () throws -> Value) { self.body = Mutex(body) }

  func run() -> Result<Value, any Error> {
    guard let body = body.withLock({ $0.take() }) else { preconditionFailure("a call is made once") }
    return Result(catching: body)
  }
}
