private import Synchronization

/// How many network operations run at the same time.
package struct NetworkWidths: Hashable, Sendable {
  /// Of remotes that answered when they were last asked.
  package var answering: Int
  /// Of remotes that were silent, or were not asked yet.
  package var probing: Int
  /// An operation that has heard nothing for this long gives up its place if others wait for one.
  package var patience: Duration

  package init(answering: Int, probing: Int, patience: Duration) {
    self.answering = answering
    self.probing = probing
    self.patience = patience
  }

  /// Requests in this process, at the cost of one socket each.
  package static let requests = NetworkWidths(answering: 24, probing: 40, patience: .seconds(1))
  /// Child processes.
  package static let children = NetworkWidths(answering: 20, probing: 12, patience: .seconds(10))
}

/// Shares a bounded number of network operations between remotes, first come, first served.
///
/// Remotes that answer have places of their own, so that no number of silent remotes delays them. All others share the rest: while others
/// wait, an operation that hears nothing is ended after a short time, and run again with more time after those that were never asked.
/// If a remote stays silent, the operation fails as timed out. While no other operation waits, only its own limits end it.
/// Waiting counts against no deadline.
final class NetworkLanes: Sendable {
  /// What an operation reports about its remote.
  final class Listening: Sendable {
    private let value = Mutex(false)

    /// Something came from the remote.
    func heard() { value.withLock { $0 = true } }

    fileprivate var hasHeard: Bool { value.withLock { $0 } }
  }

  private enum Standing {
    case answering
    /// How often in a row the remote was silent.
    case silent(times: Int)
  }

  private let patience: Duration
  private let answering: Places
  private let probing: Places
  /// Remotes that were asked before.
  private let standings = Mutex<[String: Standing]>([:])

  init(_ widths: NetworkWidths) {
    patience = widths.patience
    answering = Places(widths.answering)
    probing = Places(widths.probing)
  }

  /// Runs an operation when its turn comes.
  /// - Parameter body: may be ended and run again, as long as it has heard nothing.
  func run<R: Sendable>(
    _ remote: String, _ operation: String, _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> R {
    let standing = standings.withLock { $0[remote] }
    var times = 0
    if case .silent(let count)? = standing { times = count }
    // A remote that is known to be silent gets one short try, and a longer one now and then: it may have become slow.
    var slices = times % 4 == 0 ? [1, 4, 16] : [1]
    if case .answering? = standing {
      if let result = try await run(remote, operation, in: answering, rank: 0, slice: patience, body) {
        return try result.get()
      }
      slices.removeFirst()
    }
    for (index, factor) in slices.enumerated() {
      let rank = index + min(times, 1)
      if let result = try await run(remote, operation, in: probing, rank: rank, slice: patience * factor, body) {
        return try result.get()
      }
    }
    standings.withLock { $0[remote] = .silent(times: times + 1) }
    throw GitError(
      .timedOut, operation, "the server sent nothing for \(patience * (slices.last ?? 1)), and others wait")
  }

  /// - Parameter slice: how long the operation may go on without a word while others wait.
  /// - Returns: `nil` if it was ended for others.
  private func run<R: Sendable>(
    _ remote: String, _ operation: String, in places: Places, rank: Int, slice: Duration,
    _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> Result<R, any Error>? {
    guard await places.take(rank: rank) else { throw GitError(.cancelled, operation, "cancelled") }
    defer { places.giveBack() }
    let listening = Listening()
    let patience = patience
    let end = ContinuousClock.now + slice
    let outcome: (result: Result<R, any Error>, wasEnded: Bool) = await withTaskGroup(
      of: Result<R, any Error>?.self
    ) { group in
      group.addTask {
        do { return .success(try await body(listening)) } catch { return .failure(error) }
      }
      func wait() {
        group.addTask {
          try? await Task.sleep(for: patience)
          return nil
        }
      }
      wait()
      var wasEnded = false
      while let next = await group.next() {
        if let result = next {
          group.cancelAll()
          return (result, wasEnded)
        }
        guard !listening.hasHeard, !Task.isCancelled else { continue }
        if places.hasWaiting(below: rank) || (ContinuousClock.now >= end && places.hasWaiting(below: .max)) {
          wasEnded = true
          group.cancelAll()
        } else {
          wait()
        }
      }
      return (.failure(GitError(.failed, operation, "the git network process ended without a result")), wasEnded)
    }
    if outcome.wasEnded, case .failure = outcome.result, !Task.isCancelled { return nil }
    note(remote, outcome.result)
    return outcome.result
  }

  private func note<R>(_ remote: String, _ result: Result<R, any Error>) {
    var isSilent = false
    if case .failure(let error) = result, let fault = error as? GitError {
      if fault.kind == .cancelled { return }
      isSilent = fault.kind == .timedOut
    }
    standings.withLock { standings in
      guard isSilent else { return standings[remote] = .answering }
      var times = 0
      if case .silent(let known)? = standings[remote] { times = known }
      standings[remote] = .silent(times: times + 1)
    }
  }
}
