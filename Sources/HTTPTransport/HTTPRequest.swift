package import Localization

/// How long each part of an exchange may take.
package struct Deadlines: Hashable, Sendable {
  /// The limit for establishing the connection, including TLS.
  package var connect: Duration
  /// The longest silence in either direction after that. Waiting for our own reader or writer does not count.
  package var stall: Duration
  /// From start to end.
  package var whole: Duration

  package init(connect: Duration = .seconds(15), stall: Duration = .seconds(30), whole: Duration = .seconds(300)) {
    self.connect = connect
    self.stall = stall
    self.whole = whole
  }
}

/// How a request is authenticated.
package enum HTTPCredentials: Hashable, Sendable {
  case none
  case basic(user: String, password: Secret)
  case bearer(Secret)
}

/// A chunked body that is read while it is sent.
package typealias HTTPBodySource = any AsyncSequence<[UInt8], any Error> & Sendable

/// The body of a request.
package enum HTTPRequestBody: Sendable {
  case none
  case bytes([UInt8])
  /// A stream, with its length in bytes, or in chunks if the length is unknown. It cannot be sent again after a redirect.
  case stream(HTTPBodySource, length: Int?)
}

/// One request. The URL's scheme is http or https; TLS certificates are always verified.
package struct HTTPRequest: Sendable {
  package var method: String
  package var url: HTTPURL
  /// Names and values, in order. A value with a line break is rejected.
  package var headers: [(name: String, value: String)]
  /// Headers that are never shown in descriptions, such as a vendor's API key.
  package var secretHeaders: [(name: String, value: Secret)]
  package var credentials: HTTPCredentials
  package var body: HTTPRequestBody
  package var deadlines: Deadlines
  /// The largest response body that is accepted, in bytes.
  package var responseLimit: Int
  /// Whether libcurl may send the request again if a reused connection ends before the answer begins. The server may have executed the
  /// first one, so this is only for requests that can be repeated without effect.
  package var isRepeatable: Bool
  /// Whether redirects on the same host are followed. Otherwise they are answers like any other.
  package var followsRedirects = true
  /// Whether the response may be compressed in transit. `responseLimit` counts the decompressed bytes.
  package var acceptsCompression = false

  /// - Parameter isRepeatable: by default, this depends on the method.
  package init(
    _ method: String, _ url: HTTPURL, headers: [(name: String, value: String)] = [],
    secretHeaders: [(name: String, value: Secret)] = [], credentials: HTTPCredentials = .none,
    body: HTTPRequestBody = .none, deadlines: Deadlines = Deadlines(), responseLimit: Int = 64 << 20,
    isRepeatable: Bool? = nil
  ) {
    self.isRepeatable = isRepeatable ?? Self.repeatableMethods.contains(method)
    self.method = method
    self.url = url
    self.headers = headers
    self.secretHeaders = secretHeaders
    self.credentials = credentials
    self.body = body
    self.deadlines = deadlines
    self.responseLimit = responseLimit
  }

  /// The methods that RFC 9110 calls idempotent, and the WebDAV methods that only read.
  package static let repeatableMethods: Set = readingMethods.union(["PUT", "DELETE"])

  /// The methods that RFC 9110 calls safe, and the WebDAV methods that only read.
  package static let readingMethods: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]

  /// Whether libcurl sends the request again after a reused connection ended without an answer. It cannot repeat a stream.
  var isSentAgain: Bool {
    guard case .stream = body else { return isRepeatable }
    return false
  }

  /// The method, and the URL without its query, for messages.
  package var operation: String { "\(method) \(url.withoutQuery)" }
}
