/// A search for places where code for developers may begin. When the file is parsed, `DeveloperCode` decides whether it is such code.
extension CodeScreen {
  /// Returns whether a word may be the name of a type, function or variable for developers.
  func namesDeveloperCode(_ word: Range<Int>, _ before: Before) -> Bool {
    if before == .type || followsComment(word.lowerBound) {
      let end = word.upperBound
      if has("Preview", at: end - 7) || has("Previews", at: end - 8) || has("Dev", at: word.lowerBound) { return true }
    }
    // Names in a list of variables follow a comma.
    let isName = before == .type || before == .function || before == .binding || precedes(word.lowerBound, ",`")
    return isName && hasWord("debug", in: word)
  }

  /// Returns whether a condition may be for developers, such as `if settings.isDebugging {`.
  /// - Parameter end: the index after `if`.
  func isConditionOfDevelopers(at end: Int) -> Bool {
    let start = next(end)
    var index = start
    while index < bytes.count, BytesOfWords.isWord(bytes[index]) || Self.isOfCondition(bytes[index]) { index += 1 }
    guard follows(index, "{") else { return false }
    return hasWord("debug", in: start..<index) || hasWord("testflight", in: start..<index)
      || byte(at: next(index)) == UInt8(ascii: "/")
  }

  private static func isOfCondition(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ".") || byte == UInt8(ascii: "(") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "$")
  }

  private static let flags: [StaticString] = [
    "debug", "develop", "logging", "test", "preview", "mock", "internal", "simulator",
  ]

  /// Returns whether the directive after `#` is a condition that may have a flag that only developers set.
  func isDeveloperCondition(at start: Int) -> Bool {
    guard has("if", at: start) || has("elseif", at: start) else { return false }
    var end = start
    while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
    return Self.flags.contains { hasWord($0, in: start..<end) }
  }
}
