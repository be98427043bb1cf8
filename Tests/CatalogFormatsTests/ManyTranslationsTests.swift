import CatalogFormats
import Localization
import Testing

/// Tests that write thousands of changed entries, as the import of a large bundle does. Such entries are written on all processors.
@Suite struct ManyTranslationsTests {
  private static let format = StringCatalogFormat()
  private static let path: TreePath = "App/Localizable.xcstrings"

  private static var file: [UInt8] {
    let entries = (0..<5_000).map { number in
      let unit = "{ \"stringUnit\" : { \"state\" : \"translated\", \"value\" : \"\(number)\" } }"
      return "    \"key \(number)\" : { \"localizations\" : { \"en\" : \(unit) } }"
    }
    let strings = entries.joined(separator: ",\n")
    return Array(
      "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\(strings)\n  },\n  \"version\" : \"1.0\"\n}".utf8)
  }

  @Test("thousands of new translations are written to the same bytes with and without the catalog's origin")
  func manyTranslations() throws {
    let bytes = Self.file
    var catalog = try Self.format.read(bytes, at: Self.path)
    for (number, key) in catalog.entries.keys.sorted().enumerated() {
      switch number % 4 {
      case 0: catalog.entries[key]?.translations["de"] = Translation("Wert \(number)", state: .machineTranslated)
      case 1: catalog.entries[key]?.translations["en"] = Translation("other \(number)")
      case 2: catalog.entries[key]?.translations = [:]
      default: break
      }
    }
    // Without the origin, every entry of the file is read and compared.
    var plain = catalog
    plain.origin = nil
    let written = try Self.format.write(catalog, over: bytes)
    #expect(try written == Self.format.write(plain, over: bytes))
    #expect(try Self.format.read(written, at: Self.path) == catalog)
    #expect(String(decoding: written, as: UTF8.self).contains("\"version\" : \"1.3\""))
  }

  @Test("at most a hundred faults are reported for all parts of a file")
  func refusals() throws {
    var catalog = try Self.format.read(Self.file, at: Self.path)
    let bad = Translation(text: .plural([:]))
    for key in catalog.entries.keys { catalog.entries[key]?.translations["de"] = bad }
    let fault = try #require(throws: InputFault.self) { try Self.format.write(catalog, over: Self.file) }
    #expect(fault.diagnostics.count == 100)
    #expect(fault.diagnostics[0].message.contains("it has a plural without forms"))
  }
}
