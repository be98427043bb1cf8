import Synchronization
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct WorkSignalTests {
  @Test("a signal before the wait is remembered, and several signals count as one")
  func remembered() async {
    let signal = WorkSignal()
    signal.ring()
    signal.ring()
    await signal.wait()
    let mayEnd = Mutex(false)
    let second = Task {
      await signal.wait()
      return mayEnd.withLock { $0 }
    }
    mayEnd.withLock { $0 = true }
    signal.ring()
    #expect(await second.value)
  }

  @Test("a wait ends when its task is cancelled and consumes no signal")
  func cancelled() async {
    let signal = WorkSignal()
    let task = Task { await signal.wait() }
    task.cancel()
    await task.value
    signal.ring()
    await signal.wait()
  }

  @Test("a task that is cancelled already does not wait")
  func cancelledBefore() async {
    let signal = WorkSignal()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await signal.wait()
    }
    await task.value
  }
}
