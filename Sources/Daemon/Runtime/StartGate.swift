import Pipeline
import ServiceLifecycle
import Synchronization

/// A gate at which tasks wait until it is opened. With it, the daemon does not begin to work before the HTTP server listens on its port and has
/// checked the tokens.
package final class StartGate: Sendable {
  private struct State {
    var isOpen = false
    var number = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  }

  private let state = Mutex(State())

  package init(isOpen: Bool = false) { state.withLock { $0.isOpen = isOpen } }

  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return state.waiting.values
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the gate is open.
  /// - Throws: `CancellationError` if the task is cancelled.
  func wait() async throws {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if state.isOpen { return .success(()) }
          // A later cancellation resumes the continuation.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting[number] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(throwing: CancellationError())
    }
  }
}

/// A service that starts another service when a gate opens.
struct GatedService: Service {
  let gate: StartGate
  let service: any Service

  func run() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await gate.wait() }
    } catch is CancellationError { return }
    try await service.run()
  }
}

/// A service that waits until the server is listening, takes over the state that a former process left, and then opens the gate for the other
/// services.
struct OpeningService: Service {
  /// The gate that the server opens.
  let listening: StartGate
  let gate: StartGate
  let prepare: @Sendable () async throws -> Void

  func run() async throws {
    do {
      try await cancelWhenGracefulShutdown { try await listening.wait() }
    } catch is CancellationError { return }
    try await prepare()
    gate.open()
    // This service waits, because the service group would stop if it returned. If the group is cancelled, no error is thrown, because it would hide
    // the errors of other services.
    do { try await gracefulShutdown() } catch is CancellationError {}
  }
}
