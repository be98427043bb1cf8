import Pipeline
import Synchronization

/// Stops the code under test at a point until the test lets it continue.
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

  /// Waits until somebody waits at the gate.
  func isReached() async { await entered.wait() }

  /// Opens the gate for good.
  func open() {
    isOpen.withLock { $0 = true }
    leave.ring()
  }
}

/// Numbers that several tasks record.
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

/// A list that several tasks add to.
final class Log<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])
  var elements: [Element] { list.withLock { $0 } }
  func add(_ element: Element) { list.withLock { $0.append(element) } }
}
