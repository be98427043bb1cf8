private import Synchronization

/// How many network operations run at the same time.
package struct NetworkWidths: Hashable, Sendable {
  /// Remotes that answered in time when they were last asked.
  package var answering: Int
  /// Remotes that were not asked yet.
  package var unknown: Int
  /// Remotes that were silent or slow when they were last asked.
  package var silent: Int
  /// An operation that has heard nothing for this long no longer counts as answering.
  package var patience: Duration

  package init(answering: Int, unknown: Int, silent: Int, patience: Duration) {
    self.answering = answering
    self.unknown = unknown
    self.silent = silent
    self.patience = patience
  }

  /// Requests in this process, at the cost of one socket each.
  package static let requests = NetworkWidths(answering: 24, unknown: 24, silent: 4, patience: .seconds(1))
  /// Child processes.
  package static let children = NetworkWidths(answering: 20, unknown: 8, silent: 4, patience: .seconds(10))
}

/// Shares a bounded number of network operations between remotes, first come, first served.
///
/// Remotes that answer, remotes that are not known yet, and remotes that are silent each have places of their own, so that no number of
/// silent remotes delays those that answer. An operation that hears nothing for ``NetworkWidths/patience`` moves to the silent places;
/// if all of those are taken, it is ended and started again when one is free. Waiting counts against no deadline.
final class NetworkLanes: Sendable {
  /// What an operation reports about its remote.
  final class Listening: Sendable {
    private let first = Mutex<ContinuousClock.Instant?>(nil)

    /// Something came from the remote.
    func heard() { first.withLock { if $0 == nil { $0 = .now } } }

    fileprivate var firstHeard: ContinuousClock.Instant? { first.withLock { $0 } }
  }

  private enum Standing {
    case unknown
    case answering
    /// How often in a row the remote was silent; 0: it answered late.
    case silent(times: Int)
  }

  private let patience: Duration
  private let answering: Places
  private let unknown: Places
  private let silent: Places
  private let standings = Mutex<[String: Standing]>([:])

  init(_ widths: NetworkWidths) {
    patience = widths.patience
    answering = Places(widths.answering)
    unknown = Places(widths.unknown)
    silent = Places(widths.silent)
  }

  /// Runs an operation when its turn comes.
  /// - Parameter body: may be ended and run again, as long as it has heard nothing.
  func run<R: Sendable>(
    _ remote: String, _ operation: String, _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> R {
    switch standings.withLock({ $0[remote] ?? .unknown }) {
    case .silent(let times): return try await runSilent(remote, operation, times: times, body)
    case .answering:
      if let result = try await runImpatiently(remote, operation, in: answering, body) { return try result.get() }
    case .unknown:
      if let result = try await runImpatiently(remote, operation, in: unknown, body) { return try result.get() }
    }
    return try await runSilent(remote, operation, times: 0, body)
  }

  private func runSilent<R: Sendable>(
    _ remote: String, _ operation: String, times: Int, _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> R {
    // Those that answered late go before those that never answer.
    guard await silent.take(rank: times) else { throw GitError(.cancelled, operation, "cancelled") }
    defer { silent.giveBack() }
    let listening = Listening()
    let start = ContinuousClock.now
    let result = await Self.result { try await body(listening) }
    note(remote, result, listening, since: start)
    return try result.get()
  }

  /// - Returns: `nil` if nothing was heard and the operation must be run again among the silent ones.
  private func runImpatiently<R: Sendable>(
    _ remote: String, _ operation: String, in places: Places, _ body: @escaping @Sendable (Listening) async throws -> R
  ) async throws -> Result<R, any Error>? {
    guard await places.take() else { throw GitError(.cancelled, operation, "cancelled") }
    let listening = Listening()
    let start = ContinuousClock.now
    var held = places
    let patience = patience
    let outcome: (result: Result<R, any Error>, wasEnded: Bool) = await withTaskGroup(
      of: Result<R, any Error>?.self
    ) { group in
      group.addTask { await Self.result { try await body(listening) } }
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      var wasEnded = false
      while let next = await group.next() {
        if let result = next {
          group.cancelAll()
          return (result, wasEnded)
        }
        guard listening.firstHeard == nil, !Task.isCancelled else { continue }
        if silent.takeIfFree() {
          held.giveBack()
          held = silent
        } else {
          wasEnded = true
          group.cancelAll()
        }
      }
      return (.failure(GitError(.failed, operation, "ended without a result")), wasEnded)
    }
    held.giveBack()
    if outcome.wasEnded, case .failure = outcome.result, !Task.isCancelled {
      standings.withLock { $0[remote] = .silent(times: 0) }
      return nil
    }
    note(remote, outcome.result, listening, since: start)
    return outcome.result
  }

  private func note<R>(
    _ remote: String, _ result: Result<R, any Error>, _ listening: Listening, since start: ContinuousClock.Instant
  ) {
    var isSilent = false
    if case .failure(let error) = result, let fault = error as? GitError {
      if fault.kind == .cancelled { return }
      isSilent = fault.kind == .timedOut
    }
    let wasInTime = (listening.firstHeard ?? .now) - start <= patience
    standings.withLock { standings in
      var times = 0
      if case .silent(let known)? = standings[remote] { times = known }
      if isSilent {
        standings[remote] = .silent(times: times + 1)
      } else {
        standings[remote] = wasInTime ? .answering : .silent(times: 0)
      }
    }
  }

  private static func result<R: Sendable>(_ body: () async throws -> R) async -> Result<R, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
