import Localization
internal import Synchronization

/// What vendors were last told, and the state that it depends on. Kept in memory: after a start, each vendor is compared once.
package final class Told<State: Hashable & Sendable>: Sendable {
  private let last = Mutex<[String: (state: State, digest: String?)]>([:])

  package init() {}

  /// Whether the state is not the one of the last update of the vendor.
  func isNew(_ state: State, for vendor: String) -> Bool { last.withLock { $0[vendor]?.state != state } }

  /// Whether the vendor was told something else at the last update.
  func isNew(digest: String, for vendor: String) -> Bool { last.withLock { $0[vendor]?.digest != digest } }

  func note(_ state: State, digest: String? = nil, for vendor: String) {
    last.withLock { $0[vendor] = (state, digest) }
  }
}

/// What the comparison of the variants at a vendor with the watched branches depends on.
struct VariantState: Hashable {
  var heads: Set<CommitID>
  /// The variants that are outstanding.
  var open: Set<UnitVariant>
}

/// What the source texts that a vendor should show depend on.
struct StandingTextState: Hashable {
  var heads: Set<CommitID>
  /// What is out at the vendor.
  var work: VendorWork
}
