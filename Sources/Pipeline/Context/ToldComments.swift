import Localization
internal import Synchronization

/// What vendors were last told about comments. It is kept while the process runs; after a start they are compared once.
package final class ToldComments: Sendable {
  private struct Last {
    var heads: Set<CommitID>
    var digest: String
  }

  private let last = Mutex<[String: Last]>([:])

  package init() {}

  /// Whether a branch has another commit than when the vendor was told.
  func mayDiffer(_ heads: Set<CommitID>, for vendor: String) -> Bool { last.withLock { $0[vendor]?.heads != heads } }

  func isNew(_ digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ heads: Set<CommitID>, _ digest: String, for vendor: String) {
    last.withLock { $0[vendor] = Last(heads: heads, digest: digest) }
  }
}
