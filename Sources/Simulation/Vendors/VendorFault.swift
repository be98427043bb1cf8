import Localization

/// How a vendor's server answers some of its requests. Every second request fails, so a push or a pull of several requests fails in the
/// middle. Expired links and cut archives are among them: both are a pull that fails after some requests.
package enum VendorFault: String, Hashable, Sendable, CaseIterable {
  /// 429 with `Retry-After`.
  case throttlesWithHint
  /// 429 without it.
  case throttles
  /// 500, after the request was executed.
  case failsAfterSuccess
  /// No answer, after the request was executed.
  case silentAfterSuccess
  /// The connection is cut in the body of the answer.
  case cutsBody
  /// 401, as with a token that expires.
  case rejectsToken
  /// 503 with a date in `Retry-After`, by a clock that is an hour late or early.
  case hasWrongClock
  /// Lists shift while their pages are read: every second request misses some of the returned units, and returns the rest in a different
  /// order.
  case shiftsPages

  /// The faults with which requests fail.
  package static let failing = allCases.filter { $0 != .shiftsPages }

  /// Whether the server executes the request before it fails.
  var isExecuted: Bool {
    switch self {
    case .failsAfterSuccess, .silentAfterSuccess, .cutsBody: true
    case .throttlesWithHint, .throttles, .rejectsToken, .hasWrongClock, .shiftsPages: false
    }
  }

  /// - Parameter number: the number of the failing request.
  func error(of vendor: String, number: Int) -> SimulatedVendorError {
    let (text, disposition): (String, Disposition) =
      switch self {
      case .throttlesWithHint: ("429, try again after 30 s", .retryAfter(.seconds(30)))
      case .throttles: ("429", .retry)
      case .failsAfterSuccess: ("500", .retry)
      case .silentAfterSuccess: ("no answer for 60 s", .retry)
      case .cutsBody: ("the connection was cut in the answer", .retry)
      case .rejectsToken: ("401, the token was rejected", .askPerson)
      // The transport does not wait for a time in the past.
      case .shiftsPages: ("the list changed while it was read", .retry)
      case .hasWrongClock: ("503 until a time of its own clock", .retryAfter(.seconds(number % 4 == 1 ? 3600 : 0)))
      }
    return SimulatedVendorError(description: "\(vendor): \(text)", disposition: disposition)
  }
}
