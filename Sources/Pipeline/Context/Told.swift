import Localization
internal import Synchronization

/// For each vendor, a digest of the last update that the vendor received, and the state on which the update depended. Both are kept only in
/// memory, so each vendor's data is compared once after a start.
package final class Told<State: Hashable & Sendable>: Sendable {
  private let last = Mutex<[String: (state: State, digest: String?)]>([:])

  package init() {}

  /// Returns whether the state differs from the state of the vendor's last update.
  func isNew(_ state: State, for vendor: String) -> Bool { last.withLock { $0[vendor]?.state != state } }

  /// Returns whether the content with this digest differs from the vendor's last update.
  func isNew(digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ state: State, digest: String? = nil, for vendor: String) {
    last.withLock { $0[vendor] = (state, digest) }
  }
}

/// The state on which the variants at a vendor depend. When this state changes, the variants are compared with the watched branches again.
struct VariantState: Hashable {
  var heads: Set<CommitID>
  /// The variants that are outstanding.
  var open: Set<UnitVariant>
}

/// The state on which the source texts at a vendor depend.
struct StandingTextState: Hashable {
  var heads: Set<CommitID>
  /// The open work for the vendor.
  var work: VendorWork
}
