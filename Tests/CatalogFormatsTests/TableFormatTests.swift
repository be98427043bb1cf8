import CatalogFormats
import Localization
import Testing

@Suite struct TableFormatTests {
  private let files = CatalogFiles(
    path: "App/en.lproj/A.strings", sourceLanguage: "en", localizations: ["de": "App/de.lproj/A.strings"],
    bytes: [
      "App/en.lproj/A.strings": Array("/* one\n   two */\n\"a\" = \"A\";\n\n\"b\" = \"B\";\n\n".utf8),
      "App/de.lproj/A.strings": Array("\"b\" = \"Bd\";\n/* only here */\n\"z\" = \"Z\";\n".utf8),
    ])

  @Test("a table's files in all languages are read as one catalog, with the comments of the source language's file")
  func read() throws {
    let catalog = try StringsFormat().read(files)
    #expect(catalog.sourceLanguage == "en")
    #expect(catalog.entries.keys.sorted() == ["a", "b", "z"])
    #expect(catalog.entries["a"] == CatalogEntry(comment: "one\n   two", translations: ["en": Translation("A")]))
    #expect(catalog.entries["b"] == CatalogEntry(translations: ["en": Translation("B"), "de": Translation("Bd")]))
    #expect(catalog.entries["z"] == CatalogEntry(comment: "only here", translations: ["de": Translation("Z")]))
    #expect(try StringsFormat().write(catalog, over: files).isEmpty)
    #expect(try StringsFormat().sourceCopy(of: files) == files.sourceBytes)
  }

  @Test("a change is written to its language's file, and missing files are created as in an import by Xcode")
  func write() throws {
    var catalog = try StringsFormat().read(files)
    catalog.entries["b"]?.translations["de"] = Translation("neu")
    catalog.entries["b"]?.translations["fr"] = Translation("Bf")
    catalog.entries["a"]?.translations["fr"] = Translation("Af\n")
    catalog.entries["z"] = nil
    let written = try StringsFormat().write(catalog, over: files).mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(
      written == [
        "App/de.lproj/A.strings": "\"b\" = \"neu\";\n",
        "App/fr.lproj/A.strings": "/* one\n   two */\n\"a\" = \"Af\\n\";\n\n\"b\" = \"Bf\";\n\n",
      ])
    let after = files.applying(written.mapValues { Array($0.utf8) }, languages: ["fr"])
    #expect(try StringsFormat().read(after) == catalog)
  }

  @Test("a table is written to the same bytes with and without its origin")
  func origin() throws {
    let changes: [(inout Catalog) -> Void] = [
      { _ in }, { $0.entries["b"]?.translations["de"] = Translation("x") }, { $0.entries["a"]?.comment = "new" },
      { $0.entries["z"] = nil }, { $0.entries["c"] = CatalogEntry(translations: ["en": Translation("C")]) },
    ]
    for change in changes {
      var catalog = try StringsFormat().read(files)
      change(&catalog)
      let forgotten = Catalog(
        path: catalog.path, sourceLanguage: catalog.sourceLanguage, entries: catalog.entries, origin: nil)
      #expect(catalog.origin != nil)
      #expect(try StringsFormat().write(catalog, over: files) == StringsFormat().write(forgotten, over: files))
    }
    // The origin is used only for the files from which the catalog was read.
    var other = files
    other.bytes["App/de.lproj/A.strings"] = Array("\"b\" = \"other\";\n/* only here */\n\"z\" = \"Z\";\n".utf8)
    let written = try StringsFormat().write(StringsFormat().read(files), over: other)
    #expect(written == ["App/de.lproj/A.strings": files.bytes["App/de.lproj/A.strings"] ?? []])
  }

  @Test("a translation is refused if its folder belongs to another language, whose texts are kept")
  func folderOfAnother() throws {
    let base = CatalogFiles(
      path: "App/Base.lproj/A.strings", sourceLanguage: "en",
      bytes: ["App/Base.lproj/A.strings": Array("\"a\" = \"A\";\n".utf8)])
    var catalog = try StringsFormat().read(base)
    catalog.entries["a"]?.translations["Base"] = Translation("B")
    #expect(throws: InputFault.self) { try StringsFormat().write(catalog, over: base) }
  }

  @Test("a translation that a .strings file cannot express is refused; a broken file is reported")
  func faults() throws {
    var catalog = try StringsFormat().read(files)
    catalog.entries["a"]?.translations["de"] = Translation(
      text: .plural([.other: .text(StringUnit(state: .translated, value: "x"))]))
    #expect(throws: InputFault.self) { try StringsFormat().write(catalog, over: files) }
    var broken = files
    broken.bytes["App/de.lproj/A.strings"] = Array("\"b\" = ;".utf8)
    let fault = try StringsFormat().read(broken).unread["de"]
    #expect(fault?.diagnostics.map(\.path) == ["App/de.lproj/A.strings"])
    #expect(fault?.diagnostics.first?.column == 7)
    broken.bytes["App/en.lproj/A.strings"] = nil
    #expect(throws: InputFault.self) { try StringsFormat().read(broken) }
  }

  @Test("a .stringsdict of two languages is read and changed, and a file for a third language is created")
  func stringsDict() throws {
    let bytes = try SampleFile.plurals.bytes()
    let files = CatalogFiles(
      path: "en.lproj/A.stringsdict", sourceLanguage: "en", localizations: ["cs": "cs.lproj/A.stringsdict"],
      bytes: ["en.lproj/A.stringsdict": bytes, "cs.lproj/A.stringsdict": bytes])
    var catalog = try StringsDictFormat().read(files)
    #expect(try StringsDictFormat().write(catalog, over: files).isEmpty)
    let key = try #require(catalog.entries.keys.sorted().first)
    let translation = try #require(catalog.entries[key]?.translations["cs"])
    #expect(catalog.entries[key]?.translations["en"] == translation)
    catalog.entries[key]?.translations["fr"] = translation
    catalog.entries[key]?.translations["cs"] = nil
    let written = try StringsDictFormat().write(catalog, over: files)
    #expect(written.keys.sorted() == ["cs.lproj/A.stringsdict", "fr.lproj/A.stringsdict"])
    #expect(try StringsDictFormat().read(files.applying(written, languages: ["fr"])) == catalog)
    #expect(
      written["fr.lproj/A.stringsdict"].map {
        $0.starts(with: Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>".utf8))
      } == true)
  }
}
