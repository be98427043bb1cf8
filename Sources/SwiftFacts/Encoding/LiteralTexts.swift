/// The texts of a file's literals, segment by segment, and the places of the literals, in the order of the file's facts.
///
/// The resolution of a literal does not depend on its text. A file can therefore be linked with a token in place of each text. The result is valid
/// for all versions of the file that differ only in texts and places.
package struct LiteralTexts: Hashable, Sendable {
  package var texts: [String] = []
  package var places: [SourcePlace] = []

  /// The source of texts and places for a reader of facts.
  enum Reading {
    /// No source, because texts and places are not part of an interface.
    case absent
    case tokens(texts: Int = 0, places: Int = 0)
    case given(LiteralTexts, texts: Int = 0, places: Int = 0)

    package mutating func text() throws(FactsCursor.Malformed) -> String {
      switch self {
      case .absent: return ""
      case .tokens(let number, let places):
        self = .tokens(texts: number + 1, places: places)
        return token(number)
      case .given(let given, let number, let places):
        guard number < given.texts.count else { throw FactsCursor.Malformed() }
        self = .given(given, texts: number + 1, places: places)
        return given.texts[number]
      }
    }

    package mutating func place() throws(FactsCursor.Malformed) -> SourcePlace {
      switch self {
      case .absent: return SourcePlace(line: 1, column: 1)
      case .tokens(let texts, let number):
        self = .tokens(texts: texts, places: number + 1)
        return SourcePlace(line: Int32(truncatingIfNeeded: number), column: tokenColumn)
      case .given(let given, let texts, let number):
        guard number < given.places.count else { throw FactsCursor.Malformed() }
        self = .given(given, texts: texts, places: number + 1)
        return given.places[number]
      }
    }
  }

  // MARK: tokens

  /// A code point that does not occur in normal text. A token is the number of a text between two such code points.
  private static let mark: Unicode.Scalar = "\u{10FFFE}"
  /// A column that no literal can have. In a place with this column, the line is the number of the literal.
  private static let tokenColumn: Int32 = -1

  private static func token(_ number: Int) -> String { "\(mark)\(number)\(mark)" }

  /// Returns a text in which each token is replaced with the text that it represents.
  package func restored(_ text: String) -> String {
    // Most texts with a token consist of only this token.
    if let number = Self.number(ofToken: text), texts.indices.contains(number) { return texts[number] }
    guard text.unicodeScalars.contains(Self.mark) else { return text }
    let parts = text.unicodeScalars.split(separator: Self.mark, omittingEmptySubsequences: false)
    // Every second part is the number of a text.
    return parts.enumerated().map { index, part in
      guard index % 2 == 1, let number = Int(String(part)), texts.indices.contains(number) else { return String(part) }
      return texts[number]
    }.joined()
  }

  /// Returns the number of a token; `nil` if the text is anything else.
  private static func number(ofToken text: String) -> Int? {
    let digits = text.utf8.dropFirst(markBytes.count).dropLast(markBytes.count)
    guard !digits.isEmpty, digits.count < 10, text.utf8.starts(with: markBytes),
      text.utf8.suffix(markBytes.count).elementsEqual(markBytes),
      digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static let markBytes = Array(String(mark).utf8)

  package func restored(_ place: SourcePlace) -> SourcePlace {
    let number = Int(place.line)
    return place.column == Self.tokenColumn && places.indices.contains(number) ? places[number] : place
  }

  // MARK: bytes

  package var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(texts) { $0.string($1) }
    stream.list(places) { $0.place($1) }
    return stream.finished()
  }

  package init() {}

  /// - Throws: `FactsCursor.Malformed` if the bytes are not in this format.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) throws(FactsCursor.Malformed) {
    var cursor = try FactsCursor(bytes)
    for _ in 0..<(try cursor.count()) { texts.append(try cursor.string()) }
    for _ in 0..<(try cursor.count()) { places.append(try cursor.place()) }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
  }
}
