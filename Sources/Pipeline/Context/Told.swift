import Localization
internal import Synchronization

/// A digest of the last update that each vendor received, and the state that the update depends on. Kept in memory: after a start, each
/// vendor is compared once.
package final class Told<State: Hashable & Sendable>: Sendable {
  private let last = Mutex<[String: (state: State, digest: String?)]>([:])

  package init() {}

  /// Whether the state differs from that of the vendor's last update.
  func isNew(_ state: State, for vendor: String) -> Bool { last.withLock { $0[vendor]?.state != state } }

  /// Whether the vendor's last update had different content.
  func isNew(digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ state: State, digest: String? = nil, for vendor: String) {
    last.withLock { $0[vendor] = (state, digest) }
  }
}

/// The state that decides whether the variants at a vendor are compared with the watched branches again.
struct VariantState: Hashable {
  var heads: Set<CommitID>
  /// The variants that are outstanding.
  var open: Set<UnitVariant>
}

/// The state that decides which source texts a vendor should show.
struct StandingTextState: Hashable {
  var heads: Set<CommitID>
  /// The vendor's outstanding and planned work.
  var work: VendorWork
}
