private import Glibc

/// The address at which the server listens: an address of this machine and a port.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// `localhost`, or an IP address.
  package let host: String
  /// The port; 0 for any free port.
  package let port: Int

  /// - Parameters:
  ///   - text: `HOST:PORT` or `[::1]:PORT`.
  ///   - isBehindProxy: whether a proxy is declared. Without a proxy, the address must be a loopback address.
  /// - Throws: `ServerFault` if the text is not such an address, or if other machines could connect although no proxy is declared.
  package init(_ text: String, isBehindProxy: Bool = false) throws(ServerFault) {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
      throw ServerFault(.usage, "'\(text)' is not an address. Write HOST:PORT, such as 127.0.0.1:8080")
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard Self.loopback.contains(host) || isBehindProxy && Self.isAddress(host) else {
      throw ServerFault(
        .usage,
        "'\(text)' is not a loopback address. Use 127.0.0.1:\(port), or put a reverse proxy with TLS in front of it, declare "
          + "its name with --behind-proxy, and give an IP address such as 0.0.0.0:\(port)")
    }
    self.host = host
    self.port = Int(port)
  }

  /// Whether only this machine can connect.
  package var isLoopback: Bool { Self.loopback.contains(host) }

  private static func isAddress(_ host: String) -> Bool {
    var four = in_addr()
    var six = in6_addr()
    return inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Returns whether a Host header names this machine's loopback interface, with or without a port. A web page whose own host name resolves to
  /// 127.0.0.1 is not accepted, because the browser sends that host name.
  static func isLoopback(host header: String) -> Bool {
    if loopback.contains(where: { header == $0 || header == "[\($0)]" }) { return true }
    guard let colon = header.lastIndex(of: ":"), UInt16(header[header.index(after: colon)...]) != nil else {
      return false
    }
    let name = header[..<colon]
    return loopback.contains { $0.contains(":") ? name == "[\($0)]" : name == $0 }
  }

  private static let loopback = ["127.0.0.1", "::1", "localhost"]
}

/// The reason why the server cannot start.
package struct ServerFault: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    case usage
    /// The address cannot be used, for example because the port is in use or the process lacks the privilege for it.
    case unavailable
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

extension ListenAddress {
  private init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  /// Returns the address with another port.
  func with(port: Int) -> ListenAddress { ListenAddress(host: host, port: port) }
}
