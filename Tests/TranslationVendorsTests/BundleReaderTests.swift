import CatalogFormats
import Foundation
import Localization
import Testing
import TranslationVendors
import ZipArchive

@Suite("Bundles that translators return")
struct BundleReaderTests {
  private static func xliff(_ language: String, original: String = "App/L.xcstrings") -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">
        <file original="\(original)" source-language="en" target-language="\(language)" datatype="plaintext"><body>
          <trans-unit id="k"><source>k</source><target state="translated">x</target></trans-unit>
        </body></file>
      </xliff>
      """.utf8)
  }

  private static func zip(_ files: [TreePath: [UInt8]]) throws -> [UInt8] {
    try ZipArchive.write(files.map { ($0.key, $0.value) }, modified: Date(timeIntervalSince1970: 0))
  }

  private static func read(_ bytes: [UInt8], named name: TreePath = "back.zip") -> BundleReader {
    var reader = BundleReader(place: name)
    reader.readFile(bytes)
    return reader
  }

  @Test("several bundles in one zip, XLIFF files next to them, and folders around them are all read")
  func several() throws {
    let reader = Self.read(
      try Self.zip([
        "out/de.xcloc/contents.json": Array("{ \"targetLocale\" : \"de\" }".utf8),
        "out/de.xcloc/Localized Contents/de.xliff": Self.xliff("de"),
        "out/de.xcloc/Source Contents/App/L.xcstrings": [1], "uk.xcloc/Localized Contents/uk.xliff": Self.xliff("uk"),
        "more/fr.xliff": Self.xliff("fr"), "more/it.XLF": Self.xliff("it"), "__MACOSX/._x.xliff": [0],
      ]))
    #expect(reader.files.map(\.targetLanguage).sorted() == ["de", "fr", "it", "uk"])
    #expect(reader.diagnostics.allSatisfy { $0.severity == .note }, "\(reader.diagnostics)")
  }

  @Test("a broken XLIFF file does not prevent other files from being read")
  func partly() throws {
    let reader = Self.read(
      try Self.zip([
        "de.xcloc/Localized Contents/de.xliff": Array(Self.xliff("de").dropLast(20)),
        "uk.xcloc/Localized Contents/uk.xliff": Self.xliff("uk"),
        "fr.xcloc/Localized Contents/fr.xliff": Self.xliff("fr"),
        "fr.xcloc/Localized Contents/old.xliff": Array("<x".utf8),
      ]))
    #expect(reader.files.map(\.targetLanguage).sorted() == ["fr", "uk"])
    let errors = reader.diagnostics.filter { $0.severity == .error }
    #expect(
      Set(errors.map(\.path)) == [
        "back.zip/de.xcloc/Localized Contents/de.xliff", "back.zip/fr.xcloc/Localized Contents/old.xliff",
      ])
    #expect(errors.allSatisfy { $0.line != nil })
  }

  @Test("a language's images are read separately from its texts")
  func assets() throws {
    let reader = Self.read(
      try Self.zip([
        "de.xcloc/Localized Contents/de.xliff": Self.xliff("de"),
        "de.xcloc/Localized Contents/App/A.xcassets/x.imageset/x_de.png": [1, 2],
      ]))
    #expect(reader.assets == ["App/A.xcassets/x.imageset/x_de.png": [[1, 2]]])
  }

  @Test("files with the same path in several bundles are all kept")
  func equalPaths() throws {
    let reader = Self.read(
      try Self.zip([
        "de.xcloc/Localized Contents/de.xliff": Self.xliff("de"), "de.xcloc/Localized Contents/App/a.png": [1],
        "uk.xcloc/Localized Contents/uk.xliff": Self.xliff("uk"), "uk.xcloc/Localized Contents/App/a.png": [2],
        "fr.xcloc/Localized Contents/fr.xliff": Self.xliff("fr"), "fr.xcloc/Localized Contents/App/a.png": [1],
      ]))
    #expect(reader.assets == ["App/a.png": [[1], [2]]])
  }

  @Test("a zip that is truncated at any byte is reported, and none of its entries are used")
  func truncated() throws {
    let bytes = try Self.zip(["de.xliff": Self.xliff("de")])
    for end in stride(from: 2, to: bytes.count, by: 3) {
      let reader = Self.read(Array(bytes[..<end]))
      #expect(reader.files.isEmpty && reader.diagnostics.contains { $0.severity == .error })
    }
  }

  @Test("a file of another format is reported with the accepted formats", arguments: ["", "PK", "text", "{}"])
  func neither(text: String) {
    let reader = Self.read(Array(text.utf8), named: "back.bin")
    #expect(reader.files.isEmpty)
    #expect(reader.diagnostics.map(\.severity) == [.error])
  }

  @Test(
    "a PDF or another binary file is reported once, whatever its name",
    arguments: [("back.pdf", "this is neither a zip nor an XLIFF file"), ("back.xliff", "this is not an XLIFF file")])
  func binary(name: TreePath, message: String) throws {
    let bytes =
      Array("%PDF-1.7\n<< /Type /Catalog >>\n".utf8) + (0..<100).flatMap { _ in [0xE2, 0x0A, 0xFF] as [UInt8] }
    let reader = Self.read(bytes, named: name)
    #expect(reader.files.isEmpty && reader.diagnostics.map(\.message) == [message])
    #expect(reader.diagnostics.map(\.path) == [name.text] && reader.diagnostics.first?.hint != nil)
    let zip = Self.read(try Self.zip(["de.xcloc/Localized Contents/de.xliff": bytes, "uk.xliff": Self.xliff("uk")]))
    #expect(zip.files.map(\.targetLanguage) == ["uk"])
    #expect(zip.diagnostics.map(\.message) == ["this is not an XLIFF file"])
  }

  @Test(
    "an XLIFF file in UTF-16, or after white space, is recognized without its extension",
    arguments: [UInt8?.none, 0xFF, 0xFE])
  func unnamed(mark: UInt8?) {
    let text = String(decoding: Self.xliff("de"), as: UTF8.self)
    let bytes: [UInt8] =
      switch mark {
      case nil: Array(("\n  " + text.drop { $0 != "\n" }).utf8)
      case 0xFF: [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      default: [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      }
    let reader = Self.read(bytes, named: "back.txt")
    #expect(reader.files.map(\.targetLanguage) == ["de"], "\(reader.diagnostics)")
  }

  @Test("a link in a bundle is reported and not followed")
  func links() {
    var reader = BundleReader(place: "x")
    reader.read(["de.xliff": Self.xliff("de")], links: ["uk.xliff"])
    #expect(reader.files.count == 1)
    #expect(reader.diagnostics.map(\.path) == ["x/uk.xliff"])
  }
}
