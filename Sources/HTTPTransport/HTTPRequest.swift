package import Localization

/// The time limits for the parts of an exchange.
package struct Deadlines: Hashable, Sendable {
  /// The limit for establishing the connection, including TLS.
  package var connect: Duration
  /// The maximum time without data in either direction after the connection is established. Waiting for our own reader or writer does not count.
  package var stall: Duration
  /// The time limit of the exchange from start to end.
  package var whole: Duration

  package init(connect: Duration = .seconds(15), stall: Duration = .seconds(30), whole: Duration = .seconds(300)) {
    self.connect = connect
    self.stall = stall
    self.whole = whole
  }
}

/// The authentication of a request.
package enum HTTPCredentials: Hashable, Sendable {
  case none
  case basic(user: String, password: Secret)
  case bearer(Secret)
}

/// A stream of chunks that is read while it is sent.
package typealias HTTPBodySource = any AsyncSequence<[UInt8], any Error> & Sendable

/// The body of a request.
package enum HTTPRequestBody: Sendable {
  case none
  case bytes([UInt8])
  /// A stream with its length in bytes. If the length is unknown, the stream is sent in chunks. A stream cannot be sent again after a redirect.
  case stream(HTTPBodySource, length: Int?)
}

/// An HTTP request. The URL's scheme is http or https. TLS certificates are always verified.
package struct HTTPRequest: Sendable {
  package var method: String
  package var url: HTTPURL
  /// The names and values of the headers, in order. A value with a line break or a NUL is rejected.
  package var headers: [(name: String, value: String)]
  /// Headers that are never shown in descriptions, such as a vendor's API key.
  package var secretHeaders: [(name: String, value: Secret)]
  package var credentials: HTTPCredentials
  package var body: HTTPRequestBody
  package var deadlines: Deadlines
  /// The maximum size of the response body in bytes.
  package var responseLimit: Int
  /// Whether libcurl may send the request again if a reused connection ends before the response begins. The server may have executed the first
  /// request, so this is `true` only for requests that can safely be repeated.
  package var isRepeatable: Bool
  /// Whether redirects on the same server are followed, and other redirects are errors. If `false`, a redirect is returned as the response.
  package var followsRedirects = true
  /// Whether the response may be compressed in transit. `responseLimit` counts the decompressed bytes.
  package var acceptsCompression = false

  /// - Parameter isRepeatable: whether the request can safely be repeated; `nil` if this depends on the method.
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

  /// The methods that RFC 9110 calls idempotent, except TRACE, and the WebDAV methods that only read.
  package static let repeatableMethods: Set = readingMethods.union(["PUT", "DELETE"])

  /// The methods that RFC 9110 calls safe, except TRACE, and the WebDAV methods that only read.
  package static let readingMethods: Set = ["GET", "HEAD", "OPTIONS", "PROPFIND", "REPORT"]

  /// Whether libcurl sends the request again after a reused connection ended without a response. libcurl cannot repeat a stream.
  var isSentAgain: Bool {
    guard case .stream = body else { return isRepeatable }
    return false
  }

  /// The method, and the URL without its query, for messages.
  package var operation: String { "\(method) \(url.withoutQuery)" }
}
