import Localization

/// The facts of one file in binary form.
///
/// The format has three parts. The *interface* contains everything that other files can see: imports, declarations without their bodies, and initial
/// values that determine a type. The *texts* are the contents and places of literals. The *details* are everything else. The linker builds its tables
/// from interfaces only. The resolution of a file's literals therefore depends only on the file's own interface and details, and on the interfaces
/// that it sees. The digests of these parts show whether the resolution can have changed.
package struct EncodedFacts: Sendable {
  /// The digest of the interface.
  package let interfaceDigest: FactsDigest
  /// The digest of interface and details, without the texts.
  package let shapeDigest: FactsDigest
  package let imports: [String]
  /// The place of the first syntax error or conflict marker; `nil` if there is none.
  package let firstError: SourcePlace?
  /// Whether the file may contain a literal.
  package let holdsLiterals: Bool
  package let bytes: [UInt8]
  /// The names, if the file was just compiled. They are not part of the bytes.
  private let known: FileNames?
  private let interface: Range<Int>
  private let details: Range<Int>

  package init(_ facts: FileFacts) {
    let parts = FactsWriter.encode(facts)
    known = parts.names
    var head = FactsStream()
    head.list(facts.imports) { $0.string($1) }
    let imports = head.finished()
    var bytes: [UInt8] = []
    interfaceDigest = FactsDigest.of(imports, parts.interface)
    interfaceDigest.append(to: &bytes)
    shapeDigest = FactsDigest.of(bytes, parts.details)
    shapeDigest.append(to: &bytes)
    self.imports = facts.imports
    firstError = facts.firstError
    holdsLiterals = facts.holdsLiterals
    let texts = parts.texts.encoded
    bytes.reserveCapacity(imports.count + parts.interface.count + parts.details.count + texts.count + 48)
    let numbers = [
      holdsLiterals ? 1 : 0, Int(firstError?.line ?? -1) + 1, Int(firstError?.column ?? 0), imports.count,
      parts.interface.count, parts.details.count,
    ]
    for number in numbers { Varint.append(number, to: &bytes) }
    bytes += imports
    interface = bytes.count..<(bytes.count + parts.interface.count)
    bytes += parts.interface
    details = bytes.count..<(bytes.count + parts.details.count)
    bytes += parts.details
    bytes += texts
    self.bytes = bytes
  }

  /// The facts of a file that could not be read.
  package static let empty = EncodedFacts(.empty)

  /// - Returns: `nil` if the bytes cannot be in this format. Only decoding shows whether all facts are valid.
  package init?(_ bytes: [UInt8]) {
    let digests = 2 * FactsDigest.byteCount
    guard bytes.count > digests else { return nil }
    self.bytes = bytes
    known = nil
    (interfaceDigest, shapeDigest) = bytes.withUnsafeBufferPointer {
      (FactsDigest($0), FactsDigest(UnsafeBufferPointer(rebasing: $0[FactsDigest.byteCount...])))
    }
    guard let head = bytes.withUnsafeBufferPointer({ Head($0, from: digests) }) else { return nil }
    imports = head.imports
    firstError = head.firstError
    holdsLiterals = head.holdsLiterals
    interface = head.interface
    details = head.details
  }

  private struct Head {
    var imports: [String] = []
    var firstError: SourcePlace?
    var holdsLiterals: Bool
    var interface: Range<Int>
    var details: Range<Int>

    init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
      func number(_ position: inout Int) throws(FactsCursor.Malformed) -> Int {
        guard let value = Varint.read(bytes, at: &position) else { throw FactsCursor.Malformed() }
        return value
      }
      do {
        var position = start
        holdsLiterals = try number(&position) != 0
        let line = try number(&position)
        let column = try number(&position)
        firstError =
          line == 0
          ? nil : SourcePlace(line: Int32(truncatingIfNeeded: line &- 1), column: Int32(truncatingIfNeeded: column))
        var lengths: [Int] = []
        for _ in 0..<3 { lengths.append(try number(&position)) }
        var ends: [Int] = []
        var end = position
        for length in lengths {
          guard length >= 0, length <= bytes.count - end else { return nil }
          end += length
          ends.append(end)
        }
        interface = ends[0]..<ends[1]
        details = ends[1]..<ends[2]
        var cursor = try FactsCursor(UnsafeBufferPointer(rebasing: bytes[position..<ends[0]]))
        for _ in 0..<(try cursor.count()) { imports.append(try cursor.string()) }
      } catch {
        return nil
      }
    }
  }

  /// Returns the facts that other files can see; `nil` if the bytes are not in this format.
  package func interfaceFacts() -> FileFacts? { read(.absent, withDetails: false) }

  /// Returns all facts; `nil` if the bytes are not in this format.
  package func facts() -> FileFacts? {
    guard let texts = texts() else { return nil }
    return read(.given(texts), withDetails: true)
  }

  /// Returns all facts, with tokens in place of the texts; `nil` if the bytes are not in this format.
  package func shape() -> FileFacts? { read(.tokens(), withDetails: true) }

  /// Returns the texts for the tokens; `nil` if the bytes are not in this format.
  package func texts() -> LiteralTexts? {
    bytes.withUnsafeBufferPointer { try? LiteralTexts(UnsafeBufferPointer(rebasing: $0[details.upperBound...])) }
  }

  /// Returns the names that the file declares and mentions; `nil` if the bytes are not in this format.
  package func names() -> FileNames? { known ?? facts().map { FactsWriter.encode($0).names } }

  private func read(_ texts: LiteralTexts.Reading, withDetails: Bool) -> FileFacts? {
    bytes.withUnsafeBufferPointer { buffer in
      let inner = UnsafeBufferPointer(rebasing: buffer[details])
      guard
        let statements = FactsReader.statements(
          interface: UnsafeBufferPointer(rebasing: buffer[interface]), details: withDetails ? inner : nil, texts: texts)
      else { return nil }
      return FileFacts(
        imports: imports, statements: statements, holdsLiterals: holdsLiterals, firstError: firstError)
    }
  }
}
