import Localization
import SwiftFacts
import SwiftLinking

/// The localized literals of each file of a target. The record is cached under the name `LinkNames.Names.record`.
struct LinkRecord {
  struct File {
    /// The value of `EncodedFacts.shapeDigest`.
    var shape: [UInt8]
    /// The literals with tokens in place of the texts.
    var literals: [LocalizedLiteral]
    var texts: LiteralTexts

    var restored: [LocalizedLiteral] { literals.map { $0.restored(texts) } }
  }

  var files: [BlobID: File] = [:]

  /// Returns the literals of files with these shapes. The literals are valid for all files with the same shape.
  func literals(ofShapes wanted: Set<[UInt8]>) -> [[UInt8]: [LocalizedLiteral]] {
    var found: [[UInt8]: [LocalizedLiteral]] = [:]
    for file in files.values where wanted.contains(file.shape) { found[file.shape] = file.literals }
    return found
  }

  /// Removes the files whose ids are not in `present`.
  mutating func keep(only present: Set<BlobID>) {
    for blob in files.keys.filter({ !present.contains($0) }) { files[blob] = nil }
  }

  /// - Parameter bytes: the encoded record. For invalid bytes, the record is empty.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    files = bytes.withUnsafeBufferPointer { try? Self.read($0) } ?? [:]
  }

  // MARK: bytes

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(Array(files)) { stream, entry in
      stream.string(entry.key.rawValue)
      stream.tags(entry.value.shape)
      stream.list(entry.value.literals) { Self.write($1, to: &$0) }
      // Without literals, there are no tokens to replace.
      let texts = entry.value.literals.isEmpty ? LiteralTexts() : entry.value.texts
      stream.list(texts.texts) { $0.string($1) }
      stream.list(texts.places) { $0.place($1) }
    }
    return stream.finished()
  }

  private static func write(_ literal: LocalizedLiteral, to stream: inout FactsStream) {
    write(literal.key, to: &stream)
    stream.list(literal.value.map { [$0] } ?? []) { write($1, to: &$0) }
    stream.list(literal.comment.map { [$0] } ?? []) { $0.string($1) }
    switch literal.table {
    case .standard: stream.tag(0)
    case .computed: stream.tag(1)
    case .named(let name):
      stream.tag(2)
      stream.string(name)
    }
    stream.place(literal.place)
    stream.string(literal.api)
    stream.list(literal.phrases.map { [$0] } ?? []) { $0.list($1) { write($1, to: &$0) } }
    let marks: UInt8 = (literal.isFoundBySearch ? 1 : 0) | (literal.isUncertain ? 2 : 0)
    stream.tag(marks | (literal.isOnlyForDebugging ? 4 : 0))
  }

  private static func write(_ parts: [KeyPart], to stream: inout FactsStream) {
    stream.list(parts) { stream, part in
      switch part {
      case .text(let text):
        stream.tag(0)
        stream.string(text)
      case .specifier(let specifier):
        stream.tag(1)
        stream.string(specifier)
      case .undecided(let specifier):
        stream.tag(2)
        stream.string(specifier)
      case .written(let specifier):
        stream.tag(3)
        stream.string(specifier)
      }
    }
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [BlobID: File] {
    var cursor = try FactsCursor(bytes)
    var files: [BlobID: File] = [:]
    for _ in 0..<(try cursor.count()) {
      let blob = BlobID(rawValue: try cursor.string())
      let shape = try cursor.tags(EncodedFacts.digestBytes)
      let literals = try list(&cursor) { try literal(&$0) }
      var texts = LiteralTexts()
      texts.texts = try list(&cursor) { try $0.string() }
      texts.places = try list(&cursor) { try $0.place() }
      files[blob] = File(shape: shape, literals: literals, texts: texts)
    }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
    return files
  }

  private static func list<Element>(
    _ cursor: inout FactsCursor, _ read: (inout FactsCursor) throws -> Element
  ) throws -> [Element] {
    var found: [Element] = []
    for _ in 0..<(try cursor.count()) { found.append(try read(&cursor)) }
    return found
  }

  private static func literal(_ cursor: inout FactsCursor) throws -> LocalizedLiteral {
    let key = try parts(&cursor)
    let value = try list(&cursor) { try parts(&$0) }.first
    let comment = try list(&cursor) { try $0.string() }.first
    let table: TableReference
    switch try cursor.tag() {
    case 0: table = .standard
    case 1: table = .computed
    case 2: table = .named(try cursor.string())
    default: throw FactsCursor.Malformed()
    }
    let place = try cursor.place()
    let api = try cursor.string()
    let phrases = try list(&cursor) { try list(&$0) { try parts(&$0) } }.first
    let marks = try cursor.tag()
    guard marks < 8 else { throw FactsCursor.Malformed() }
    return LocalizedLiteral(
      key: key, value: value, comment: comment, table: table, place: place, api: api, phrases: phrases,
      isFoundBySearch: marks & 1 != 0, isUncertain: marks & 2 != 0, isOnlyForDebugging: marks & 4 != 0)
  }

  private static func parts(_ cursor: inout FactsCursor) throws -> [KeyPart] {
    try list(&cursor) { cursor in
      switch try cursor.tag() {
      case 0: .text(try cursor.string())
      case 1: .specifier(try cursor.string())
      case 2: .undecided(try cursor.string())
      case 3: .written(try cursor.string())
      default: throw FactsCursor.Malformed()
      }
    }
  }
}

extension LocalizedLiteral {
  /// Returns the literal with texts in place of its tokens.
  func restored(_ texts: LiteralTexts) -> LocalizedLiteral {
    func restored(_ parts: [KeyPart]) -> [KeyPart] {
      parts.map { part in
        switch part {
        case .text(let text): .text(texts.restored(text))
        case .specifier(let specifier): .specifier(texts.restored(specifier))
        case .undecided(let specifier): .undecided(texts.restored(specifier))
        case .written(let specifier): .written(texts.restored(specifier))
        }
      }
    }
    var own = self
    own.key = restored(key)
    own.value = value.map(restored)
    own.comment = comment.map { texts.restored($0) }
    if case .named(let name) = table { own.table = .named(texts.restored(name)) }
    own.place = texts.restored(place)
    own.phrases = phrases?.map(restored)
    return own
  }
}
