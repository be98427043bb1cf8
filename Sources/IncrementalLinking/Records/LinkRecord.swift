import Localization
import SwiftFacts
import SwiftLinking

/// The localized literals of each file of a target. The record is cached under the name `LinkNames.Names.record`.
struct LinkRecord {
  /// The version of the encoding. Increase it when the encoding changes.
  static let version = 2

  /// The literals of a file, which stay encoded until they are needed. Most files of a record are copied to the next record without being decoded.
  struct File {
    /// The value of `EncodedFacts.shapeDigest`.
    let shape: FactsDigest
    /// The encoded literals, with tokens in place of the texts; empty if the file has no literals.
    fileprivate let literals: ArraySlice<UInt8>
    /// The encoded texts; empty if the file has no literals.
    fileprivate let texts: ArraySlice<UInt8>

    fileprivate init(shape: FactsDigest, literals: ArraySlice<UInt8>, texts: ArraySlice<UInt8>) {
      self.shape = shape
      self.literals = literals
      self.texts = texts
    }

    /// - Parameter literals: the literals with tokens in place of the texts.
    init(shape: FactsDigest, literals: [LocalizedLiteral], texts: LiteralTexts) {
      self.shape = shape
      self.literals = literals.isEmpty ? [] : LinkRecord.encoded(literals)[...]
      self.texts = literals.isEmpty ? [] : texts.encoded[...]
    }

    /// Returns the literals of another file with the same shape. They differ only in their texts.
    func with(_ texts: LiteralTexts) -> File {
      File(shape: shape, literals: literals, texts: literals.isEmpty ? [] : texts.encoded[...])
    }

    /// Returns the literals with their texts; `nil` if the bytes are not valid.
    func restored() -> [LocalizedLiteral]? {
      guard !literals.isEmpty else { return [] }
      return literals.withUnsafeBufferPointer { literals in
        texts.withUnsafeBufferPointer { texts in
          guard let texts = try? LiteralTexts(texts), var reader = try? LiteralReader(literals, texts) else {
            return nil
          }
          return try? reader.literals()
        }
      }
    }
  }

  var files: [BlobID: File] = [:]

  /// Returns a file of each of these shapes. Its literals are valid for all files with the same shape.
  func files(ofShapes wanted: Set<FactsDigest>) -> [FactsDigest: File] {
    var found: [FactsDigest: File] = [:]
    for file in files.values where wanted.contains(file.shape) { found[file.shape] = file }
    return found
  }

  /// Removes the files whose ids are not in `present`.
  mutating func keep(only present: Set<BlobID>) {
    for blob in files.keys.filter({ !present.contains($0) }) { files[blob] = nil }
  }

  /// - Parameter bytes: the encoded record. For invalid bytes, the record is empty.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    files = (try? Self.read(bytes)) ?? [:]
  }

  // MARK: bytes

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(Array(files)) { stream, entry in
      stream.single(entry.key.rawValue)
      stream.digest(entry.value.shape)
      stream.inner(entry.value.literals)
      stream.inner(entry.value.texts)
    }
    return stream.finished()
  }

  private static func read(_ bytes: [UInt8]) throws -> [BlobID: File] {
    try bytes.withUnsafeBufferPointer { buffer in
      var cursor = try FactsCursor(buffer)
      let count = try cursor.count()
      var files: [BlobID: File] = [:]
      files.reserveCapacity(count)
      for _ in 0..<count {
        let blob = BlobID(rawValue: try cursor.single())
        let shape = try cursor.digest()
        files[blob] = File(shape: shape, literals: bytes[try cursor.inner()], texts: bytes[try cursor.inner()])
      }
      guard cursor.left == 0 else { throw FactsCursor.Malformed() }
      return files
    }
  }

  private static func encoded(_ literals: [LocalizedLiteral]) -> [UInt8] {
    var stream = FactsStream()
    stream.list(literals) { write($1, to: &$0) }
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
}

/// A reader of encoded literals that puts texts in place of their tokens.
private struct LiteralReader {
  private var cursor: FactsCursor
  private let texts: LiteralTexts

  /// - Parameter bytes: the encoded literals, which must outlive the reader.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ texts: LiteralTexts) throws {
    cursor = try FactsCursor(bytes)
    self.texts = texts
  }

  mutating func literals() throws -> [LocalizedLiteral] {
    let literals = try list { try $0.literal() }
    guard cursor.left == 0 else { throw FactsCursor.Malformed() }
    return literals
  }

  private mutating func list<Element>(
    _ read: (inout LiteralReader) throws -> Element
  ) throws -> [Element] {
    let count = try cursor.count()
    var found: [Element] = []
    for _ in 0..<count { found.append(try read(&self)) }
    return found
  }

  private mutating func literal() throws -> LocalizedLiteral {
    let key = try parts()
    let value = try list { try $0.parts() }.first
    let comment = try list { try $0.text() }.first
    let table: TableReference
    switch try cursor.tag() {
    case 0: table = .standard
    case 1: table = .computed
    case 2: table = .named(try text())
    default: throw FactsCursor.Malformed()
    }
    let place = texts.restored(try cursor.place())
    let api = try cursor.string()
    let phrases = try list { try $0.list { try $0.parts() } }.first
    let marks = try cursor.tag()
    guard marks < 8 else { throw FactsCursor.Malformed() }
    return LocalizedLiteral(
      key: key, value: value, comment: comment, table: table, place: place, api: api, phrases: phrases,
      isFoundBySearch: marks & 1 != 0, isUncertain: marks & 2 != 0, isOnlyForDebugging: marks & 4 != 0)
  }

  private mutating func parts() throws -> [KeyPart] {
    try list { reader in
      switch try reader.cursor.tag() {
      case 0: .text(try reader.text())
      case 1: .specifier(try reader.text())
      case 2: .undecided(try reader.text())
      case 3: .written(try reader.text())
      default: throw FactsCursor.Malformed()
      }
    }
  }

  private mutating func text() throws -> String { texts.restored(try cursor.string()) }
}
