package import Foundation
package import HTTPTransport
package import Localization

/// A value of a vendor's own option, as a pipeline file gives it.
package enum VendorOption: Hashable, Sendable {
  case text(String)
  case number(Double)
  case flag(Bool)
  case list([VendorOption])
  case map([String: VendorOption])
}

/// What a vendor is made of: one entry under `vendors` of a pipeline file, decoded, and what the process lends it.
package struct VendorConfiguration: Sendable {
  /// `folder`, `pseudo`.
  package var kind: String
  /// `path` or `url`: where the vendor is.
  package var place: String?
  /// What `credentials` refers to, resolved. For HTTP: `user:password`, else a bearer token.
  package var credentials: Secret?
  package var settle: Duration?
  /// The keys of the entry that only this vendor knows.
  package var options: [String: VendorOption]
  /// A folder of the process for what a vendor must remember; absolute.
  package var stateFolder: String
  package var transport: HTTPTransport
  package var now: @Sendable () -> Date

  package init(
    kind: String, place: String? = nil, credentials: Secret? = nil, settle: Duration? = nil,
    options: [String: VendorOption] = [:], stateFolder: String, transport: HTTPTransport,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.kind = kind
    self.place = place
    self.credentials = credentials
    self.settle = settle
    self.options = options
    self.stateFolder = stateFolder
    self.transport = transport
    self.now = now
  }

  func fault(_ detail: String, kind: VendorError.Kind = .configuration) -> VendorError {
    VendorError(kind: kind, operation: "set up vendor \(self.kind)", detail: detail)
  }

  /// Refuses options that the vendor does not have.
  func allowOnly(_ known: [String]) throws(VendorError) {
    if let other = options.keys.sorted().first(where: { !known.contains($0) }) {
      let list = known.isEmpty ? "it has no options of its own" : "it knows \(known.joined(separator: ", "))"
      throw fault("unknown option “\(other)”; \(list)")
    }
  }

  var httpCredentials: HTTPCredentials {
    guard let credentials else { return .none }
    let parts = credentials.reveal().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return .bearer(credentials) }
    return .basic(user: String(parts[0]), password: Secret(String(parts[1])))
  }
}
