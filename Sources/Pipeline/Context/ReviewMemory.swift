import Localization
internal import Synchronization

/// The pull requests that were reviewed, with their heads and bases at that time and their freeze statuses. All of this is kept only in
/// memory, so a new process reviews all pull requests again.
package final class ReviewMemory: Sendable {
  struct Subject: Hashable {
    var head: CommitID
    var base: CommitID
  }

  private struct State {
    var seen: [Int: Subject] = [:]
    /// The freeze statuses of pull requests, by number.
    var statuses: [Int: (commit: CommitID, status: CommitStatus)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  func isNew(_ subject: Subject, of number: Int) -> Bool { state.withLock { $0.seen[number] != subject } }

  func note(_ subject: Subject, of number: Int) { state.withLock { $0.seen[number] = subject } }

  func note(_ status: CommitStatus, of commit: CommitID, of number: Int) {
    state.withLock { $0.statuses[number] = (commit, status) }
  }

  /// Returns the freeze statuses of the open pull requests with this newest commit, by number.
  func statuses(of commit: CommitID) -> [Int: CommitStatus] {
    state.withLock { $0.statuses.filter { $0.value.commit == commit }.mapValues(\.status) }
  }

  /// Forgets pull requests that are no longer open.
  func keep(only numbers: Set<Int>) {
    state.withLock { state in
      state.seen = state.seen.filter { numbers.contains($0.key) }
      state.statuses = state.statuses.filter { numbers.contains($0.key) }
    }
  }
}
