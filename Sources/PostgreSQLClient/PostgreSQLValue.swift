/// A parameter of a statement.
///
/// PostgreSQL cannot store the character U+0000. Therefore texts are escaped with U+FDD0, a noncharacter: U+0000 becomes U+FDD0 and the digit 0, and
/// U+FDD0 is doubled. Texts in results are unescaped.
package enum PostgreSQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case double(Double)
  case text(String)
  /// An array of integers, for `= ANY ($1)` and `unnest($1)`.
  case integers([Int64])
  case texts([String])

  /// The OID of the type in PostgreSQL's catalog. With 0, the server infers the type.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .integer: 20
    case .double: 701
    case .text: 25
    case .integers: 1016
    case .texts: 1009
    }
  }

  var isList: Bool {
    switch self {
    case .integers, .texts: true
    case .null, .integer, .double, .text: false
    }
  }

  /// Appends the text form of the value and a zero byte.
  /// - Returns: `false` for null.
  func append(to bytes: inout [UInt8]) -> Bool {
    switch self {
    case .null: return false
    case .integer(let value): bytes += String(value).utf8
    case .double(let value): bytes += String(value).utf8
    case .text(let value): EscapedText.append(value, to: &bytes)
    case .integers(let values):
      bytes += "{\(values.map(String.init).joined(separator: ","))}".utf8
    case .texts(let values):
      bytes.append(UInt8(ascii: "{"))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        var text: [UInt8] = []
        EscapedText.append(value, to: &text)
        for byte in text {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
          bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
      }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.append(0)
    return true
  }
}

/// The escaping of U+0000, which PostgreSQL cannot store in texts. U+FDD0 begins each escape sequence, so it is escaped too.
enum EscapedText {
  /// U+FDD0 in UTF-8.
  private static let mark: [UInt8] = [0xEF, 0xB7, 0x90]

  static func append(_ text: String, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes += text.utf8
    guard bytes[start...].contains(where: { $0 == 0 || $0 == mark[0] }) else { return }
    let plain = Array(bytes[start...])
    bytes.removeLast(plain.count)
    var index = 0
    while index < plain.count {
      if plain[index] == 0 {
        bytes += mark + [UInt8(ascii: "0")]
      } else if isMark(plain, at: index) {
        bytes += mark + mark
        index += 2
      } else {
        bytes.append(plain[index])
      }
      index += 1
    }
  }

  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard unsafe bytes.contains(mark[0]) else { return unsafe String(decoding: bytes, as: UTF8.self) }
    let escaped = unsafe Array(bytes)
    var plain: [UInt8] = []
    var index = 0
    while index < escaped.count {
      guard isMark(escaped, at: index) else {
        plain.append(escaped[index])
        index += 1
        continue
      }
      index += 3
      if isMark(escaped, at: index) {
        plain += mark
        index += 3
      } else if index < escaped.count {
        plain.append(0)
        index += 1
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func isMark(_ bytes: [UInt8], at index: Int) -> Bool {
    index + 2 < bytes.count && bytes[index] == mark[0] && bytes[index + 1] == mark[1] && bytes[index + 2] == mark[2]
  }
}
