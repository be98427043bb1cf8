import Localization
internal import Synchronization

/// The state for which the changed source texts at vendors were last set right. Kept in memory: after a start, they are compared once.
package final class ToldTexts: Sendable {
  /// What the texts depend on.
  struct State: Hashable {
    var heads: Set<CommitID>
    /// What is out at the vendor.
    var work: VendorWork
  }

  private let last = Mutex<[String: (state: State, digest: String)]>([:])

  package init() {}

  func isNew(_ state: State, for vendor: String) -> Bool { last.withLock { $0[vendor]?.state != state } }

  func isNew(_ digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ state: State, _ digest: String, for vendor: String) { last.withLock { $0[vendor] = (state, digest) } }
}
