internal import Foundation
internal import Glibc
internal import Synchronization

/// A request that the server received.
package struct RecordedRequest: Sendable, Equatable {
  /// The request line and headers, without the empty line. Lines are separated by `\n`.
  package var head: String
  package var body: [UInt8]

  package init(head: String, body: [UInt8]) {
    self.head = head
    self.body = body
  }

  package var line: String { String(head.prefix { $0 != "\n" }) }
  package var method: String { String(line.prefix { $0 != " " }) }
  /// The path and query of the request line.
  package var target: String { line.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

  /// Returns the value of the first header with this name, ignoring case.
  package func header(_ name: String) -> String? {
    for line in head.split(separator: "\n").dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2, parts[0].lowercased() == name.lowercased() {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }
}

/// The server's response to a request.
package enum LoopbackReply: Sendable {
  case respond(status: Int, headers: [(String, String)] = [], body: [UInt8] = [])
  /// Sends these bytes unchanged, then closes the connection.
  case raw([UInt8])
  /// Sends these bytes, then keeps the connection open until the client closes it.
  case stall(after: [UInt8] = [])
  /// Closes the connection without a response.
  case close
}

/// A small HTTP/1.1 server on 127.0.0.1 that records whole requests and gets the responses from a closure.
///
/// The system chooses the port. Each connection has its own thread. The server stops when the last reference to this object is released.
package final class LoopbackHTTPServer: Sendable {
  package let port: Int
  private let listener: Int32
  private let state: Mutex<State>
  private let reply: @Sendable (RecordedRequest, Int) -> LoopbackReply

  private struct State {
    var requests: [RecordedRequest] = []
    var connections: Set<Int32> = []
    var accepted = 0
    var isStopped = false
  }

  /// - Parameter reply: returns the response to a request; the first request has the number 0.
  package init(_ reply: @escaping @Sendable (RecordedRequest, Int) -> LoopbackReply) throws {
    self.reply = reply
    state = Mutex(State())
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    port = try LoopbackSocket.listen(listener)
    let accepting = listener
    Thread { [weak self] in
      while true {
        let connection = accept(accepting, nil, nil)
        if connection >= 0 { _ = fcntl(connection, F_SETFD, FD_CLOEXEC) }
        // Only this thread closes the listener. If another thread closed it, the descriptor could be reused while this thread still accepts
        // connections on it.
        guard connection >= 0 else {
          close(accepting)
          return
        }
        guard let self, self.add(connection) else {
          close(connection)
          continue
        }
        Thread { [weak self] in
          self?.serve(connection)
          self?.remove(connection)
          // Closing the descriptor may not be enough, because a child process that another test is starting may have a copy of it.
          shutdown(connection, Int32(SHUT_RDWR))
          close(connection)
        }.start()
      }
    }.start()
  }

  deinit { stop() }

  package var url: String { "http://127.0.0.1:\(port)" }
  package var requests: [RecordedRequest] { state.withLock { $0.requests } }

  /// The number of accepted connections.
  package var accepted: Int { state.withLock { $0.accepted } }

  package func stop() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
    }
  }

  private func add(_ connection: Int32) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      state.connections.insert(connection)
      state.accepted += 1
      return true
    }
  }

  private func remove(_ connection: Int32) { state.withLock { _ = $0.connections.remove(connection) } }

  private func serve(_ connection: Int32) {
    let stream = LoopbackSocket(connection)
    while let request = stream.readRequest() {
      let number = state.withLock { state in
        state.requests.append(request)
        return state.requests.count - 1
      }
      switch reply(request, number) {
      case .respond(let status, let headers, let body):
        var head = "HTTP/1.1 \(status) Response\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        head += "Content-Length: \(body.count)\r\n\r\n"
        guard stream.write(Array(head.utf8) + (request.method == "HEAD" ? [] : body)) else { return }
      case .raw(let bytes):
        _ = stream.write(bytes)
        return
      case .stall(let bytes):
        _ = stream.write(bytes)
        stream.waitForEnd()
        return
      case .close: return
      }
    }
  }
}

/// One end of a connection, with blocking reads and writes.
final class LoopbackSocket {
  private let handle: Int32
  private var pending: [UInt8] = []

  init(_ handle: Int32) { self.handle = handle }

  /// Binds a socket to 127.0.0.1 and a free port, and listens.
  /// - Returns: the port.
  static func listen(_ handle: Int32) throws -> Int {
    let port = try bind(handle, to: 0)
    guard Glibc.listen(handle, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
    return port
  }

  /// Binds a socket to 127.0.0.1.
  /// - Parameter port: the port; 0 for a port that the system chooses.
  /// - Returns: the port.
  @discardableResult
  static func bind(_ handle: Int32, to port: Int) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Glibc.bind(handle, address, length) == 0 && getsockname(handle, address, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRINUSE) }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  func readRequest() -> RecordedRequest? {
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      guard let byte = next() else { return nil }
      head.append(byte)
    }
    let text = String(decoding: head.dropLast(4), as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
    var request = RecordedRequest(head: text, body: [])
    if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
      while let size = line().flatMap({ Int($0, radix: 16) }) {
        guard let chunk = read(size), line() != nil else { return nil }
        if size == 0 { break }
        request.body += chunk
      }
    } else if let length = request.header("Content-Length").flatMap({ Int($0) }) {
      guard let body = read(length) else { return nil }
      request.body = body
    }
    return request
  }

  func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(handle, $0.baseAddress?.advanced(by: sent), $0.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  func waitForEnd() { while fill() {} }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(handle, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    pending += buffer[..<count]
    return true
  }

  private func next() -> UInt8? {
    if pending.isEmpty, !fill() { return nil }
    return pending.removeFirst()
  }

  private func line() -> String? {
    var bytes: [UInt8] = []
    while let byte = next() {
      if byte == 10 { return String(decoding: bytes, as: UTF8.self) }
      if byte != 13 { bytes.append(byte) }
    }
    return nil
  }

  private func read(_ count: Int) -> [UInt8]? {
    while pending.count < count { guard fill() else { return nil } }
    let bytes = Array(pending.prefix(count))
    pending.removeFirst(count)
    return bytes
  }
}
