import Localization

/// The facts of one file in their binary form.
///
/// It has three parts. The *interface* is what code elsewhere can come to know: imports, declarations without their bodies, and initial
/// values where these give a type. The *details* are the rest but for the *texts*: what literals say and where they stand. The linker's
/// tables are made of interfaces alone. So what a file's literals resolve to depends on its own interface and details and on the
/// interfaces that it sees, and on nothing else; digests of these tell whether anything can have changed.
package struct EncodedFacts: Sendable {
  /// Names the interface: equal where it is, and (SHA-256, cut short) different where it is not.
  package let interfaceDigest: [UInt8]
  /// Names interface and details: all but the texts.
  package let shapeDigest: [UInt8]
  package let imports: [String]
  /// Where the parser met something that is not Swift.
  package let firstError: SourcePlace?
  /// Whether a literal may stand anywhere in the file.
  package let holdsLiterals: Bool
  package let bytes: [UInt8]
  /// The names of a file that was compiled just now; they are no part of the bytes.
  private let known: FileNames?
  private let interface: Range<Int>
  private let details: Range<Int>

  package static let digestBytes = 16

  package init(_ facts: FileFacts) {
    let parts = FactsWriter.encode(facts)
    known = parts.names
    var head = FactsStream()
    head.list(facts.imports) { $0.string($1) }
    let imports = head.finished()
    interfaceDigest = Self.digest(imports, parts.interface)
    shapeDigest = Self.digest(interfaceDigest, parts.details)
    self.imports = facts.imports
    firstError = facts.firstError
    holdsLiterals = facts.holdsLiterals
    let texts = parts.texts.encoded
    var bytes = interfaceDigest + shapeDigest
    bytes.reserveCapacity(imports.count + parts.interface.count + parts.details.count + texts.count + 48)
    let numbers = [
      holdsLiterals ? 1 : 0, Int(firstError?.line ?? -1) + 1, Int(firstError?.column ?? 0), imports.count,
      parts.interface.count, parts.details.count,
    ]
    for number in numbers { FactsStream.append(number, to: &bytes) }
    bytes += imports
    interface = bytes.count..<(bytes.count + parts.interface.count)
    bytes += parts.interface
    details = bytes.count..<(bytes.count + parts.details.count)
    bytes += parts.details
    bytes += texts
    self.bytes = bytes
  }

  /// Those of a file that could not be read.
  package static let empty = EncodedFacts(.empty)

  private static func digest(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(first)
    digest.update(second)
    return Array(digest.finish().prefix(digestBytes))
  }

  /// - Returns: `nil` where the bytes cannot be ours. Whether all the facts can be read shows when they are.
  package init?(_ bytes: [UInt8]) {
    let digests = 2 * Self.digestBytes
    guard bytes.count > digests else { return nil }
    self.bytes = bytes
    known = nil
    interfaceDigest = Array(bytes[..<Self.digestBytes])
    shapeDigest = Array(bytes[Self.digestBytes..<digests])
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
      do {
        var position = start
        holdsLiterals = try FactsStream.number(bytes, &position) != 0
        let line = try FactsStream.number(bytes, &position)
        let column = try FactsStream.number(bytes, &position)
        firstError =
          line == 0
          ? nil : SourcePlace(line: Int32(truncatingIfNeeded: line &- 1), column: Int32(truncatingIfNeeded: column))
        var lengths: [Int] = []
        for _ in 0..<3 { lengths.append(try FactsStream.number(bytes, &position)) }
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

  /// What code elsewhere can come to know; `nil` where the bytes are not ours.
  package func interfaceFacts() -> FileFacts? { read(.absent, withDetails: false) }

  /// All of it; `nil` where the bytes are not ours.
  package func facts() -> FileFacts? {
    guard let texts = texts() else { return nil }
    return read(.given(texts), withDetails: true)
  }

  /// All of it with tokens in the place of texts; `nil` where the bytes are not ours.
  package func shape() -> FileFacts? { read(.tokens(), withDetails: true) }

  /// What the tokens stand for; `nil` where the bytes are not ours.
  package func texts() -> LiteralTexts? {
    bytes.withUnsafeBufferPointer { try? LiteralTexts(UnsafeBufferPointer(rebasing: $0[details.upperBound...])) }
  }

  /// The names that the file gives and mentions; `nil` where the bytes are not ours.
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
