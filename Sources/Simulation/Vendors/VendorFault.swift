import Localization

/// A fault of a vendor's server. With all faults except `shiftsPages`, every second request fails, so a push or a pull of several requests fails in
/// the middle. This also simulates expired links and truncated archives, which make a pull fail after some requests.
package enum VendorFault: String, Hashable, Sendable, CaseIterable {
  /// The server returns 429 with `Retry-After`.
  case throttlesWithHint
  /// The server returns 429 without `Retry-After`.
  case throttles
  /// The server returns 500 after it has executed the request.
  case failsAfterSuccess
  /// The server does not respond after it has executed the request.
  case silentAfterSuccess
  /// The connection is cut in the body of the response.
  case cutsBody
  /// The server returns 401, as for an expired token.
  case rejectsToken
  /// The server returns 503 with a date in `Retry-After`, from a clock that is an hour fast or slow.
  case hasWrongClock
  /// Lists shift while their pages are read. Every second request misses some of the returned bundles, and returns the other bundles in a
  /// different order.
  case shiftsPages

  /// The faults that make requests fail.
  package static let failing = allCases.filter { $0 != .shiftsPages }

  /// Whether the server executes the request before it fails.
  var isExecuted: Bool {
    switch self {
    case .failsAfterSuccess, .silentAfterSuccess, .cutsBody: true
    case .throttlesWithHint, .throttles, .rejectsToken, .hasWrongClock, .shiftsPages: false
    }
  }

  /// Returns the error of a request that fails.
  /// - Parameter number: the number of the failing request.
  func error(of vendor: String, number: Int) -> SimulatedVendorError {
    let (text, disposition): (String, Disposition) =
      switch self {
      case .throttlesWithHint: ("429, try again after 30 s", .retryAfter(.seconds(30)))
      case .throttles: ("429", .retry)
      case .failsAfterSuccess: ("500", .retry)
      case .silentAfterSuccess: ("no response for 60 s", .retry)
      case .cutsBody: ("the connection was cut in the response", .retry)
      case .rejectsToken: ("401, the token was rejected", .askPerson)
      case .shiftsPages: ("the list changed while it was read", .retry)
      // The transport does not wait for a time in the past.
      case .hasWrongClock: ("503 until a time of its own clock", .retryAfter(.seconds(number % 4 == 1 ? 3600 : 0)))
      }
    return SimulatedVendorError(description: "\(vendor): \(text)", disposition: disposition)
  }
}
