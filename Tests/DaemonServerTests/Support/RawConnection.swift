import Foundation
import Glibc
import Pipeline

/// A TCP connection for requests that a test writes as text, such as requests that no HTTP client would send.
enum RawConnection {
  private static let threads = BlockingPool("raw connections", width: 4)

  struct Failure: Error {
    var call: String
    var code: Int32
  }

  /// Sends a text and reads until the server closes the connection or the response contains a given text.
  static func exchange(_ text: String, port: Int, until end: String? = nil) async throws -> String {
    try await threads.run {
      let handle = try open(port: port)
      defer { close(handle) }
      write(text, to: handle)
      var response: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = recv(handle, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        response += buffer[..<count]
        if let end, String(decoding: response, as: UTF8.self).contains(end) { break }
      }
      return String(decoding: response, as: UTF8.self)
    }
  }

  /// Sends a text and reads nothing.
  /// - Returns: whether the server closes the connection within five minutes.
  static func isClosed(afterSending text: String, port: Int) async throws -> Bool {
    try await threads.run {
      let handle = try open(port: port, receiving: 4096)
      defer { close(handle) }
      write(text, to: handle)
      var state = pollfd(fd: handle, events: 0, revents: 0)
      return poll(&state, 1, 300_000) == 1
    }
  }

  /// Connects to a port of this machine.
  /// - Parameter bytes: the size of the socket's receive buffer; the system's default if it is `nil`.
  private static func open(port: Int, receiving bytes: Int32? = nil) throws -> Int32 {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard handle >= 0 else { throw Failure(call: "socket", code: errno) }
    if var bytes { setsockopt(handle, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(handle, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      let code = errno
      close(handle)
      throw Failure(call: "connect", code: code)
    }
    return handle
  }

  private static func write(_ text: String, to handle: Int32) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { send(handle, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      // The server may already have closed the connection.
      guard count > 0 else { break }
      sent += count
    }
  }
}
