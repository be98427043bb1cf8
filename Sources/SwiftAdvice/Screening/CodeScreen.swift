import Localization

/// A screen: a quick search of a Swift file's bytes for the patterns that the file can contain. Because of this search, most files need not be
/// parsed for a review.
///
/// The screen uses no grammar, and reads comments and literals as if they were code. It may report a pattern that the file does not contain, but
/// never omits a pattern that the file contains.
struct CodeScreen {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  var line = 1
  var traits = CodeTraits()
  var before = Before.other
  /// Which of the types `String` and `AttributedString` the file extends.
  var extended: Set<String> = []

  /// The construct that the word before the current one introduces.
  enum Before {
    case type, function, binding, label, other
  }

  static func traits(of bytes: [UInt8]) -> CodeTraits {
    bytes.withUnsafeBufferPointer { bytes in
      var screen = CodeScreen(bytes: bytes)
      screen.scan()
      return screen.traits
    }
  }

  private enum Class: UInt8 {
    case other, letter, digit, lineFeed, carriageReturn, plus, pound

    var isOfWord: Bool { self == .letter || self == .digit }
  }

  private static let classes: [Class] = (0...255).map { (byte: UInt8) in
    switch byte {
    case _ where BytesOfWords.isWord(byte) && !BytesOfWords.isDigit(byte): .letter
    case _ where BytesOfWords.isDigit(byte): .digit
    case UInt8(ascii: "\n"): .lineFeed
    case UInt8(ascii: "\r"): .carriageReturn
    case UInt8(ascii: "+"): .plus
    case UInt8(ascii: "#"): .pound
    default: .other
    }
  }

  private mutating func scan() {
    Self.classes.withUnsafeBufferPointer { classes in
      while position < bytes.count {
        switch classes[Int(bytes[position])] {
        case .other: position += 1
        case .letter:
          let start = position
          repeat { position += 1 } while position < bytes.count && classes[Int(bytes[position])].isOfWord
          examine(start..<position)
        case .digit:
          let start = position
          repeat { position += 1 } while position < bytes.count && classes[Int(bytes[position])].isOfWord
          if position == start + 1 { examineNumber(at: start) }
        case .lineFeed:
          line += 1
          position += 1
        case .carriageReturn:
          position += 1
          if byte(at: position) != UInt8(ascii: "\n") { line += 1 }
        case .plus:
          if joins(at: position) { traits.kinds.insert(.joinedTexts) }
          position += 1
        case .pound:
          position += 1
          if isDeveloperCondition(at: position) { noteDeveloperCode() }
        }
      }
    }
  }

  mutating func noteDeveloperCode() {
    if traits.developerLine == nil { traits.developerLine = line }
  }

  // MARK: Bytes around a place

  func byte(at index: Int) -> UInt8 { index >= 0 && index < bytes.count ? bytes[index] : 0 }

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
  }

  /// Returns the index of the first byte at or after an index that is not white space.
  func next(_ index: Int) -> Int {
    var index = index
    while index < bytes.count, Self.isSpace(bytes[index]) { index += 1 }
    return index
  }

  /// Returns the index of the last byte before an index that is not white space. If that byte is on an earlier line with `//`, returns the index of
  /// the second slash.
  func previous(_ index: Int) -> Int {
    var index = index - 1
    var isSameLine = true
    while index >= 0, Self.isSpace(bytes[index]) {
      if bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") { isSameLine = false }
      index -= 1
    }
    return isSameLine ? index : comment(before: index) ?? index
  }

  /// Returns the index of the second slash of `//` before an index on the same line; `nil` if there is none.
  private func comment(before end: Int) -> Int? {
    var index = end
    while index > 0, bytes[index] != UInt8(ascii: "\n"), bytes[index] != UInt8(ascii: "\r") {
      if bytes[index] == UInt8(ascii: "/"), bytes[index - 1] == UInt8(ascii: "/") { return index }
      index -= 1
    }
    return nil
  }

  /// Returns whether the first byte after white space is one of the wanted bytes. A comment may hide that byte, so a slash counts, too.
  func follows(_ index: Int, _ wanted: StaticString) -> Bool {
    let byte = byte(at: next(index))
    return byte == UInt8(ascii: "/") || isOne(byte, of: wanted)
  }

  /// Returns whether the last byte before white space is one of the wanted bytes, or may be hidden by a comment.
  func precedes(_ index: Int, _ wanted: StaticString) -> Bool {
    isOne(byte(at: previous(index)), of: wanted) || followsComment(index)
  }

  /// Returns whether a comment may end before an index.
  func followsComment(_ index: Int) -> Bool {
    let end = previous(index)
    guard byte(at: end) == UInt8(ascii: "/") else { return false }
    // The rest of the line after `//` is part of the comment.
    return byte(at: end - 1) == UInt8(ascii: "*") || bytes[end..<index].contains { $0 == 0x0A || $0 == 0x0D }
  }

  private func isOne(_ byte: UInt8, of wanted: StaticString) -> Bool {
    for index in 0..<wanted.utf8CodeUnitCount where wanted.utf8Start[index] == byte { return true }
    return false
  }

  /// Returns whether the bytes at an index are equal to a text.
  func has(_ text: StaticString, at index: Int) -> Bool {
    guard index >= 0, index + text.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount where bytes[index + offset] != text.utf8Start[offset] { return false }
    return true
  }

  /// Returns whether a range contains a text, ignoring case. The text must consist of lowercase ASCII letters.
  func hasWord(_ text: StaticString, in range: Range<Int>) -> Bool {
    let count = text.utf8CodeUnitCount
    guard range.count >= count else { return false }
    for start in range.lowerBound...(range.upperBound - count) where bytes[start] | 0x20 == text.utf8Start[0] {
      if (0..<count).allSatisfy({ bytes[start + $0] | 0x20 == text.utf8Start[$0] }) { return true }
    }
    return false
  }
}

/// The bytes of which Swift's identifiers and numbers consist.
enum BytesOfWords {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || isDigit(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
