import Localization
internal import Synchronization

/// The comments that vendors last received. Kept in memory: after a start, the comments at each vendor are compared once.
package final class ToldComments: Sendable {
  private struct Last {
    var heads: Set<CommitID>
    var digest: String
  }

  private let last = Mutex<[String: Last]>([:])

  package init() {}

  /// Whether a branch has a different commit than at the last update of the vendor.
  func mayDiffer(_ heads: Set<CommitID>, for vendor: String) -> Bool { last.withLock { $0[vendor]?.heads != heads } }

  func isNew(_ digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ heads: Set<CommitID>, _ digest: String, for vendor: String) {
    last.withLock { $0[vendor] = Last(heads: heads, digest: digest) }
  }
}
