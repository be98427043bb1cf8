private import Synchronization

/// A signal that wakes its waiting callers, for example the worker when there may be work. Several calls of `ring` while no caller waits
/// count as one.
package final class WorkSignal: Sendable {
  private struct State {
    var isRung = false
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var count = 0
  }

  private let state = Mutex(State())

  package init() {}

  package func ring() {
    let waiting = state.withLock { state in
      if state.waiting.isEmpty { state.isRung = true }
      defer { state.waiting = [:] }
      return state.waiting.sorted { $0.key < $1.key }.map(\.value)
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for the next call of `ring`. Returns immediately if `ring` was called while no caller waited, or if the task is cancelled.
  package func wait() async {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.isRung || Task.isCancelled {
            state.isRung = false
            return true
          }
          state.waiting[number] = continuation
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
