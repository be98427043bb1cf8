/// A bracket expression of a `.gitignore` pattern, such as `[a-z_]`, `[!0-9]` and `[[:alpha:]]`.
enum IgnoreBracket {
  /// Reads a bracket expression.
  /// - Parameter start: the index of the opening bracket.
  /// - Returns: the bytes that match, without the slash, and the index after the closing bracket. Returns `nil` if git never matches the pattern,
  ///   because the closing bracket is missing or the name of a class is unknown.
  static func read(_ text: [UInt8], after start: Int) -> (bytes: Set<UInt8>, end: Int)? {
    var index = start + 1
    let isNegated = index < text.count && (text[index] == UInt8(ascii: "!") || text[index] == UInt8(ascii: "^"))
    if isNegated { index += 1 }
    var bytes: Set<UInt8> = []
    // The last byte, which can be the start of a range; `nil` after a range or a class.
    var previous: UInt8?
    var isFirst = true
    // A closing bracket at the first position is a member of the set.
    while isFirst || index < text.count && text[index] != UInt8(ascii: "]") {
      isFirst = false
      guard index < text.count else { return nil }
      if text[index] == UInt8(ascii: "-"), let low = previous, index + 1 < text.count,
        text[index + 1] != UInt8(ascii: "]")
      {
        index += 1
        guard let high = literal(text, &index) else { return nil }
        if low <= high { bytes.formUnion(low...high) }
        previous = nil
      } else if text[index] == UInt8(ascii: "["), index + 1 < text.count, text[index + 1] == UInt8(ascii: ":") {
        guard let end = text[(index + 2)...].firstIndex(of: UInt8(ascii: "]")) else { return nil }
        guard end > index + 2, text[end - 1] == UInt8(ascii: ":") else {
          // Without `:]`, the bracket is an ordinary character.
          bytes.insert(text[index])
          previous = text[index]
          index += 1
          continue
        }
        let name = String(decoding: text[(index + 2)..<(end - 1)], as: UTF8.self)
        guard let isMember = classes[name] else { return nil }
        bytes.formUnion((0..<0x80).filter(isMember))
        previous = nil
        index = end + 1
      } else {
        guard let byte = literal(text, &index) else { return nil }
        bytes.insert(byte)
        previous = byte
      }
    }
    guard index < text.count else { return nil }
    if isNegated { bytes = Set(UInt8.min...UInt8.max).subtracting(bytes) }
    bytes.remove(UInt8(ascii: "/"))
    return (bytes, index + 1)
  }

  /// Returns the next byte; if that is a backslash, the byte after it. Returns `nil` at the end of the text.
  private static func literal(_ text: [UInt8], _ index: inout Int) -> UInt8? {
    if text[index] == UInt8(ascii: "\\") { index += 1 }
    guard index < text.count else { return nil }
    defer { index += 1 }
    return text[index]
  }

  /// The POSIX character classes, for ASCII only.
  private static let classes: [String: @Sendable (UInt8) -> Bool] = [
    "alnum": { isDigit($0) || isUpper($0) || isLower($0) },
    "alpha": { isUpper($0) || isLower($0) },
    "blank": { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") },
    "cntrl": { $0 < 0x20 || $0 == 0x7F },
    "digit": isDigit,
    "graph": { (0x21...0x7E).contains($0) },
    "lower": isLower,
    "print": { (0x20...0x7E).contains($0) },
    "punct": { (0x21...0x7E).contains($0) && !isDigit($0) && !isUpper($0) && !isLower($0) },
    // In git, vertical tabs and form feeds are not spaces.
    "space": { [0x20, 0x09, 0x0A, 0x0D].contains($0) },
    "upper": isUpper,
    "xdigit": {
      isDigit($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0 | 0x20)
    },
  ]

  @Sendable private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  @Sendable private static func isUpper(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  @Sendable private static func isLower(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
  }
}
