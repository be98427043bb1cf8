import Synchronization
import TestSupport
import Testing

@testable import GitSource

/// An event that happens once and that tasks can wait for.
private final class Event: Sendable {
  private let state = Mutex<(happened: Bool, waiting: [CheckedContinuation<Void, Never>])>((false, []))

  func signal() {
    let waiting = state.withLock { state in
      state.happened = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let happened = state.withLock { state in
        if !state.happened { state.waiting.append(continuation) }
        return state.happened
      }
      if happened { continuation.resume() }
    }
  }
}

private final class Counts: Sendable {
  private let counts = Mutex<[Int: Int]>([:])

  func add(_ number: Int) { counts.withLock { $0[number, default: 0] += 1 } }
  var largest: Int { counts.withLock { $0.values.max() ?? 0 } }
}

/// Waits until the task is cancelled, like a remote that never responds.
private func silence() async throws -> Int {
  do { try await Task.sleep(for: .seconds(3600)) } catch { throw GitError(.cancelled, "wait", "cancelled") }
  return 0
}

@Suite("Slots for network operations")
struct NetworkLanesTests {
  private let widths = NetworkWidths(responsive: 1, probing: 1, patience: .milliseconds(1))

  @Test("silent remotes free their slots for others, and fail with a timeout while other operations wait")
  func silentRemotes() async throws {
    let lanes = NetworkLanes(widths)
    let asked = Counts()
    await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await lanes.run("silent \(number)", "ask") { _ in
            asked.add(number)
            return try await silence()
          }
        }
      }
      // If one of these operations had to wait for a silent remote, it would wait forever.
      for number in 0..<10 {
        for _ in 0..<3 {
          let result = try? await lanes.run("healthy \(number)", "ask") { _ in 7 }
          #expect(result == 7)
        }
      }
      group.cancelAll()
      while let result = await group.nextResult() {
        guard case .failure(let error) = result else { continue }
        let kind = (error as? GitError)?.kind
        #expect(kind == .cancelled || kind == .timedOut)
      }
    }
    #expect(asked.largest <= 3)
  }

  @Test("a slow remote is not stopped while no other operation waits, nor after it has responded")
  func late() async throws {
    let lanes = NetworkLanes(widths)
    let runs = Counts()
    let (started, heard, release) = (Event(), Event(), Event())
    async let late = lanes.run("late", "ask") { listening in
      runs.add(0)
      started.signal()
      // The wait is several times the time limit.
      try await Task.sleep(for: .milliseconds(20))
      listening.heard()
      heard.signal()
      await release.wait()
      return 1
    }
    await started.wait()
    await heard.wait()
    async let other = lanes.run("other", "ask") { _ in 2 }
    try await Task.sleep(for: .milliseconds(20))
    release.signal()
    #expect(try await late == 1)
    #expect(try await other == 2)
    #expect(runs.largest == 1)
  }

  @Test("a cancelled operation leaves the queue, and its slot goes to the next operation")
  func cancellation() async throws {
    let places = Places(1)
    #expect(await places.take())
    let waiting = Task { await places.take() }
    waiting.cancel()
    #expect(await waiting.value == false)
    let next = Task { await places.take() }
    places.giveBack()
    #expect(await next.value)
    places.giveBack()
    #expect(await places.take())
  }
}
