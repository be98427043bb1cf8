/// The texts of a file's literals, piece by piece, and the places of the literals, in the order in which its facts hold them.
///
/// What a literal resolves to does not depend on its text. So a file can be linked with a token in the place of each text, and what
/// comes out serves every version of the file that differs in texts and places alone.
package struct LiteralTexts: Hashable, Sendable {
  package var texts: [String] = []
  package var places: [SourcePlace] = []

  /// What a reader of facts takes for texts and places.
  enum Reading {
    /// Nothing: they are no part of an interface.
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

  /// A code point that no text holds that anyone means to be read, before and behind the number of a text.
  private static let mark: Unicode.Scalar = "\u{10FFFE}"
  /// No literal stands in such a column: the line is then the number of the literal.
  private static let tokenColumn: Int32 = -1

  private static func token(_ number: Int) -> String { "\(mark)\(number)\(mark)" }

  /// A text with each token in it replaced.
  package func restored(_ text: String) -> String {
    guard text.unicodeScalars.first == Self.mark || text.unicodeScalars.contains(Self.mark) else { return text }
    let parts = text.unicodeScalars.split(separator: Self.mark, omittingEmptySubsequences: false)
    // A number stands in every second part.
    return parts.enumerated().map { index, part in
      guard index % 2 == 1, let number = Int(String(part)), texts.indices.contains(number) else { return String(part) }
      return texts[number]
    }.joined()
  }

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

  /// - Throws: where the bytes are not ours.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) throws(FactsCursor.Malformed) {
    var cursor = try FactsCursor(bytes)
    for _ in 0..<(try cursor.count()) { texts.append(try cursor.string()) }
    for _ in 0..<(try cursor.count()) { places.append(try cursor.place()) }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
  }
}
