private import Synchronization

/// The number of network operations that may run at the same time, and the time for which a silent remote may delay other operations.
package struct NetworkWidths: Hashable, Sendable {
  /// The number of slots for remotes that responded at the last contact.
  package var responsive: Int
  /// The number of slots for remotes that were silent at the last contact or were not contacted yet.
  package var probing: Int
  /// The time without data after which an operation gives up its slot if other operations are waiting. Second and third attempts get 4 and 16 times
  /// as long.
  package var patience: Duration

  package init(responsive: Int, probing: Int, patience: Duration) {
    self.responsive = responsive
    self.probing = probing
    self.patience = patience
  }

  /// The limits for requests of this process, which need one socket each.
  package static let requests = NetworkWidths(responsive: 24, probing: 40, patience: .seconds(1))
  /// The limits for child processes.
  package static let children = NetworkWidths(responsive: 20, probing: 12, patience: .seconds(10))
}

/// A limit on the number of network operations at the same time. In general, operations get free slots in order of arrival.
///
/// Responsive remotes have their own slots, so remotes that were silent before never delay them. All other remotes share the remaining slots. While
/// other operations wait, an operation that receives no data is stopped after a short time. It runs again later with more time, after the remotes
/// that were never contacted. If a remote stays silent, the operation fails with `timedOut`. While no other operation waits, an operation stops only
/// at its own limits. Waiting for a slot does not count against a deadline.
final class NetworkLanes: Sendable {
  /// A record of whether an operation has received data from its remote.
  final class Listening: Sendable {
    private let value = Mutex(false)

    /// Records that data was received.
    func heard() { value.withLock { $0 = true } }

    fileprivate var hasHeard: Bool { value.withLock { $0 } }
  }

  private enum Standing {
    case responsive
    /// The remote was silent at the last contact. `times` is the number of consecutive silent contacts.
    case silent(times: Int)
  }

  private let patience: Duration
  private let responsive: Places
  private let probing: Places
  /// The results of the last contact, by remote.
  private let standings = Mutex<[String: Standing]>([:])

  init(_ widths: NetworkWidths) {
    patience = widths.patience
    responsive = Places(widths.responsive)
    probing = Places(widths.probing)
  }

  /// Runs an operation when a slot is free.
  /// - Parameter body: the operation. It may be stopped and run again as long as it has received no data.
  /// - Throws: the error of the operation; `timedOut` if the remote stays silent while other operations wait.
  func run<R: Sendable>(
    _ remote: String, _ operation: String, _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> R {
    let standing = standings.withLock { $0[remote] }
    var times = 0
    if case .silent(let count)? = standing { times = count }
    // A remote that was silent gets one short attempt. A new remote, and a silent one every fourth time, also gets longer attempts, because it may
    // only be slow. For a responsive remote, the short attempt uses the slots of responsive remotes.
    var slices = times % 4 == 0 ? [1, 4, 16] : [1]
    if case .responsive? = standing {
      if let result = try await run(remote, operation, in: responsive, rank: 0, slice: patience, body) {
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
      .timedOut, operation,
      "the server sent nothing for \(patience * (slices.last ?? 1)), and other operations are waiting")
  }

  /// Runs an operation in a slot of one group.
  /// - Parameter slice: the time for which the operation may run without data while other operations wait. If an operation with a lower rank waits,
  ///   the time is only the patience.
  /// - Returns: `nil` if the operation was stopped because other operations were waiting.
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
      guard isSilent else { return standings[remote] = .responsive }
      var times = 0
      if case .silent(let known)? = standings[remote] { times = known }
      standings[remote] = .silent(times: times + 1)
    }
  }
}
