import Localization
internal import Synchronization

/// The pull requests that were reviewed, each with its state at that time. Kept in memory: a new process reviews all of them again.
package final class ReviewMemory: Sendable {
  struct Subject: Hashable {
    var head: CommitID
    var base: CommitID
  }

  private let seen = Mutex<[Int: Subject]>([:])

  package init() {}

  func isNew(_ subject: Subject, of number: Int) -> Bool { seen.withLock { $0[number] != subject } }

  func note(_ subject: Subject, of number: Int) { seen.withLock { $0[number] = subject } }

  /// Forgets pull requests that are no longer open.
  func keep(only numbers: Set<Int>) { seen.withLock { seen in seen = seen.filter { numbers.contains($0.key) } } }
}
