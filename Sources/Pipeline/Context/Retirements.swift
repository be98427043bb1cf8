import Localization
internal import Synchronization

/// The heads of the watched branches that were last searched for removed units, for each vendor. They are kept only in memory.
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
