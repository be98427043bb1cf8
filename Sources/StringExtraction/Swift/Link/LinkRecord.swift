import Localization

/// The literals that each file of a target localizes, by the file's bytes: kept in the cache under a name of all else that they depend on.
struct LinkRecord {
  var files: [BlobID: [LocalizedLiteral]] = [:]

  /// - Parameter bytes: as they were kept; anything else gives an empty record.
  init(_ bytes: [UInt8]?) {
    guard let bytes else { return }
    files = bytes.withUnsafeBufferPointer { try? Self.read($0) } ?? [:]
  }

  /// The name of all that linking a file of a target depends on, beside the file's own facts.
  ///
  /// - Parameters:
  ///   - closure: the target and all that it depends on.
  ///   - modules: the modules of the SDK that are linked against.
  static func name(
    of target: ProjectTarget, closure: [ProjectTarget], facts: SourceFacts, modules: [String], macros: [String],
    version: String
  ) -> String {
    var digest = ContentDigest()
    digest.update(text: version)
    digest.update(text: SDKFacts.digest.description)
    for names in [modules, macros.sorted()] {
      digest.update(number: names.count)
      for name in names { digest.update(text: name) }
    }
    digest.update(text: target.id.rawValue)
    for unit in closure {
      digest.update(text: unit.id.rawValue)
      digest.update(text: unit.name)
      for names in [unit.macros.sorted(), unit.dependencies.map(\.rawValue)] {
        digest.update(number: names.count)
        for name in names { digest.update(text: name) }
      }
      digest.update(number: unit.swiftSources.count)
      for source in unit.swiftSources { digest.update(facts.files[source.path]?.interface ?? []) }
    }
    return "links " + digest.finishHexadecimal()
  }

  // MARK: bytes

  var encoded: [UInt8] {
    var stream = FactsStream()
    stream.list(files.sorted { $0.key.rawValue < $1.key.rawValue }) { stream, entry in
      stream.string(entry.key.rawValue)
      stream.list(entry.value) { Self.write($1, to: &$0) }
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
    stream.number(Int(literal.place.line))
    stream.number(Int(literal.place.column))
    stream.string(literal.api)
    stream.list(literal.phrases.map { [$0] } ?? []) { $0.list($1) { write($1, to: &$0) } }
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
      }
    }
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [BlobID: [LocalizedLiteral]] {
    var cursor = try FactsCursor(bytes)
    var files: [BlobID: [LocalizedLiteral]] = [:]
    for _ in 0..<(try cursor.count()) {
      let blob = BlobID(rawValue: try cursor.string())
      files[blob] = try list(&cursor) { try literal(&$0) }
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
    let place = SourcePlace(
      line: Int32(truncatingIfNeeded: try cursor.number()), column: Int32(truncatingIfNeeded: try cursor.number()))
    let api = try cursor.string()
    let phrases = try list(&cursor) { try list(&$0) { try parts(&$0) } }.first
    return LocalizedLiteral(
      key: key, value: value, comment: comment, table: table, place: place, api: api, phrases: phrases)
  }

  private static func parts(_ cursor: inout FactsCursor) throws -> [KeyPart] {
    try list(&cursor) { cursor in
      switch try cursor.tag() {
      case 0: .text(try cursor.string())
      case 1: .specifier(try cursor.string())
      case 2: .undecided(try cursor.string())
      default: throw FactsCursor.Malformed()
      }
    }
  }
}
