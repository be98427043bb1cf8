import CatalogFormats
import Localization
import Testing

@Suite(".strings files that translate interface files")
struct InterfaceFormatTests {
  /// A reader that reads lines `key=value` as texts.
  private struct Lines: SourceTextReader {
    func texts(of bytes: [UInt8], at path: TreePath) throws(InputFault) -> [SourceText] {
      var texts: [SourceText] = []
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "=")
        guard parts.count == 2 else {
          throw InputFault(Diagnostic(path: path.text, severity: .error, message: "no text"))
        }
        texts.append(SourceText(key: UnitKey("\(parts[0])"), value: "\(parts[1])", comment: "Class \(parts[0])"))
      }
      return texts
    }
  }

  private static let format = InterfaceFormat(reader: Lines())
  private static let german = "/* mine */\n\"b\" = \"Zwei\";\n\n\"gone\" = \"weg\";\n"

  private static let files = CatalogFiles(
    path: "App/Base.lproj/Main.storyboard", sourceLanguage: "en",
    localizations: ["de": "App/de.lproj/Main.strings", "ja": "App/ja.lproj/Main.storyboard"],
    bytes: [
      "App/Base.lproj/Main.storyboard": Array("b=Two\na=One\n".utf8), "App/de.lproj/Main.strings": Array(german.utf8),
      "App/ja.lproj/Main.storyboard": Array("a=Ichi\n".utf8),
    ])

  @Test("the texts of an interface file, its tables and a language's own copy form one catalog")
  func read() throws {
    let catalog = try Self.format.read(Self.files)
    #expect(catalog.path == "App/Base.lproj/Main.storyboard")
    #expect(
      catalog.entries == [
        "a": CatalogEntry(
          comment: "Class a", extractionState: .extractedWithValue,
          translations: ["en": Translation("One"), "ja": Translation("Ichi")]),
        "b": CatalogEntry(
          comment: "Class b", extractionState: .extractedWithValue,
          translations: ["en": Translation("Two"), "de": Translation("Zwei")]),
      ])
    #expect(try Self.format.write(catalog, over: Self.files).isEmpty)
    #expect(try Self.format.sourceCopy(of: Self.files) == Array("b=Two\na=One\n".utf8))
  }

  @Test("a changed text changes only its own bytes, and a new language gets a file with Xcode's comments")
  func write() throws {
    var catalog = try Self.format.read(Self.files)
    catalog.entries["b"]?.translations["de"] = Translation("Zwo")
    catalog.entries["b"]?.translations["fr"] = Translation("Deux")
    catalog.entries["a"]?.translations["fr"] = Translation("Un", state: .machineTranslated)
    let written = try Self.format.write(catalog, over: Self.files).mapValues { String(decoding: $0, as: UTF8.self) }
    #expect(
      written == [
        "App/de.lproj/Main.strings": Self.german.replacing("Zwei", with: "Zwo"),
        "App/fr.lproj/Main.strings": "/* Class a */\n\"a\" = \"Un\";\n\n/* Class b */\n\"b\" = \"Deux\";\n\n",
      ])
  }

  @Test("changes of source texts, changes of a language's own copy, and plurals are refused")
  func refused() throws {
    let catalog = try Self.format.read(Self.files)
    func message(_ key: UnitKey, _ language: LocaleIdentifier, _ translation: Translation) throws -> String? {
      var changed = catalog
      changed.entries[key]?.translations[language] = translation
      do { return "\(try Self.format.write(changed, over: Self.files))" } catch {
        return error.diagnostics.first?.message
      }
    }
    #expect(
      try message("a", "en", Translation("Uno"))
        == "the text of \"a\" is in the interface file itself")
    #expect(
      try message("a", "ja", Translation("x"))
        == "'ja' has a copy of the interface file instead of a .strings file")
    let plural = Translation(text: .plural([.other: .text(StringUnit(state: .translated, value: "x"))]))
    #expect(
      try message("a", "de", plural)
        == "cannot write the key \"a\" in 'de': it has several forms, but a .strings file can hold only one"
    )
  }

  @Test("a missing or unreadable file is reported")
  func faults() {
    var files = Self.files
    files.bytes["App/Base.lproj/Main.storyboard"] = [0x61]
    #expect(throws: InputFault.self) { try Self.format.read(files) }
    files.bytes["App/Base.lproj/Main.storyboard"] = nil
    #expect(throws: InputFault.self) { try Self.format.read(files) }
  }

  @Test("the registry recognizes interface files by name once it has a reader for them")
  func names() {
    let registry = CatalogFormatRegistry.standard.reading(interfacesWith: Lines())
    for name in ["Main.storyboard", "Base.lproj/A.xib", "I.intentdefinition"] {
      #expect(registry.format(for: TreePath(trusted: name))?.name == "Interface Builder")
      #expect(CatalogFormatRegistry.standard.format(for: TreePath(trusted: name)) == nil)
    }
    #expect(registry.format(for: "Main.nib") == nil)
  }
}
