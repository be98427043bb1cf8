/// Splits a text into placeholders and the text between them. The reader works on bytes, because the syntax of placeholders uses only ASCII
/// characters.
struct FormatReader {
  private let bytes: [UInt8]
  private var index = 0
  private var nextNumber = 1
  private(set) var sawStrayPercent = false
  /// The arguments from which `*` takes a width or precision.
  private(set) var starArguments: [FormatString.Argument] = []
  /// Specifiers whose width or precision has more than `FormatString.mostDigits` digits.
  private(set) var oversized: [String] = []
  private var isOversized = false
  /// A placeholder that was already read and that the next call of `next` returns; otherwise `nil`.
  private var pending: FormatString.Part?

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func next() -> FormatString.Part? {
    if let part = pending {
      pending = nil
      return part
    }
    guard index < bytes.count else { return nil }
    if let part = placeholder() { return part }
    let start = index
    repeat {
      if bytes[index] == UInt8(ascii: "%") { sawStrayPercent = true }
      index += 1
      while index < bytes.count, !startsPlaceholder { index += 1 }
      guard index < bytes.count else { break }
      let end = index
      if let part = placeholder() {
        pending = part
        return .literal(text(start..<end))
      }
    } while index < bytes.count
    return .literal(text(start..<index))
  }

  private var startsPlaceholder: Bool { bytes[index] == UInt8(ascii: "%") || bytes[index] == UInt8(ascii: "$") }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  private func matches(_ word: StaticString, at place: Int) -> Bool {
    guard word.utf8CodeUnitCount <= bytes.count - place else { return false }
    return word.withUTF8Buffer { word in
      for offset in word.indices where word[offset] != bytes[place + offset] { return false }
      return true
    }
  }

  /// Reads a placeholder. If there is none, returns `nil` and does not advance.
  private mutating func placeholder() -> FormatString.Part? {
    if matches("${", at: index) { return name() }
    guard bytes[index] == UInt8(ascii: "%") else { return nil }
    if matches("%%", at: index) {
      index += 2
      return .escapedPercent
    }
    if matches("%arg", at: index) {
      index += 4
      return .substitutionArgument
    }
    return specifier()
  }

  private mutating func name() -> FormatString.Part? {
    // The search stops at the first byte that names do not contain, so that a text with many `${` is read only once.
    let end = bytes[(index + 2)...].firstIndex {
      !($0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") || Self.isLetter($0) || Self.isDigit($0) || $0 >= 0x80)
    }
    guard let end, bytes[end] == UInt8(ascii: "}"), end > index + 2 else { return nil }
    defer { index = end + 1 }
    return .name(text((index + 2)..<end))
  }

  private mutating func specifier() -> FormatString.Part? {
    let before = (index, nextNumber, starArguments)
    let start = index
    isOversized = false
    index += 1
    let told = argumentNumber()
    let restStart = index
    if matches("#@", at: index), let reference = reference(told) { return .reference(reference) }
    while index < bytes.count, "-+0#'".utf8.contains(bytes[index]) { index += 1 }
    widthOrPrecision()
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      widthOrPrecision()
    }
    let lengthStart = index
    for length: StaticString in ["hh", "h", "ll", "l", "q", "j", "z", "t", "L"] where matches(length, at: index) {
      index += length.utf8CodeUnitCount
      break
    }
    let length = text(lengthStart..<index)
    guard index < bytes.count, let type = ArgumentType(conversion: bytes[index], length: length) else {
      (index, nextNumber, starArguments) = before
      return nil
    }
    index += 1
    let isDeliberate = told != nil || !length.isEmpty || [.object, .cString, .unicharString, .written].contains(type)
    if !isDeliberate, start > 0, Self.isDigit(bytes[start - 1]), index < bytes.count, Self.isLetter(bytes[index]) {
      (index, nextNumber, starArguments) = before
      return nil
    }
    if isOversized { oversized.append(text(start..<index)) }
    let number = told ?? takeNumber()
    let argument = FormatString.Argument(
      number: number, type: type, isDeliberate: isDeliberate, text: text(start..<index))
    return .specifier(argument, rest: text(restStart..<index))
  }

  /// Reads `#@name@`. The name is not empty and contains no space, line feed, `%` or `@`. Returns `nil` if there is no such reference.
  private mutating func reference(_ told: Int?) -> FormatString.Reference? {
    let start = index + 2
    let end = bytes[start...].firstIndex { byte in
      [UInt8(ascii: "@"), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "%")].contains(byte)
    }
    guard let end, bytes[end] == UInt8(ascii: "@"), end > start else { return nil }
    index = end + 1
    return FormatString.Reference(name: text(start..<end), number: told ?? takeNumber(), isNumbered: told != nil)
  }

  /// Reads `n$` with a number from 1 to 1000. If the position has no such number, returns `nil` and does not advance.
  private mutating func argumentNumber() -> Int? {
    var end = index
    while end < bytes.count, Self.isDigit(bytes[end]) { end += 1 }
    guard end > index, end < bytes.count, bytes[end] == UInt8(ascii: "$"), let number = Int(text(index..<end)),
      number > 0,
      number <= 1000
    else { return nil }
    index = end + 1
    return number
  }

  private mutating func widthOrPrecision() {
    if index < bytes.count, bytes[index] == UInt8(ascii: "*") {
      index += 1
      let number = argumentNumber() ?? takeNumber()
      starArguments.append(FormatString.Argument(number: number, type: .int32, isDeliberate: true, text: "*"))
    } else {
      let start = index
      while index < bytes.count, Self.isDigit(bytes[index]) { index += 1 }
      let digits = bytes[start..<index].drop { $0 == UInt8(ascii: "0") }
      if digits.count > FormatString.mostDigits { isOversized = true }
    }
  }

  private mutating func takeNumber() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
}
