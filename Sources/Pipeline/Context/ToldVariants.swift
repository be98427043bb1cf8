import Localization
internal import Synchronization

/// The state for which the variants at vendors were last compared with the watched branches. Kept while the process runs.
package final class ToldVariants: Sendable {
  /// What the comparison depends on.
  struct State: Hashable {
    var heads: Set<CommitID>
    /// The variants that are outstanding.
    var open: Set<UnitVariant>
  }

  private let last = Mutex<[String: State]>([:])

  package init() {}

  func isNew(_ state: State, for vendor: String) -> Bool { last.withLock { $0[vendor] != state } }

  func note(_ state: State, for vendor: String) { last.withLock { $0[vendor] = state } }
}
