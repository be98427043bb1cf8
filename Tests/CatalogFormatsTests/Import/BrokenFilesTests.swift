import CatalogFormats
import Localization
import Testing

@Suite("Imports into projects with an unreadable file")
struct BrokenFilesTests {
  /// A reader that reads lines `key=value` as texts.
  private struct Lines: SourceTextReader {
    func texts(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [SourceText] {
      String(decoding: bytes, as: UTF8.self).split(separator: "\n").map { line in
        let parts = line.split(separator: "=")
        return SourceText(key: UnitKey("\(parts[0])"), value: "\(parts[parts.count - 1])", comment: nil)
      }
    }
  }

  /// A table with an unreadable German file, in a format that has one file per language.
  struct Table: Sendable, CustomTestStringConvertible {
    let format: any CatalogFormat
    let files: CatalogFiles
    let broken: TreePath
    let french: TreePath
    /// The location of the fault.
    let place: (line: Int?, column: Int?)

    var testDescription: String { files.path.text }

    init(_ format: any CatalogFormat, _ source: TreePath, _ translation: String, _ texts: [String], line: Int?) {
      self.format = format
      broken = TreePath(trusted: "App/de.lproj/\(translation)")
      french = TreePath(trusted: "App/fr.lproj/\(translation)")
      place = (line, nil)
      files = CatalogFiles(
        path: source, sourceLanguage: "en", localizations: ["de": broken, "fr": french],
        bytes: [source: Array(texts[0].utf8), broken: Array(texts[1].utf8), french: Array(texts[2].utf8)])
    }
  }

  private static func rules(_ text: String) -> String {
    "<plist version=\"1.0\">\n<dict>\n\t<key>k</key>\n\t<string>\(text)</string>\n</dict>\n</plist>\n"
  }

  static let tables = [
    Table(
      StringsFormat(), "App/en.lproj/L.strings", "L.strings",
      ["\"k\" = \"One\";\n", "\"k\" = \"Eins\";\n\"j\" = ;\n", "\"k\" = \"Un\";\n"], line: 2),
    Table(
      StringsDictFormat(), "App/en.lproj/L.stringsdict", "L.stringsdict",
      [rules("One"), rules("Eins</strin>"), rules("Un")], line: 4),
    Table(
      InterfaceFormat(reader: Lines()), "App/Base.lproj/Main.storyboard", "Main.strings",
      ["k=One\n", "<<<<<<< HEAD\n\"k\" = \"Eins\";\n", "\"k\" = \"Un\";\n"], line: 1),
  ]

  private static func file(_ original: TreePath, _ language: LocaleIdentifier, _ target: String) -> ExchangeFile {
    ExchangeFile(
      original: original.text, sourceLanguage: "en", targetLanguage: language,
      units: [ExchangeUnit(key: "k", source: .text("One"), target: ExchangeTarget(.text(target)))])
  }

  @Test(
    "units for a language with a broken file are held with the fault's location, and other languages are imported",
    arguments: tables)
  func brokenLanguage(_ table: Table) throws {
    let catalog = try table.format.read(table.files)
    #expect(catalog.languages == ["en", "fr"])
    #expect(catalog.diagnostics.map(\.path) == [table.broken.text])
    #expect(catalog.diagnostics.map(\.severity) == [.error])
    #expect(catalog.diagnostics.first?.line == table.place.line)
    let path = table.files.path
    let review = ImportReview(catalogs: [path: catalog], policy: .asXcode).review([
      Self.file(path, "de", "Neu"), Self.file(path, "fr", "Nouveau"),
    ])
    #expect(review.outcomes.map(\.verdict).last == .taken)
    let reason = try #require(review.outcomes.first?.holdReason)
    #expect(reason.code == "unreadable")
    #expect(reason.sentence.contains("\(table.broken):\(table.place.line ?? 0):"), "\(reason.sentence)")
    let written = try table.format.write(try #require(review.catalogs[path]), over: table.files)
    #expect(Array(written.keys) == [table.french])
    #expect(written[table.french].map { String(decoding: $0, as: UTF8.self).contains("Nouveau") } == true)
  }

  @Test("a file that cannot be read is never written", arguments: tables)
  func neverWritten(_ table: Table) throws {
    var catalog = try table.format.read(table.files)
    catalog.entries["k"]?.translations["de"] = Translation("Neu")
    let fault = try #require(catalog.unread["de"])
    #expect(throws: fault) { try table.format.write(catalog, over: table.files) }
    // A file that exists but cannot be opened is not written either.
    var files = table.files
    files.bytes[table.broken] = nil
    files.unread["de"] = TreeError(path: table.broken, kind: .isSymbolicLink, detail: "is a symbolic link")
    catalog = try table.format.read(files)
    #expect(catalog.diagnostics.map(\.message) == ["is a symbolic link"])
    catalog.entries["k"]?.translations["de"] = Translation("Neu")
    #expect(throws: InputFault.self) { try table.format.write(catalog, over: files) }
  }

  @Test("a source file that cannot be read is reported together with the faults of all languages", arguments: tables)
  func brokenSource(_ table: Table) throws {
    var files = table.files
    files.bytes[files.path] = nil
    let fault = #expect(throws: InputFault.self) { try table.format.read(files) }
    #expect(fault?.diagnostics.map(\.path) == [files.path.text, table.broken.text])
  }

  @Test("a value that is not a text is kept, its unit is held, and the rest of the file is written")
  func values() throws {
    let path: TreePath = "App/en.lproj/L.strings"
    let german = "<plist><dict><key>n</key><integer>4</integer><key>k</key><string>Eins</string></dict></plist>"
    let files = CatalogFiles(
      path: path, sourceLanguage: "en", localizations: ["de": "App/de.lproj/L.strings"],
      bytes: [path: Array("\"n\" = \"One\";\"k\" = \"One\";".utf8), "App/de.lproj/L.strings": Array(german.utf8)])
    let catalog = try StringsFormat().read(files)
    #expect(catalog.entries["n"]?.translations["de"] == nil)
    #expect(catalog.warnings.map(\.message) == ["the value of the key \"n\" is not text; it stays unchanged"])
    var sent = Self.file(path, "de", "Neu")
    sent.units.append(ExchangeUnit(key: "n", source: .text("One"), target: ExchangeTarget(.text("Vier"))))
    var review = ImportReview(catalogs: [path: catalog], policy: .asXcode).review([sent])
    review.holdRefused(in: path, original: catalog) { (catalog) throws(InputFault) in
      _ = try StringsFormat().write(catalog, over: files)
    }
    #expect(
      review.outcomes.map(\.verdict) == [
        .taken, .held(.notWritable("the key \"n\" cannot be written: its value is not text and would be lost")),
      ])
    let written = try StringsFormat().write(try #require(review.catalogs[path]), over: files)
    #expect(
      written.mapValues { String(decoding: $0, as: UTF8.self) } == [
        "App/de.lproj/L.strings": german.replacing("Eins", with: "Neu")
      ])
  }

  @Test("the last value of a duplicate key counts, even if that value is not a text, in text tables too")
  func lastValue() throws {
    let text = "\"a\" = \"x\";\n\"a\" = ( 1, 2 );\n\"b\" = { };\n\"b\" = \"y\";\n"
    let file = try StringsFile.read(Array(text.utf8), at: "L.strings")
    #expect(file.values.keys.sorted() == ["b"])
    #expect(throws: InputFault.self) { try file.edited(["a": .value("z", comment: nil)]) }
    let edited = try file.edited(["b": .value("z", comment: nil)])
    #expect(String(decoding: edited, as: UTF8.self) == text.replacing("\"y\"", with: "\"z\""))
  }

  @Test("at most a hundred warnings are reported for each file, and the others are counted")
  func warnings() throws {
    let path: TreePath = "App/en.lproj/L.strings"
    let twice = "\"k\" = \"a\";\n\"k\" = \"b\";\n"
    let files = CatalogFiles(
      path: path, sourceLanguage: "en", localizations: ["de": "App/de.lproj/L.strings"],
      bytes: [
        path: Array(twice.utf8), "App/de.lproj/L.strings": Array(String(repeating: twice, count: 200).utf8),
      ])
    let warnings = try StringsFormat().read(files).diagnostics
    #expect(warnings.filter { $0.path == path.text }.map(\.line) == [2])
    #expect(warnings.count == 102)
    #expect(warnings.last?.message == "299 more of this kind not listed")
    #expect(warnings.allSatisfy { $0.severity == .warning })
  }
}
