/// Finds the comments of Swift code, line by line. Text in string literals is not a comment; code in their interpolations may have comments.
struct SwiftComments {
  private enum Context {
    case string(pounds: Int, isMultiline: Bool)
    /// An interpolation, with the number of its open parentheses.
    case interpolation(open: Int)
  }

  private var contexts: [Context] = []
  /// The number of open `/*`, which nest.
  private var depth = 0

  /// Returns the rest of the next line from its first comment on; `nil` if the line has no comment.
  mutating func comment(in line: Substring) -> Substring? {
    let bytes = Array(line.utf8)
    var start: Int? = depth > 0 ? 0 : nil
    var place = 0
    while place < bytes.count {
      let rest = bytes[place...]
      if depth > 0 {
        if rest.starts(with: "*/".utf8) {
          depth -= 1
          place += 2
        } else if rest.starts(with: "/*".utf8) {
          depth += 1
          place += 2
        } else {
          place += 1
        }
      } else if case .string(let pounds, let isMultiline)? = contexts.last {
        place += readString(rest, pounds, isMultiline)
      } else if rest.starts(with: "//".utf8) {
        start = start ?? place
        break
      } else if rest.starts(with: "/*".utf8) {
        start = start ?? place
        depth = 1
        place += 2
      } else {
        place += readCode(rest)
      }
    }
    // A string that is not multi-line ends with its line.
    let unfinished = contexts.firstIndex { if case .string(pounds: _, isMultiline: false) = $0 { true } else { false } }
    if let unfinished { contexts.removeSubrange(unfinished...) }
    return start.map { line[line.utf8.index(line.startIndex, offsetBy: $0)...] }
  }

  /// Reads a part of a string literal, and returns its length.
  private mutating func readString(_ rest: ArraySlice<UInt8>, _ pounds: Int, _ isMultiline: Bool) -> Int {
    let marks = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
    let escape = [UInt8(ascii: "\\")] + marks
    if rest.starts(with: escape) {
      let next = rest.dropFirst(escape.count).first
      if next == UInt8(ascii: "(") { contexts.append(.interpolation(open: 0)) }
      return escape.count + 1
    }
    let end = [UInt8](repeating: UInt8(ascii: "\""), count: isMultiline ? 3 : 1) + marks
    guard rest.starts(with: end) else { return 1 }
    contexts.removeLast()
    return end.count
  }

  /// Reads a part of code outside of comments, and returns its length.
  private mutating func readCode(_ rest: ArraySlice<UInt8>) -> Int {
    let pounds = rest.prefix { $0 == UInt8(ascii: "#") }.count
    let afterPounds = rest.dropFirst(pounds)
    if afterPounds.first == UInt8(ascii: "\"") {
      // The text of a multi-line string begins on the next line. `#"""#` is a string with one quotation mark.
      let isMultiline =
        afterPounds.starts(with: "\"\"\"".utf8)
        && afterPounds.dropFirst(3).allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      contexts.append(.string(pounds: pounds, isMultiline: isMultiline))
      return pounds + (isMultiline ? 3 : 1)
    }
    if pounds == 0, case .interpolation(let open)? = contexts.last {
      if rest.first == UInt8(ascii: "(") { contexts[contexts.count - 1] = .interpolation(open: open + 1) }
      if rest.first == UInt8(ascii: ")") {
        if open == 0 { contexts.removeLast() } else { contexts[contexts.count - 1] = .interpolation(open: open - 1) }
      }
    }
    return max(pounds, 1)
  }
}
