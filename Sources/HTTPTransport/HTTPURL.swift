private import CLibCurl

/// An http or https URL without user and password. libcurl parses it, so that the address that we compare is also the address to which we connect.
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
  package let scheme: String
  /// The host in lower case.
  package let host: String
  package let port: Int
  /// The percent-encoded path, with a leading slash.
  package let path: String
  package let query: String?

  /// - Throws: `invalidRequest` for a text that is not an absolute http or https URL, and for a URL with a user or password.
  package init(_ text: String) throws(TransportError) {
    self = try Self.parse(text, base: nil)
  }

  private init(scheme: String, host: String, port: Int, path: String, query: String?) {
    self.scheme = scheme
    self.host = host
    self.port = port
    self.path = path
    self.query = query
  }

  /// Resolves the URL of a `Location` header relative to this URL.
  package func resolving(_ reference: String) throws(TransportError) -> HTTPURL {
    try Self.parse(reference, base: text)
  }

  /// Appends one or more path components, each percent-encoded, and removes the query. The path of a `folder` ends with a slash, as WebDAV requires.
  package func appending(_ components: [String], folder: Bool = false) -> HTTPURL {
    var path = self.path.hasSuffix("/") ? String(self.path.dropLast()) : self.path
    for component in components { path += "/" + Self.encode(component) }
    if folder || path.isEmpty { path += "/" }
    return HTTPURL(scheme: scheme, host: host, port: port, path: path, query: nil)
  }

  /// The whole URL. The port is included if it is not the scheme's default.
  package var text: String { withoutQuery + (query.map { "?" + $0 } ?? "") }

  /// The URL for messages, without its query, which may contain secrets.
  package var withoutQuery: String { "\(scheme)://\(host)\(port == Self.defaultPort(scheme) ? "" : ":\(port)")\(path)" }

  package var description: String { withoutQuery }

  /// Returns whether a request for this URL may be sent to `other`. The host must be the same. The scheme and port must also be the same, unless
  /// https replaces http.
  package func mayRedirect(to other: HTTPURL) -> Bool {
    host == other.host && (scheme == other.scheme && port == other.port || scheme == "http" && other.scheme == "https")
  }

  /// Percent-encodes all characters except the unreserved characters of RFC 3986.
  package static func encode(_ component: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var encoded: [UInt8] = []
    for byte in component.utf8 {
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        encoded.append(byte)
      default: encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Decodes a percent-encoded text.
  /// - Returns: the decoded text; `nil` if an escape is invalid or the result is not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
        return nil
      }
      rest = rest.dropFirst(2)
      bytes.append(value)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func defaultPort(_ scheme: String) -> Int { scheme == "https" ? 443 : 80 }

  private static func parse(_ text: String, base: String?) throws(TransportError) -> HTTPURL {
    func fault(_ detail: String) -> TransportError {
      TransportError(kind: .invalidRequest, operation: "invalid URL", detail: detail)
    }
    guard !text.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F }) else {
      throw fault("it contains a space or a control character; percent-encode it")
    }
    guard let handle = unsafe curl_url() else { throw fault("out of memory") }
    defer { unsafe curl_url_cleanup(handle) }
    if let base { _ = unsafe curl_url_set(handle, CURLUPART_URL, base, 0) }
    guard unsafe curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else {
      throw fault("it is not a URL")
    }
    func part(_ which: CURLUPart, _ flags: Int32 = 0) -> String? {
      var value: UnsafeMutablePointer<CChar>?
      guard unsafe curl_url_get(handle, which, &value, UInt32(flags)) == CURLUE_OK, let found = unsafe value else {
        return nil
      }
      defer { unsafe curl_free(found) }
      return unsafe String(cString: found)
    }
    guard part(CURLUPART_USER) == nil, part(CURLUPART_PASSWORD) == nil else {
      throw fault("it contains a user name or a password; set them with credentials: instead")
    }
    guard let scheme = part(CURLUPART_SCHEME)?.lowercased(), scheme == "http" || scheme == "https" else {
      throw fault("its scheme is neither http nor https")
    }
    guard let host = part(CURLUPART_HOST)?.lowercased(), !host.isEmpty else { throw fault("it has no host") }
    let port = part(CURLUPART_PORT).flatMap { Int($0) } ?? defaultPort(scheme)
    return HTTPURL(
      scheme: scheme, host: host, port: port, path: part(CURLUPART_PATH) ?? "/", query: part(CURLUPART_QUERY))
  }
}
