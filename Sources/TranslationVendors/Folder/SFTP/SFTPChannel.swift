internal import ChildPrograms
internal import Foundation
internal import HTTPTransport

/// An SFTP connection. Only its session uses it, and every call blocks.
///
/// After an error other than `SFTPStatus` and `VendorError`, the connection must not be used again.
final class SFTPChannel {
  enum Response {
    case handle([UInt8])
    case data([UInt8])
    case names([(name: [UInt8], attributes: SFTPAttributes)])
    case attributes(SFTPAttributes)
    /// Success.
    case done
    case refused(SFTPStatus)
  }

  struct Request {
    var type: UInt8
    var payload: SFTPWriter

    init(_ type: UInt8, _ build: (inout SFTPWriter) -> Void) {
      self.type = type
      payload = SFTPWriter()
      build(&payload)
    }
  }

  let child: SSHConversation
  private let deadlines: Deadlines
  private(set) var extensions: Set<String> = []
  /// The deadline of the current operation.
  private var end: ContinuousClock.Instant
  private var lastID: UInt32 = 0
  /// The properties of this connection's server; `nil` until the server has been tested.
  var facts: SFTPServerFacts?

  /// Starts SFTP version 3 over a connection by ssh, and waits until ssh has connected and the server has replied.
  init(_ child: SSHConversation, _ deadlines: Deadlines) throws {
    self.child = child
    self.deadlines = deadlines
    end = .now + deadlines.connect + deadlines.stall
    var hello = SFTPWriter()
    hello.add(SFTPNumber.version)
    try send(SFTPNumber.initialize, hello.bytes)
    var (type, reply) = try receive()
    guard type == SFTPNumber.versionReply, try reply.number() >= SFTPNumber.version else {
      throw SFTPMalformed(detail: "the server does not support SFTP version 3")
    }
    while !reply.isAtEnd {
      let name = try reply.string()
      _ = try reply.string()
      extensions.insert(String(decoding: name, as: UTF8.self))
    }
  }

  /// Sets the deadline of the next operation.
  func begin() { end = .now + deadlines.whole }

  /// Sends all requests, then reads the responses. Returns the responses in the order of the requests.
  func exchange(_ requests: [Request]) throws -> [Response] {
    var places: [UInt32: Int] = [:]
    var bytes: [UInt8] = []
    for (index, request) in requests.enumerated() {
      lastID &+= 1
      places[lastID] = index
      var head = SFTPWriter()
      head.add(UInt32(request.payload.bytes.count + 5))
      bytes += head.bytes + [request.type]
      var id = SFTPWriter()
      id.add(lastID)
      bytes += id.bytes + request.payload.bytes
    }
    try child.write(bytes, stall: deadlines.stall, end: end)
    var responses = [Response?](repeating: nil, count: requests.count)
    while !places.isEmpty {
      var (type, packet) = try receive()
      guard let index = places.removeValue(forKey: try packet.number()) else {
        throw SFTPMalformed(detail: "a response without a request")
      }
      responses[index] = try response(type, &packet)
    }
    return responses.compactMap { $0 }
  }

  /// Sends one request and reads its response.
  /// - Throws: an `SFTPStatus` if the server refuses the request.
  func exchange(_ request: Request) throws -> Response {
    let response = try exchange([request])[0]
    if case .refused(let status) = response { throw status }
    return response
  }

  private func response(_ type: UInt8, _ packet: inout SFTPReader) throws -> Response {
    switch type {
    case SFTPNumber.status:
      let code = try packet.number()
      guard code != SFTPStatus.Code.done else { return .done }
      // Some servers send no message, as in version 2 of the protocol.
      let message = packet.isAtEnd ? [] : try packet.string()
      let words = String(decoding: message.prefix(200), as: UTF8.self)
      return .refused(SFTPStatus(code: code, message: words.filter { !$0.isNewline }))
    case SFTPNumber.handle: return .handle(try packet.string())
    case SFTPNumber.data: return .data(try packet.string())
    case SFTPNumber.attributes: return .attributes(try packet.attributes())
    case SFTPNumber.name:
      var names: [(name: [UInt8], attributes: SFTPAttributes)] = []
      for _ in 0..<(try packet.number()) {
        let name = try packet.string()
        _ = try packet.string()
        names.append((name, try packet.attributes()))
      }
      return .names(names)
    default: throw SFTPMalformed(detail: "a response of unknown type \(type)")
    }
  }

  private func send(_ type: UInt8, _ payload: [UInt8]) throws {
    var head = SFTPWriter()
    head.add(UInt32(payload.count + 1))
    try child.write(head.bytes + [type] + payload, stall: deadlines.stall, end: end)
  }

  private func receive() throws -> (type: UInt8, SFTPReader) {
    var head = SFTPReader(try child.read(4, stall: deadlines.stall, end: end))
    let length = Int(try head.number())
    guard (1...SFTPNumber.packetLimit).contains(length) else {
      throw SFTPMalformed(
        detail: "a packet of \(length) bytes. If this is the first response, the account's shell prints text before "
          + "SFTP begins. Remove the commands that print it from the shell's start files")
    }
    let bytes = try child.read(length, stall: deadlines.stall, end: end)
    return (bytes[0], SFTPReader(Array(bytes.dropFirst())))
  }
}
