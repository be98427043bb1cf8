import Localization
internal import Synchronization

/// The pull requests that were looked at, each with what it was then. It is kept while the process runs; a new process looks at all again.
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
