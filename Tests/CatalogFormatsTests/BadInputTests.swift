import CatalogFormats
import Foundation
import Localization
import StructuredText
import Testing

/// Hostile and broken files. They must be refused with a location or read completely, in memory and time proportional to their size.
@Suite struct BadInputTests {
  private static let format = StringCatalogFormat()
  private static let path: TreePath = "App/L.xcstrings"

  private static func catalog(_ strings: String) -> [UInt8] {
    Array("{\"sourceLanguage\" : \"en\", \"strings\" : {\(strings)}, \"version\" : \"1.0\"}".utf8)
  }

  private static func faults(_ read: () throws -> Void) throws -> [Diagnostic] {
    try #require(throws: InputFault.self) { try read() }.diagnostics
  }

  // MARK: Encodings

  @Test("the message for a catalog in an unsupported encoding names the encoding or the invalid byte")
  func encodings() throws {
    let text = String(decoding: Self.catalog("\"é\" : {}"), as: UTF8.self)
    func first(_ encoding: String.Encoding) throws -> Diagnostic? {
      let bytes = Array(text.data(using: encoding) ?? Data())
      return try Self.faults { _ = try Self.format.read(bytes, at: Self.path) }.first
    }
    for encoding in [String.Encoding.utf32, .utf32LittleEndian, .utf32BigEndian] {
      let fault = try #require(try first(encoding))
      #expect(fault.message.contains("UTF-32") && fault.line == 1 && fault.column == 1, "\(fault)")
    }
    let latin = try #require(try first(.isoLatin1))
    #expect(latin.message.contains("invalid UTF-8: unexpected byte 0xE9"))
    #expect(latin.column.map { $0 > 1 } == true)
  }

  @Test("a byte order mark at the beginning of a catalog is kept")
  func byteOrderMark() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Self.catalog("\"a\" : {}")
    var catalog = try Self.format.read(bytes, at: Self.path)
    #expect(try Self.format.write(catalog, over: bytes) == bytes)
    catalog.entries["a"]?.comment = "c"
    #expect(try Self.format.write(catalog, over: bytes).starts(with: [0xEF, 0xBB, 0xBF, 0x7B]))
  }

  // MARK: Bombs

  @Test(
    "nesting is refused at the first level beyond the limit",
    arguments: ["[", "{\"a\":", "{\"strings\":{\"a\":"])
  func depth(unit: String) throws {
    let found = try Self.faults {
      _ = try Self.format.read(Array(String(repeating: unit, count: 200_000).utf8), at: Self.path)
    }
    #expect(found.count == 1 && found[0].line == 1 && found[0].column != nil)
    #expect(found[0].message.contains("nested deeper than 64 levels"))
  }

  @Test("a text of 100 MB is read, and a file above the size limit is refused without being read")
  func large() throws {
    let long = Self.catalog("\"\(String(repeating: "x", count: 100_000_000))\" : {}")
    #expect(try Self.format.read(long, at: Self.path).entries.keys.first?.text.utf8.count == 100_000_000)
    let huge = [UInt8](repeating: 0x20, count: XLIFF.largestFile + 1)
    #expect(try Self.faults { _ = try XLIFF.read(huge, at: "a.xliff") }.map(\.line) == [1])
  }

  @Test(
    "internal and external document type definitions are refused with their line number",
    arguments: [
      "<!DOCTYPE x [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>", "<!DOCTYPE x SYSTEM \"file:///etc/passwd\">",
      "<!DOCTYPE x [<!ENTITY % p SYSTEM \"http://127.0.0.1/x\"> %p;]>",
      "<!DOCTYPE x PUBLIC \"a\" \"http://127.0.0.1/\">",
    ])
  func entities(type: String) throws {
    let text = "<?xml version=\"1.0\"?>\n\(type)<xliff version=\"1.2\"/>"
    let found = try Self.faults { _ = try XLIFF.read(Array(text.utf8), at: "a.xliff") }
    #expect(found.map(\.line) == [2] && found[0].message.contains("document type definitions are not allowed"))
    let unknown = "<xliff version=\"1.2\">\n <file original=\"a\">&lol;</file></xliff>"
    let fault = try Self.faults { _ = try XLIFF.read(Array(unknown.utf8), at: "a.xliff") }
    #expect(fault.map(\.line) == [2] && fault[0].message.contains("unknown entity '&lol;'"))
  }

  // MARK: Texts

  private static let oddTexts = [
    "", " ", "a|==|b", "a|==|plural.one", "|==|", "|==|plural.other", "\u{202E}abc\u{202C}", "\u{200B}", "\u{2060}",
    "a\nb", "a\r\nb", "a\tb", "\u{7F}", "\u{85}", "\u{2028}", "\u{FEFF}a", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}",
    "\"\\/",
    "%#@a@", "</source>", "]]>", "&amp;", "<!--", "e\u{301}", "é",
  ]

  @Test("a catalog keeps unusual texts as key, comment and value")
  func catalogTexts() throws {
    var catalog = Catalog(path: Self.path, sourceLanguage: "en")
    for text in Self.oddTexts + ["\0", "\u{1}", "\u{1B}[31m"] {
      catalog.entries[UnitKey(text)] = CatalogEntry(comment: text, translations: ["de": Translation(text)])
    }
    let written = try Self.format.write(catalog, over: nil)
    let read = try Self.format.read(written, at: Self.path)
    #expect(read == catalog && read.entries.count == Self.oddTexts.count + 3)
    #expect(try Reprint.reprint(written, at: Self.path) == written)
  }

  @Test(
    "a character that XML does not allow becomes U+FFFD in keys, texts and notes",
    arguments: ["\u{FFFE}", "\u{FFFF}", "\u{1}"])
  func beyondXML(_ odd: String) throws {
    for text in [odd, "a\(odd)b", "\(odd)\(odd)<", "\u{EFBF}\(odd)"] {
      let unit = ExchangeUnit(key: UnitKey(text), source: .text(text), target: ExchangeTarget(.text(text)), note: text)
      let file = ExchangeFile(original: "L.strings", sourceLanguage: "en", targetLanguage: "de", units: [unit])
      let read = try XLIFF.read(XLIFF.write(XLIFFDocument(files: [file])), at: "de.xliff")
      let expected = text.replacing(odd, with: "\u{FFFD}")
      let back = try #require(read.files.first?.units.first)
      #expect(back.key.text == expected && back.source == .text(expected) && back.note == expected)
    }
  }

  @Test(
    "an XLIFF file keeps unusual texts as id, source, target and note, and reads ids that look like forms as keys in .strings files"
  )
  func exchangeTexts() throws {
    let texts = Self.oddTexts.filter { !$0.unicodeScalars.contains { $0.value == 0xFFFE || $0.value == 0xFFFF } }
    let units = texts.map {
      ExchangeUnit(key: UnitKey($0), source: .text($0), target: ExchangeTarget(.text($0)), note: $0.isEmpty ? nil : $0)
    }
    let file = ExchangeFile(
      original: "a/en.lproj/L.strings", sourceLanguage: "en", targetLanguage: "de", units: units)
    let read = try XLIFF.read(XLIFF.write(XLIFFDocument(files: [file])), at: "de.xliff")
    #expect(Set(read.files.flatMap(\.units)) == Set(units))
  }

  @Test("numbers, lists and null in place of strings are all reported with their locations")
  func wrongKinds() throws {
    let strings = """

      "a" : {"comment" : 1},
      "b" : {"localizations" : {"de" : {"stringUnit" : {"state" : "new", "value" : 2}}}},
      "c" : {"localizations" : {"de" : {"variations" : {"plural" : 3}}, "fr" : {"variations" : {"plural" : {"one" : 4}}}}},
      "d" : {"localizations" : {"de" : {"variations" : {"device" : {"mac" : "x"}}}}},
      "e" : {"localizations" : {"de" : {"substitutions" : {"n" : 5}}}},
      "f" : {"localizations" : {"de" : {"stringSet" : {"values" : ["x", 6]}}}},
      "g" : {"localizations" : {"de" : {"substitutions" : {"n" : {"argNum" : 1.5, "variations" : {}}}}}}

      """
    let found = try Self.faults { _ = try Self.format.read(Self.catalog(strings), at: Self.path) }
    #expect(found.map(\.line) == [2, 3, 4, 4, 5, 6, 7, 8])
    #expect(found.allSatisfy { $0.column != nil && $0.severity == .error })
  }

  @Test("at most a hundred faults of a catalog are reported")
  func manyFaults() throws {
    let strings = (0..<5_000).map { "\"\($0)\" : 1" }.joined(separator: ",\n")
    #expect(try Self.faults { _ = try Self.format.read(Self.catalog(strings), at: Self.path) }.count == 100)
    let twice = (0..<5_000).map { "\"\($0 % 10)\" : {}" }.joined(separator: ",\n")
    #expect(try Self.faults { _ = try Self.format.read(Self.catalog(twice), at: Self.path) }.count == 100)
  }

  @Test("duplicate keys are reported together with all other faults, in file order")
  func duplicatesAndMeaning() throws {
    let found = try Self.faults {
      _ = try Self.format.read(Self.catalog("\n\"a\" : 1,\n\"b\" : {},\n\"b\" : {},\n\"c\" : []"), at: Self.path)
    }
    #expect(found.map(\.line) == [2, 4, 5])
    #expect(found[1].message == "duplicate key \"b\"; the first is at 3:1")
  }

  @Test("regression: comments that end early and values equal to their key do not crash the readers")
  func finds() throws {
    for text in ["//*/\n", "// a */ b\n\"a\" = \"b\";\n"] {
      let printed = try Reprint.reprint(Array(text.utf8), at: "a.strings")
      #expect(try Reprint.reprint(printed, at: "a.strings") == printed)
    }
    let format = StringsDictFormat()
    let files = CatalogFiles(Array("{ b; \"c\"; }".utf8), at: "en.lproj/a.stringsdict")
    var catalog = try format.read(files)
    catalog.entries["b"]?.translations["en"] = Translation("x")
    let written = try format.write(catalog, over: files)
    #expect(written[files.path].map { String(decoding: $0, as: UTF8.self) } == "{ b = \"x\"; \"c\"; }")
    #expect(
      try format.read(files.applying(written, languages: [])).entries["b"]?.translations["en"] == Translation("x"))
  }

  @Test("control characters from files are escaped in messages")
  func controlsInMessages() throws {
    let text =
      "\"a\\u001b[31m\\n\u{202E}b.xcstrings:1:1: error: c\" : {\"localizations\" : {\"de\" : {\"stringUnit\" : {\"state\" : \"new\", \"value\" : \"x\"}}}}"
    let bytes = Self.catalog(text)
    var catalog = try Self.format.read(bytes, at: Self.path)
    for key in catalog.entries.keys { catalog.entries[key]?.translations["de"] = Translation(text: .plural([:])) }
    let found = try Self.faults { _ = try Self.format.write(catalog, over: bytes) }
    let description = InputFault(found).description
    #expect(description.contains("a\\u{1B}[31m\\n\\u{202E}b"))
    #expect(description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }
}
