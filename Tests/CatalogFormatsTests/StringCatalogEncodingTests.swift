import CatalogFormats
import Localization
import StructuredText
import Testing

@Suite("String Catalogs in UTF-16, and with a byte order mark")
struct StringCatalogEncodingTests {
  static let format = StringCatalogFormat()
  static let path: TreePath = "App/Table.xcstrings"
  static let encodings = [
    TextEncoding(.utf8, hasMark: true), TextEncoding(.utf16LittleEndian, hasMark: true),
    TextEncoding(.utf16BigEndian, hasMark: true), TextEncoding(.utf16LittleEndian, hasMark: false),
    TextEncoding(.utf16BigEndian, hasMark: false),
  ]

  /// A catalog in a layout other than Xcode's, so that moved bytes are detected. The catalog has characters outside the Basic Multilingual Plane and
  /// both kinds of line endings.
  static let text = """
    {\r\n "sourceLanguage":"en" , "strings":{
      "🐦 %lld" : {"localizations":{"de":{"stringUnit":{"state":"new","value":"Vögel 🐦\\ud83d\\udc26"}}}},
      "猫":{ } },"version":"1.0"}

    """

  @Test(
    "encoded catalogs are read like UTF-8, edited in their encoding without other changes, and audited",
    arguments: encodings)
  func editing(encoding: TextEncoding) throws {
    let plain = Array(Self.text.utf8)
    let file = encoding.bytes(of: plain)
    var catalog = try Self.format.read(file, at: Self.path)
    #expect(try catalog == Self.format.read(plain, at: Self.path))
    #expect(try Self.format.write(catalog, over: file) == file)

    catalog.entries["猫"]?.translations["uk"] = Translation("кіт 🐈")
    let written = try Self.format.write(catalog, over: file)
    var other = try Self.format.read(plain, at: Self.path)
    other.entries["猫"]?.translations["uk"] = Translation("кіт 🐈")
    #expect(try written == encoding.bytes(of: Self.format.write(other, over: plain)))
    let forgotten = Catalog(path: Self.path, sourceLanguage: "en", entries: catalog.entries, origin: nil)
    #expect(try Self.format.write(forgotten, over: file) == written)

    func audit(_ new: [UInt8], explains: Bool) throws -> [String] {
      try ChangeAudit.unexplainedChanges(from: file, to: new, at: Self.path) { _, _ in explains }.map(\.message)
    }
    #expect(try audit(written, explains: true) == [])
    #expect(try audit(written, explains: false).count == 1)
    #expect(try !audit(plain, explains: true).isEmpty)
  }

  @Test("encoded catalogs are reprinted in their encoding", arguments: encodings)
  func reprint(encoding: TextEncoding) throws {
    let plain = Array(Self.text.utf8)
    let printed = try Reprint.reprint(encoding.bytes(of: plain), at: Self.path)
    #expect(try printed == encoding.bytes(of: Reprint.reprint(plain, at: Self.path)))
    #expect(try Reprint.reprint(printed, at: Self.path) == printed)
  }

  @Test(
    "encoded catalogs compile to the same files as UTF-8, and faults have their location in the decoded text",
    arguments: encodings)
  func compile(encoding: TextEncoding) throws {
    let plain = Array(Self.text.utf8)
    let files = try CatalogCompiler.compile(encoding.bytes(of: plain), at: Self.path).files(as: .text)
    #expect(try !files.isEmpty && files == CatalogCompiler.compile(plain, at: Self.path).files(as: .text))

    let broken = encoding.bytes(of: Array("{\n\"sourceLanguage\":\"🐦\",\"strings\":7}".utf8))
    let fault = #expect(throws: InputFault.self) { try Self.format.read(broken, at: Self.path) }
    #expect(fault?.diagnostics.map(\.line) == [2])
  }

  @Test("a merged catalog has the encoding of the side that changed the encoding", arguments: encodings)
  func merge(encoding: TextEncoding) throws {
    func file(_ entries: String, _ encoding: TextEncoding) -> [UInt8] {
      encoding.bytes(of: Array(#"{"sourceLanguage":"en","strings":{\#(entries)}}"#.utf8))
    }
    let (base, ours) = (#""a":{},"🐦":{}"#, #""a":{"comment":"o"},"🐦":{}"#)
    let (theirs, both) = (#""a":{},"🐦":{"comment":"t"}"#, #""a":{"comment":"o"},"🐦":{"comment":"t"}"#)
    func merged(_ sides: [(String, TextEncoding)], at path: TreePath?) throws -> [UInt8] {
      let files = sides.map { file($0.0, $0.1) }
      let merged = try MergeDriver.merge(MergeVersions(base: files[0], ours: files[1], theirs: files[2]), at: path)
      #expect(merged.conflicts.isEmpty)
      return merged.bytes
    }
    for path in [Self.path, nil] {
      let all = try merged([(base, encoding), (ours, encoding), (theirs, encoding)], at: path)
      #expect(all == file(both, encoding))
    }
    guard encoding.unit != .utf8 else { return }
    let own = try merged([(base, .utf8), (ours, encoding), (theirs, .utf8)], at: Self.path)
    #expect(own == file(both, encoding))
    let other = try merged([(base, .utf8), (ours, .utf8), (theirs, encoding)], at: Self.path)
    #expect(other == file(both, encoding))
  }

  @Test("half a surrogate pair and half a UTF-16 code unit are refused with their location")
  func broken() throws {
    let text = Array("{\n\"k\":\"x".utf8)
    var file = TextEncoding(.utf16LittleEndian, hasMark: true).bytes(of: text)
    file += [0x3D, 0xD8, 0x22, 0x00, 0x7D, 0x00]
    let fault = #expect(throws: InputFault.self) { try Self.format.read(file, at: Self.path) }
    #expect(fault?.diagnostics.first.map { [$0.line, $0.column] } == [2, 7])
    let cut = TextEncoding(.utf16BigEndian, hasMark: true).bytes(of: Array(Self.text.utf8)).dropLast()
    #expect(throws: InputFault.self) { try Self.format.read(Array(cut), at: Self.path) }
  }

  @Test("a UTF-16 catalog that is cut off at any byte is refused", arguments: encodings)
  func truncated(encoding: TextEncoding) throws {
    let file = encoding.bytes(of: Array(#"{"sourceLanguage":"en","strings":{"🐦":{}}}"#.utf8))
    for end in 0..<file.count {
      #expect(throws: InputFault.self) { try Self.format.read(Array(file[..<end]), at: Self.path) }
    }
  }
}
