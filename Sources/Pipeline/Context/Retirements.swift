import Localization
internal import Synchronization

/// The commits up to which vendors know about removed units. Kept while the process runs.
package final class Retirements: Sendable {
  private let last = Mutex<[String: Set<CommitID>]>([:])

  package init() {}

  func isNew(_ heads: Set<CommitID>, for vendor: String) -> Bool {
    last.withLock { last in
      guard last[vendor] != heads else { return false }
      last[vendor] = heads
      return true
    }
  }
}
