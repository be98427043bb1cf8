/// Classification of bytes and words.
extension BracketScanner {
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (0x30...0x39).contains(byte)
      || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }

  static func isOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "/"),
      UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"), UInt8(ascii: "?"),
      UInt8(ascii: "&"), UInt8(ascii: "|"), UInt8(ascii: "^"), UInt8(ascii: "%"), UInt8(ascii: "~"),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }

  /// Words after which the parser recurses. A long sequence of them causes deep nesting.
  static let descending = Keywords([
    "try", "await", "unsafe", "consume", "copy", "borrow", "repeat", "each", "some", "any", "inout", "if", "switch",
    "while", "guard", "for", "case", "let", "var", "is", "as", "do", "catch", "where", "in", "throw", "not", "isolated",
    "borrowing", "consuming", "sending", "defer", "indirect", "else",
  ])

  static func equals(_ word: UnsafeBufferPointer<UInt8>, _ other: StaticString) -> Bool {
    guard word.count == other.utf8CodeUnitCount, word.first == other.utf8Start.pointee else { return false }
    for index in 0..<word.count where word[index] != other.utf8Start[index] { return false }
    return true
  }
}

/// A set of keywords, for words that are slices of a file's bytes.
struct Keywords {
  private let byLength: [[StaticString]]

  init(_ words: [StaticString]) {
    let longest = words.map(\.utf8CodeUnitCount).max() ?? 0
    byLength = (0...longest).map { length in words.filter { $0.utf8CodeUnitCount == length } }
  }

  func contains(_ word: UnsafeBufferPointer<UInt8>) -> Bool {
    guard word.count < byLength.count, let first = word.first, first >= UInt8(ascii: "a") else { return false }
    return byLength[word.count].contains { BracketScanner.equals(word, $0) }
  }
}
