internal import Localization

/// What an answered request shows about the token.
enum VendorAccess {
  /// Nothing was sent.
  case none
  /// The vendor accepted the token; it would refuse an unknown one.
  case accepted
  /// The server may accept any token.
  case unknown

  init(_ secret: Secret?, isChecked: Bool) { self = secret == nil ? .none : isChecked ? .accepted : .unknown }

  /// - Parameter name: the vendor's word for it: token, key.
  func sentence(_ name: String) -> String {
    switch self {
    case .none: "The server answers without a \(name): no `credentials` are set."
    case .accepted: "The \(name) is accepted."
    case .unknown: "The server answers requests with this \(name). It may accept any \(name)."
    }
  }
}
