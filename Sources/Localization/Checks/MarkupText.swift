/// The markup of a text: Foundation's Markdown (`AttributedString`) with Apple's `^[…](inflect: true)`.
///
/// The type covers only markup that occurs in localized texts: bold, italic, code, strikethrough, links and attributes. As in CommonMark,
/// `_` inside a word, escaped marks, and marks with a space on their inner side are plain characters. A mark without its counterpart is
/// recorded in `leftOver`.
struct MarkupText {
  /// The meaning of a pair of marks.
  enum Style: String, CaseIterable {
    case bold, italic, code, struck
  }

  struct Link: Hashable {
    var text: String
    var target: String
  }

  private(set) var styles: [Style: Int] = [:]
  private(set) var links: [Link] = []
  /// The contents of the parentheses of `^[…](…)`.
  private(set) var attributes: [String] = []
  /// Marks without a counterpart: `**`, `^[`, `](`.
  private(set) var leftOver: [String] = []

  /// The maximum nesting depth of brackets. It is limited because texts are untrusted input.
  private static let depth = 32

  /// Returns whether a text has a character that begins or ends a mark. Most texts have no such character and need not be parsed.
  static func mayHaveMarks(_ text: String) -> Bool {
    text.utf8.contains { byte in
      switch byte {
      case UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "*"), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        true
      default: false
      }
    }
  }

  init(_ text: String) {
    let bytes = Array(text.utf8)
    brackets = bytes.contains(UInt8(ascii: "[")) ? Self.partners(in: bytes) : []
    read(bytes[...], depth: 0)
    brackets = []
  }

  /// For each opening bracket or parenthesis, the position of its counterpart; 0 if it has none, and for all other bytes. All positions are computed
  /// once, so that deeply nested brackets do not slow down the parser.
  private var brackets: [Int]

  static func partners(in text: [UInt8]) -> [Int] {
    var partners = [Int](repeating: 0, count: text.count)
    var (square, round): ([Int], [Int]) = ([], [])
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"): index += 1
      case UInt8(ascii: "["): square.append(index)
      case UInt8(ascii: "("): round.append(index)
      case UInt8(ascii: "]"): if let start = square.popLast() { partners[start] = index }
      case UInt8(ascii: ")"): if let start = round.popLast() { partners[start] = index }
      default: break
      }
      index += 1
    }
    return partners
  }

  var isPlain: Bool { styles.isEmpty && links.isEmpty && attributes.isEmpty }

  private mutating func read(_ text: ArraySlice<UInt8>, depth: Int) {
    var open = OpenMarks()
    var index = text.startIndex
    while index < text.endIndex {
      switch text[index] {
      case UInt8(ascii: "\\") where index + 1 < text.endIndex: index += 2
      case UInt8(ascii: "`"): index = code(text, at: index)
      case UInt8(ascii: "^") where index + 1 < text.endIndex && text[index + 1] == UInt8(ascii: "["):
        index = bracketed(text, at: index + 1, isAttribute: true, depth: depth) ?? leave("^[", index + 2)
      case UInt8(ascii: "["):
        index = bracketed(text, at: index, isAttribute: false, depth: depth) ?? index + 1
      case UInt8(ascii: "]") where index + 1 < text.endIndex && text[index + 1] == UInt8(ascii: "("):
        index = leave("](", index + 2)
      case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"): index = mark(text, at: index, &open)
      default: index += 1
      }
    }
    leftOver += open.left
  }

  private mutating func leave(_ mark: String, _ next: Int) -> Int {
    leftOver.append(mark)
    return next
  }

  private mutating func code(_ text: ArraySlice<UInt8>, at start: Int) -> Int {
    let ticks = text[start...].prefix { $0 == UInt8(ascii: "`") }.count
    var index = start + ticks
    while index < text.endIndex {
      let run = text[index...].prefix { $0 == UInt8(ascii: "`") }.count
      if run == ticks {
        styles[.code, default: 0] += 1
        return index + run
      }
      index += max(run, 1)
    }
    leftOver.append(String(repeating: "`", count: ticks))
    return start + ticks
  }

  /// Reads `[text](target)` from its bracket.
  /// - Returns: the position after the closing parenthesis; `nil` if the bracket begins neither a link nor a text with attributes.
  private mutating func bracketed(_ text: ArraySlice<UInt8>, at start: Int, isAttribute: Bool, depth: Int) -> Int? {
    guard depth < Self.depth, let close = partner(text, of: start),
      close + 1 < text.endIndex, text[close + 1] == UInt8(ascii: "("),
      let end = partner(text, of: close + 1)
    else { return nil }
    let inner = text[(start + 1)..<close]
    let target = String(decoding: text[(close + 2)..<end], as: UTF8.self)
    if isAttribute {
      attributes.append(target)
    } else {
      links.append(Link(text: String(decoding: inner, as: UTF8.self), target: target))
    }
    read(inner, depth: depth + 1)
    return end + 1
  }

  /// Returns the position of the closing bracket for the bracket at `start`; `nil` if there is none in the text.
  private func partner(_ text: ArraySlice<UInt8>, of start: Int) -> Int? {
    brackets[start] > start && brackets[start] < text.endIndex ? brackets[start] : nil
  }

  private mutating func mark(_ text: ArraySlice<UInt8>, at start: Int, _ open: inout OpenMarks) -> Int {
    let byte = text[start]
    var end = start
    while end < text.endIndex, text[end] == byte { end += 1 }
    let run = end - start
    guard run <= 3, byte != UInt8(ascii: "~") || run == 2 else { return end }
    let before = start > text.startIndex ? text[start - 1] : UInt8(ascii: " ")
    let after = end < text.endIndex ? text[end] : UInt8(ascii: " ")
    let opens = !Self.isSpace(after) && (byte != UInt8(ascii: "_") || !Self.isWord(before))
    let closes = !Self.isSpace(before) && (byte != UInt8(ascii: "_") || !Self.isWord(after))
    let pieces: [(Int, Style)] =
      byte == UInt8(ascii: "~")
      ? [(2, .struck)] : run == 3 ? [(2, .bold), (1, .italic)] : run == 2 ? [(2, .bold)] : [(1, .italic)]
    for (count, style) in pieces {
      let mark = String(repeating: Character(Unicode.Scalar(byte)), count: count)
      if closes, open.close(mark) {
        styles[style, default: 0] += 1
      } else if opens {
        open.add(mark)
      }
    }
    return end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 }
  private static func isWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}

/// The marks that still lack their counterparts.
private struct OpenMarks {
  /// The marks in the order of the text; `nil` for a mark that was closed.
  private var marks: [String?] = []
  /// The indices in `marks` of the open marks, by mark.
  private var places: [String: [Int]] = [:]

  var left: [String] { marks.compactMap(\.self) }

  mutating func add(_ mark: String) {
    places[mark, default: []].append(marks.count)
    marks.append(mark)
  }

  /// Closes the last open mark of this kind.
  /// - Returns: whether such a mark was open.
  mutating func close(_ mark: String) -> Bool {
    guard let place = places[mark]?.popLast() else { return false }
    marks[place] = nil
    return true
  }
}
