import Localization
import SwiftParsing
import Testing

@testable import IncrementalLinking
@testable import StringExtraction
@testable import SwiftFacts
@testable import SwiftLinking

/// The decoding of damaged facts from a cache, and the size of encoded names.
@Suite struct KeptBytesTests {
  /// Returns whether an interface can be read, on a thread with a large stack as in extraction.
  private static func isRead(_ bytes: [UInt8]) throws -> Bool {
    try ParsingThreads.map([bytes], threads: 1) { bytes in
      bytes.withUnsafeBufferPointer { FactsReader.statements(interface: $0, details: nil, texts: .absent) != nil }
    }[0]
  }

  /// The encoded beginning of an interface: an empty table of strings, and a variable without a name, up to its type or value.
  private static let variable: [UInt8] = [0, 1, 2, 0, 1]

  @Test(
    "facts that are nested deeper than any source code are rejected",
    arguments: [[1, 4], [1, 6], [1, 5, 1], [0, 1, 19], [0, 1, 20], [0, 1, 28], [0, 1, 12, 1]] as [[UInt8]])
  func deepFacts(_ start: [UInt8]) throws {
    // The last tag is repeated, together with the number of elements (1) if the tag has one.
    let repeated = start.last == 1 ? Array(start.suffix(2)) : Array(start.suffix(1))
    let head = Self.variable + start.dropLast(repeated.count)
    let bytes = head + Array(repeatElement(repeated, count: 300_000).joined())
    #expect(try !Self.isRead(bytes))
  }

  @Test("patterns that are nested deeper than any source code are rejected")
  func deepPattern() throws {
    #expect(try !Self.isRead([0, 1, 2, 0] + Array(repeating: 4, count: 300_000)))
  }

  @Test("no memory is allocated for lists that announce more elements than the data contains")
  func longLists() throws {
    var bytes = Self.variable + [1]
    for _ in 0..<20_000 { bytes += [5, 0xA0, 0x9C, 0x01] }
    #expect(try !Self.isRead(bytes))
  }

  @Test("negative counts are rejected")
  func negative() throws {
    var number: [UInt8] = []
    Varint.append(-1, to: &number)
    #expect(try !Self.isRead(number))
    #expect(FactsIndex(number).files.isEmpty)
    #expect(LinkedState(number).targets.isEmpty)
    #expect(LinkRecord(number).files.isEmpty)
    var least: [UInt8] = Array(repeating: 0, count: 2 * FactsDigest.byteCount)
    for value in [0, Int.min, 0, 0, 0, 0] { Varint.append(value, to: &least) }
    #expect(EncodedFacts(least) == nil)
  }

  private static let key = FactsDigest(high: 1, low: 2)
  private static let other = FactsDigest(high: 3, low: 4)

  @Test("a table of names with a flipped bit is rejected")
  func spoiledTable() throws {
    let key = Self.key
    var table = NameTable(nil)
    table.add([1, 2, 3], as: key)
    let bytes = table.encoded
    #expect(NameTable(bytes).holds(key))
    for index in bytes.indices {
      var spoiled = bytes
      spoiled[index] ^= 4
      #expect(NameTable(spoiled).keys.isEmpty)
    }
    #expect(NameTable(Array(bytes.dropLast(4))).keys.isEmpty)
    #expect(NameTable([1, 2, 3, 4]).keys.isEmpty)
  }

  @Test("declarations with a wrong length count as affecting every file, so all files are fetched")
  func spoiledUnits() throws {
    let (key, other) = (Self.key, Self.other)
    var words: [UInt32] = []
    NamedUnit(kind: .type, name: NameHash.of("Row")).write(to: &words)
    for units in [words + [7], Array(words.dropLast()), words + words.dropLast(), [UInt32.max] + words] {
      var table = NameTable(nil)
      table.add(words, as: key)
      table.add(units, as: other)
      let changed = ChangedNames(from: [[key]], to: [[other]], in: table)
      #expect([UInt32]().withUnsafeBufferPointer { changed.affects($0) })
      #expect(NeededUnits.files(for: [], among: [key, other], in: table) == [key, other])
    }
  }

  @Test("a record returns its literals with their texts; literals that cannot be read count as missing")
  func spoiledLiterals() throws {
    let literal = LocalizedLiteral(
      key: [.text("Hello "), .specifier("%lld")], value: nil, comment: "greeting", table: .named("Main"),
      place: SourcePlace(line: 3, column: 7), api: "Text")
    let (blob, other) = (BlobID(rawValue: "a"), BlobID(rawValue: "b"))
    var record = LinkRecord(nil)
    record.files[blob] = LinkRecord.File(shape: Self.key, literals: [literal], texts: LiteralTexts())
    record.files[other] = LinkRecord.File(shape: Self.other, literals: [], texts: LiteralTexts())
    let read = LinkRecord(record.encoded)
    let restored = try #require(read.files[blob]?.restored()?.first)
    #expect(restored.key == literal.key && restored.comment == literal.comment && restored.place == literal.place)
    #expect(restored.value == nil && restored.table == literal.table && restored.api == literal.api)
    #expect(read.files[other]?.restored()?.isEmpty == true)
    #expect(Set(read.files(ofShapes: [Self.key]).keys) == [Self.key])
    record.files[other] = nil
    let bytes = record.encoded
    // The record ends with the literal's marks, the number of bytes of its texts (3), and empty texts.
    #expect(bytes.suffix(5) == [0, 3, 0, 0, 0])
    var spoiled = bytes
    spoiled[bytes.count - 5] = 8
    let file = try #require(LinkRecord(spoiled).files[blob])
    #expect(file.restored() == nil)
    for index in bytes.indices {
      var spoiled = bytes
      spoiled[index] ^= 0x84
      for file in LinkRecord(spoiled).files.values { _ = file.restored() }
    }
  }

  @Test("a file's names take space proportional to the file, whatever its nesting")
  func boundedNames() throws {
    let names = (0..<2_000).map { "T\($0)" }
    let members = (0..<1_000).map { "func f\($0)() {}" }.joined(separator: "\n")
    let nests = (0..<60).map { "struct S\($0) { " }.joined() + members + String(repeating: "}", count: 60)
    for source in [
      "extension Row where T: \(names.joined(separator: ", T: ")) {\n\(members)\n}",
      "extension Row<\(names.joined(separator: ", "))> {\n\(members)\n}", nests,
    ] {
      let parsed = try ParsingThreads.map([source], threads: 1) {
        FactsWriter.encode(FactCompiler.compile(SourceParsing.parseUnchecked(Array($0.utf8)))).names
      }
      #expect(parsed[0].units.count < source.utf8.count * 2)
    }
  }
}
