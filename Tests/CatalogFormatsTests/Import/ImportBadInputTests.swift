import CatalogFormats
import Localization
import Testing

@Suite("Import of broken or hostile files")
struct ImportBadInputTests {
  private static let example = ImportCase(
    name: "", xcode: "", before: entry("k", en: text("source"), fr: text("old")),
    units: transUnit("k", "source", translated("змінено 🙂 \u{202E}abc\u{202C}")),
    after: nil, verdicts: [])

  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit in
      bigEndian ? [UInt8(unit >> 8), UInt8(unit & 0xFF)] : [UInt8(unit & 0xFF), UInt8(unit >> 8)]
    }
  }

  @Test("a UTF-16 file is read whatever encoding it declares", arguments: [true, false], [true, false])
  func wide(bigEndian: Bool, mark: Bool) throws {
    for declared in ["UTF-8", "UTF-16", "utf-16le"] {
      let text = String(decoding: Self.example.file, as: UTF8.self).replacing("UTF-8", with: declared)
      let document = try XLIFF.read(Self.utf16(text, bigEndian: bigEndian, mark: mark), at: "a.xliff")
      #expect(document.files == (try XLIFF.read(Self.example.file, at: "a.xliff").files))
    }
  }

  @Test("a UTF-8 byte order mark is accepted")
  func mark() throws {
    let marked = try XLIFF.read([0xEF, 0xBB, 0xBF] + Self.example.file, at: "a.xliff")
    #expect(marked.files == (try XLIFF.read(Self.example.file, at: "a.xliff").files))
  }

  @Test("half a surrogate pair, a truncated file and an unsupported encoding are reported")
  func brokenEncodings() {
    let wide = Self.utf16(String(decoding: Self.example.file, as: UTF8.self), bigEndian: false, mark: true)
    let latin = Array(String(decoding: Self.example.file, as: UTF8.self).replacing("UTF-8", with: "ISO-8859-1").utf8)
    let bytes: [[UInt8]] = [
      Array(wide.dropLast()), wide + [0x00, 0xD8], Array(wide.prefix(400)), latin, [0xFF, 0xFE],
      [0xFF, 0xFE, 0x3C, 0x00],
    ]
    for bytes in bytes {
      #expect(throws: InputFault.self) { try XLIFF.read(bytes, at: "a.xliff") }
    }
  }

  @Test("a file that is truncated at any byte is refused with the location")
  func truncated() {
    let bytes = Self.example.file
    for end in 0..<(bytes.count - 1) {
      do {
        let document = try XLIFF.read(Array(bytes[..<end]), at: "a.xliff")
        Issue.record("a file cut off at byte \(end) was read: \(document.files)")
      } catch {
        #expect(error.diagnostics.allSatisfy { $0.path == "a.xliff" && $0.line ?? 0 > 0 && $0.column ?? 0 > 0 })
      }
    }
  }

  @Test(
    "entities that a file declares are refused",
    arguments: [
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;\">]>",
      "<!DOCTYPE x [<!ENTITY c SYSTEM \"file:///etc/passwd\">]>",
      "<!DOCTYPE x PUBLIC \"-//x\" \"http://127.0.0.1:1/x.dtd\">",
      "<!DOCTYPE x [<!ENTITY % p SYSTEM \"file:///dev/zero\"> %p;]>",
    ])
  func entities(doctype: String) {
    let text = String(decoding: Self.example.file, as: UTF8.self)
      .replacing("<xliff", with: doctype + "\n<xliff", maxReplacements: 1).replacing("source<", with: "&c;<")
    #expect(throws: InputFault.self) { try XLIFF.read(Array(text.utf8), at: "a.xliff") }
  }

  @Test("extremely nested elements are refused")
  func depth() {
    for name in ["group", "g"] {
      let deep = String(repeating: "<\(name)>", count: 100_000)
      let text = String(decoding: Self.example.file, as: UTF8.self).replacing("<body>", with: "<body>" + deep)
      #expect(throws: InputFault.self) { try XLIFF.read(Array(text.utf8), at: "a.xliff") }
    }
  }

  @Test("repeated ids with different targets, and units with several targets, are held and reported")
  func duplicates() throws {
    let twice = ImportCase(
      name: "", xcode: "", before: Self.example.before,
      units: transUnit("k", "source", translated("a")) + transUnit("k", "source", translated("b")), after: nil,
      verdicts: [])
    #expect(try twice.result().verdicts == ["duplicate", "duplicate"])
    let told = try XLIFF.read(twice.file, at: "a.xliff").diagnostics
    #expect(told.count == 1 && told.first?.hint?.contains("different translations are not imported") == true)
    let several = ImportCase(
      name: "", xcode: "", before: Self.example.before,
      units: transUnit("k", "source", translated("a") + translated("b")), after: nil, verdicts: [])
    #expect(try several.result().verdicts == ["duplicate", "duplicate"])
    #expect(try XLIFF.read(several.file, at: "a.xliff").diagnostics.count == 1)
  }

  @Test("units of a <file> without a language or catalog are held, and the others are imported")
  func nameless() throws {
    let good = String(decoding: Self.example.file, as: UTF8.self)
    let body = "<body>\(transUnit("k", "source", translated("x")))</body>"
    let text = good.replacing(
      "</xliff>",
      with: "<file original=\"Localizable.xcstrings\" source-language=\"en\">\(body)</file>"
        + "<file source-language=\"en\" target-language=\"fr\">\(body)</file>"
        + "<file original=\"Localizable.xcstrings\" target-language=\"it\">\(body)</file></xliff>")
    let document = try XLIFF.read(Array(text.utf8), at: "a.xliff")
    #expect(document.diagnostics.filter { $0.severity == .error }.count == 2)
    let path: TreePath = "Localizable.xcstrings"
    let catalog = try StringCatalogFormat().read(ImportCase.catalog(Self.example.before), at: path)
    let result = ImportReview(catalogs: [path: catalog], policy: .asXcode).review(document.files)
    #expect(result.outcomes.map(\.verdict) == [.taken, .held(.unknownLanguage([])), .held(.unknownCatalog), .taken])
  }

  @Test("keys with many delimiters are read as fast as other keys")
  func delimiters() throws {
    let key = String(repeating: "|==|plural.one", count: 2_000)
    let example = ImportCase(
      name: "", xcode: "", before: entry(key, en: text("source")),
      units: transUnit(key, "source", translated("x")) + transUnit(key + "|==|", "source", translated("y")), after: nil,
      verdicts: [])
    #expect(try example.result().verdicts == ["taken", "unknownKey"])
  }

  @Test("bidirectional marks, joiners and invisible characters in texts are kept")
  func bidirectional() throws {
    let words = "\u{200F}\u{202B}אב\u{202C}\u{2067}ג\u{2069}\u{200B}\u{FEFF}\u{00AD}\u{10FFFF}"
    let example = ImportCase(
      name: "", xcode: "", before: entry("k", en: text("source")), units: transUnit("k", "source", translated(words)),
      after: nil, verdicts: [])
    let result = try example.result()
    #expect(result.verdicts == ["taken"])
    #expect(result.catalog.entries["k"]?.translations["fr"] == Translation(words))
  }
}
