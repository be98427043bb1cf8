/// A reader of git's packet lines. Each line has its length as four hexadecimal digits, followed by the content.
struct PacketLines {
  enum Line: Equatable {
    case data(ArraySlice<UInt8>)
    case flush
    /// Special lines of protocol version 2: between the parts of a message, and at its end.
    case delimiter, end
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next packet line, without a line break at its end; `nil` at the end of the bytes.
  /// - Throws: `unreachable` for an invalid length, or for a length beyond the end of the bytes.
  mutating func next(_ operation: String) throws(GitError) -> Line? {
    guard position < bytes.count else { return nil }
    guard position + 4 <= bytes.count,
      let length = Int(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16),
      bytes[position] != UInt8(ascii: "+"), bytes[position] != UInt8(ascii: "-")
    else {
      throw GitError(.unreachable, operation, "the server's response is damaged: no packet length at byte \(position)")
    }
    switch length {
    case 0...2:
      position += 4
      return length == 0 ? .flush : length == 1 ? .delimiter : .end
    case 4...65_520:
      guard position + length <= bytes.count else {
        throw GitError(.unreachable, operation, "the server's response is cut off in a packet at byte \(position)")
      }
      var content = bytes[(position + 4)..<(position + length)]
      position += length
      if content.last == UInt8(ascii: "\n") { content.removeLast() }
      return .data(content)
    default:
      throw GitError(
        .unreachable, operation, "the server's response is damaged: a packet of \(length) bytes at byte \(position)")
    }
  }

  /// Returns a packet line with this text.
  static func line(_ text: String) -> [UInt8] {
    let length = String(text.utf8.count + 4, radix: 16)
    return Array((String(repeating: "0", count: 4 - length.count) + length + text).utf8)
  }
}
