private import Synchronization

/// A fixed number of slots. Requests get slots in order of their rank, and with equal ranks in order of arrival.
final class Places: Sendable {
  private struct Waiting {
    let number: UInt64
    let rank: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var free: Int
    var waiting: [Waiting] = []
    var nextNumber: UInt64 = 0
    /// The requests that have a number but are not in `waiting` yet, and whether each was cancelled in the meantime.
    var arriving: [UInt64: Bool] = [:]
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// Waits for a slot. Each slot must be returned by ``giveBack()``.
  /// - Returns: `false` if the task was cancelled and no slot was taken.
  func take(rank: Int = 0) async -> Bool {
    let number = state.withLock { state in
      state.nextNumber += 1
      state.arriving[state.nextNumber] = false
      return state.nextNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.arriving.removeValue(forKey: number) == true { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          let waiting = Waiting(number: number, rank: rank, continuation: continuation)
          let index = state.waiting.firstIndex { $0.rank > rank } ?? state.waiting.endIndex
          state.waiting.insert(waiting, at: index)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let removed: Waiting? = state.withLock { state in
        if let index = state.waiting.firstIndex(where: { $0.number == number }) {
          return state.waiting.remove(at: index)
        }
        if state.arriving[number] != nil { state.arriving[number] = true }
        return nil
      }
      removed?.continuation.resume(returning: false)
    }
  }

  /// Returns whether a request with a lower rank is waiting.
  func hasWaiting(below rank: Int) -> Bool { state.withLock { ($0.waiting.first?.rank ?? .max) < rank } }

  func giveBack() {
    let next: Waiting? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }
}

/// A gate that runs operations one at a time, in order of arrival.
struct OperationGate: Sendable {
  private let place = Places(1)

  /// Runs an operation when all earlier operations have ended.
  /// - Throws: `cancelled` if the task was cancelled while it waited.
  func run<R: Sendable>(_ operation: String, _ body: () async throws -> R) async throws -> R {
    guard await place.take() else { throw GitError(.cancelled, operation, "cancelled") }
    defer { place.giveBack() }
    return try await body()
  }
}
