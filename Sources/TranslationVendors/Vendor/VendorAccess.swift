internal import Localization

/// The conclusion about the token from a successful request.
enum VendorAccess {
  /// No token was sent.
  case none
  /// The token was accepted by a vendor that refuses unknown tokens.
  case accepted
  /// It is unknown whether the token is valid, because the server may accept any token.
  case unknown

  init(_ secret: Secret?, isChecked: Bool) { self = secret == nil ? .none : isChecked ? .accepted : .unknown }

  /// Returns a sentence about the token for the result of a probe.
  /// - Parameter name: the vendor's word for the token, such as `token` or `key`.
  func sentence(_ name: String) -> String {
    switch self {
    case .none: "The server accepts requests without a \(name): no `credentials` are set."
    case .accepted: "The \(name) is accepted."
    case .unknown: "The server accepts requests with this \(name). It may accept any \(name)."
    }
  }
}
