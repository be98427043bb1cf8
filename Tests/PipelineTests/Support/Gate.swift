import Pipeline
import Synchronization

/// A point at which the code under test stops until the test lets it continue.
final class Gate: Sendable {
  private let entered = WorkSignal()
  private let leave = WorkSignal()
  private let isOpen = Mutex(false)

  /// Waits until the gate is opened, or the task is cancelled.
  func enter() async throws {
    guard !isOpen.withLock({ $0 }) else { return }
    entered.ring()
    await leave.wait()
    try Task.checkCancellation()
  }

  /// Waits until a task is waiting at the gate.
  func isReached() async { await entered.wait() }

  /// Lets all tasks pass from now on.
  func open() {
    isOpen.withLock { $0 = true }
    leave.ring()
  }
}

/// A counter of the operations of several tasks: the highest number that ran at the same time, and the total number.
final class Tally: Sendable {
  private let state = Mutex((now: 0, most: 0, total: 0))

  var most: Int { state.withLock { $0.most } }
  var total: Int { state.withLock { $0.total } }

  func begin() {
    state.withLock { state in
      state.now += 1
      state.total += 1
      state.most = max(state.most, state.now)
    }
  }

  func end() { state.withLock { $0.now -= 1 } }
}

/// A list to which several tasks append.
final class Log<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  var elements: [Element] { list.withLock { $0 } }
  func add(_ element: Element) { list.withLock { $0.append(element) } }
}
