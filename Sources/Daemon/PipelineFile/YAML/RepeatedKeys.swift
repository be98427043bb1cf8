/// The keys that occur more than once in a mapping.
///
/// Yams stops at the first such mapping, and gives the position of only one of the repeated keys. To read the rest of the file, this type finds the
/// second occurrence of this key in the text and replaces it with the same number of private-use characters, so all positions stay the same.
struct RepeatedKeys {
  struct Repetition {
    var key: String
    /// The line of the first occurrence, from 1.
    var first: Int
    var line: Int
    /// The column of the second occurrence, in Unicode scalars, from 1.
    var column: Int
  }

  /// The repetitions, by the text that replaces each of them.
  private(set) var masked: [String: Repetition] = [:]
  private(set) var text: String

  init(_ text: String) { self.text = text }

  /// Masks the second occurrence of a key.
  ///
  /// - Parameters:
  ///   - line: the line of the first occurrence, from 1.
  ///   - column: the column of the first occurrence, in Unicode scalars, from 1.
  /// - Returns: `false` if the second occurrence was not found, or if the maximum number of keys is already masked.
  mutating func mask(_ key: String, line: Int, column: Int) -> Bool {
    guard masked.count < FileLimits.repeatedKeys else { return false }
    var lines = Self.lines(of: text)
    guard lines.indices.contains(line - 1), column >= 1, column <= lines[line - 1].count else { return false }
    let found =
      Self.inBlock(key, lines, line: line - 1, column: column - 1)
      ?? Self.inFlow(key, lines, line: line - 1, column: column - 1)
    guard let found else { return false }
    let mask = [Self.mask(UInt32(masked.count))] + Array(repeating: Self.mask(0), count: found.length - 1)
    lines[found.line].replaceSubrange(found.column..<(found.column + found.length), with: mask)
    var view = String.UnicodeScalarView()
    view.append(contentsOf: mask)
    masked[String(view)] = Repetition(key: key, first: line, line: found.line + 1, column: found.column + 1)
    view = String.UnicodeScalarView()
    for line in lines { view.append(contentsOf: line) }
    text = String(view)
    return true
  }

  private typealias Line = [Unicode.Scalar]
  private typealias Occurrence = (line: Int, column: Int, length: Int)

  private static func mask(_ number: UInt32) -> Unicode.Scalar { Unicode.Scalar(0xE000 + number) ?? "\u{E000}" }

  /// Returns the lines with their line breaks.
  private static func lines(of text: String) -> [Line] {
    var lines: [Line] = [[]]
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if previous == "\n" || previous == "\r" && scalar != "\n" { lines.append([]) }
      lines[lines.count - 1].append(scalar)
      previous = scalar
    }
    return lines
  }

  /// Finds the second occurrence of a key in a block mapping. The second occurrence is in the same column of a later line, and no line in between is
  /// indented less.
  private static func inBlock(_ key: String, _ lines: [Line], line: Int, column: Int) -> Occurrence? {
    guard lines[line][..<column].allSatisfy({ " -?".unicodeScalars.contains($0) }) else { return nil }
    for index in lines.indices.dropFirst(line + 1) {
      let indentation = lines[index].prefix { $0 == " " }.count
      guard let first = lines[index].dropFirst(indentation).first, !"#\r\n".unicodeScalars.contains(first) else {
        continue
      }
      if indentation < column { return nil }
      if indentation == column, let length = length(of: key, in: lines[index][column...]) {
        return (index, column, length)
      }
    }
    return nil
  }

  /// Finds the second occurrence of a key in a flow mapping. The second occurrence follows a comma at the same depth.
  private static func inFlow(_ key: String, _ lines: [Line], line: Int, column: Int) -> Occurrence? {
    var depth = 0
    var quote: Unicode.Scalar?
    var isAtKey = false
    for index in lines.indices.dropFirst(line) {
      var place = index == line ? column : 0
      while place < lines[index].count {
        let scalar = lines[index][place]
        if depth == 0, isAtKey, quote == nil, let length = length(of: key, in: lines[index][place...]) {
          return (index, place, length)
        }
        switch scalar {
        case "\\" where quote == "\"": place += 1
        case "\"", "'":
          if quote == nil { quote = scalar } else if quote == scalar { quote = nil }
        case _ where quote != nil: break
        case "{", "[": depth += 1
        case "}", "]":
          if depth == 0 { return nil }
          depth -= 1
        case "#" where place == 0 || lines[index][place - 1] == " ": place = lines[index].count
        default: break
        }
        if quote == nil { isAtKey = scalar == "," || isAtKey && " \t\r\n".unicodeScalars.contains(scalar) }
        place += 1
      }
    }
    return nil
  }

  /// Returns the length of the key with its quotes; `nil` unless the text starts with the key and a colon follows.
  private static func length(of key: String, in text: ArraySlice<Unicode.Scalar>) -> Int? {
    for spelling in [key, "\"\(key)\"", "'\(key)'"] {
      let scalars = Array(spelling.unicodeScalars)
      guard !scalars.isEmpty, text.starts(with: scalars) else { continue }
      let rest = text.dropFirst(scalars.count).drop { $0 == " " }
      if rest.first == ":" { return scalars.count }
    }
    return nil
  }
}
