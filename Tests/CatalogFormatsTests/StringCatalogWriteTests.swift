import CatalogFormats
import Localization
import Testing

@Suite struct StringCatalogWriteTests {
  static let format = StringCatalogFormat()
  static let path: TreePath = "App/Localizable.xcstrings"

  static let base = """
    {
      "sourceLanguage" : "en",
      "strings" : {
        "Bird" : {

        },
        "Cat" : {
          "comment" : "an animal",
          "generatesSymbol" : false,
          "localizations" : {
            "de" : {
              "stringUnit" : {
                "state" : "translated",
                "value" : "Katze"
              }
            }
          }
        }
      },
      "version" : "1.0"
    }
    """

  static func edit(_ text: String, _ change: (inout Catalog) -> Void) throws -> String {
    var catalog = try format.read(Array(text.utf8), at: path)
    change(&catalog)
    return String(decoding: try format.write(catalog, over: Array(text.utf8)), as: UTF8.self)
  }

  @Test("a catalog is written to the same bytes with and without its origin")
  func origin() throws {
    let base = Array(Self.base.utf8)
    let changes: [(inout Catalog) -> Void] = [
      { _ in },
      { $0.entries["Bird"]?.translations["uk"] = Translation("Птах") },
      { $0.entries["Cat"]?.translations["de"] = Translation("Katz", state: .needsReview) },
      { $0.entries["Cat"]?.comment = nil },
      { $0.entries["Cat"] = nil },
      { $0.entries["Dog"] = CatalogEntry(translations: ["de": Translation("Hund")]) },
      { $0.sourceLanguage = "de" },
    ]
    for change in changes {
      var catalog = try Self.format.read(base, at: Self.path)
      change(&catalog)
      let forgotten = Catalog(
        path: catalog.path, sourceLanguage: catalog.sourceLanguage, entries: catalog.entries, origin: nil)
      #expect(catalog.origin != nil && forgotten == catalog)
      #expect(try Self.format.write(catalog, over: base) == Self.format.write(forgotten, over: base))
    }
  }

  @Test("any number of changed entries is found and written")
  func changedEntries() throws {
    var read = Catalog(path: Self.path, sourceLanguage: "en")
    for number in 0..<40 {
      read.entries[UnitKey("key \(number)\n\"")] = CatalogEntry(
        comment: "a comment longer than fifteen bytes, \(number)", translations: ["de": Translation("\(number)")])
    }
    let bytes = try Self.format.write(read, over: nil)
    for count in [0, 1, 8, 9, 40] {
      var catalog = try Self.format.read(bytes, at: Self.path)
      let keys = catalog.entries.keys.sorted().prefix(count)
      for key in keys { catalog.entries[key]?.translations["de"] = Translation("changed") }
      let written = try Self.format.write(catalog, over: bytes)
      #expect(try Self.format.read(written, at: Self.path) == catalog)
      #expect((written == bytes) == (count == 0))
      let spliced = try Self.format.splice(catalog, over: CatalogFiles(bytes, at: Self.path))
      #expect(spliced[Self.path].map(\.bytes) == (count == 0 ? nil : written))
    }
  }

  @Test("an origin is used only for the bytes from which it was read")
  func originOfOtherBytes() throws {
    let catalog = try Self.format.read(Array(Self.base.utf8), at: Self.path)
    let other = Array(Self.base.replacing("Katze", with: "Kater").utf8)
    #expect(try Self.format.write(catalog, over: other) == Array(Self.base.utf8))
  }

  @Test("the first translation of an empty entry has Xcode's layout")
  func firstTranslation() throws {
    let written = try Self.edit(Self.base) { $0.entries["Bird"]?.translations["uk"] = Translation("Птах") }
    let expected = Self.base.replacing(
      "    \"Bird\" : {\n\n    },",
      with: """
            "Bird" : {
              "localizations" : {
                "uk" : {
                  "stringUnit" : {
                    "state" : "translated",
                    "value" : "Птах"
                  }
                }
              }
            },
        """)
    #expect(written == expected)
  }

  @Test("removing the only translation leaves no empty 'localizations'")
  func lastTranslation() throws {
    let translated = try Self.edit(Self.base) { $0.entries["Bird"]?.translations["uk"] = Translation("Птах") }
    #expect(try Self.edit(translated) { $0.entries["Bird"]?.translations = [:] } == Self.base)
  }

  @Test("languages are written in Xcode's order")
  func languages() throws {
    let written = try Self.edit(Self.base) {
      for language in ["zh-HK", "zh-Hant-TW", "ar", "zh-Hans"] as [LocaleIdentifier] {
        $0.entries["Cat"]?.translations[language] = Translation("x")
      }
    }
    let places = try ["\"ar\"", "\"de\"", "\"zh-Hans\"", "\"zh-Hant-TW\"", "\"zh-HK\""].map {
      try #require(written.firstRange(of: $0)).lowerBound
    }
    #expect(places == places.sorted())
  }

  @Test("known fields of an entry are added and removed, and unknown fields are kept")
  func fields() throws {
    let written = try Self.edit(Self.base) {
      $0.entries["Cat"]?.comment = nil
      $0.entries["Cat"]?.shouldTranslate = false
      $0.entries["Cat"]?.extractionState = .manual
      $0.entries["Cat"]?.isCommentAutoGenerated = true
    }
    #expect(
      written.contains(
        "\"extractionState\" : \"manual\",\n      \"generatesSymbol\" : false,\n      \"isCommentAutoGenerated\" : true,\n      \"localizations\""
      ))
    #expect(written.contains("      },\n      \"shouldTranslate\" : false\n    }\n"))
    #expect(written.contains("\"version\" : \"1.1\""))
    let back = try Self.edit(written) {
      $0.entries["Cat"] = CatalogEntry(comment: "an animal", translations: ["de": Translation("Katze")])
    }
    #expect(back == Self.base.replacing("\"version\" : \"1.0\"", with: "\"version\" : \"1.1\""))
  }

  @Test("changing a text to a plural and back changes only the text's language")
  func shape() throws {
    let plural = try Self.edit(Self.base) {
      $0.entries["Cat"]?.translations["de"] = Translation(
        text: .plural([
          .other: .text(StringUnit(state: .new, value: "%lld Katzen")),
          .one: .text(StringUnit(state: .new, value: "eine Katze")),
        ]))
    }
    #expect(
      plural.contains(
        "\"de\" : {\n          \"variations\" : {\n            \"plural\" : {\n              \"one\" : {\n                \"stringUnit\" : {\n                  \"state\" : \"new\","
      ))
    #expect(try Self.edit(plural) { $0.entries["Cat"]?.translations["de"] = Translation("Katze") } == Self.base)
    let more = try Self.edit(plural) {
      guard case .plural(var cases)? = $0.entries["Cat"]?.translations["de"]?.text else { return }
      cases[.zero] = .text(StringUnit(state: .translated, value: "keine"))
      cases[.one] = nil
      $0.entries["Cat"]?.translations["de"]?.text = .plural(cases)
    }
    #expect(!more.contains("\"one\""))
    #expect(more.contains("\"zero\""))
  }

  @Test("substitutions are written with their order and specifiers")
  func substitutions() throws {
    let forms = VariedText.plural([
      .one: .text(StringUnit(state: .translated, value: "%arg Katze")),
      .other: .text(StringUnit(state: .translated, value: "%arg Katzen")),
    ])
    let written = try Self.edit(Self.base) {
      $0.entries["Cat"]?.translations["de"]?.substitutions["CATS"] = Substitution(
        argumentNumber: 1, formatSpecifier: "lld", forms: forms)
    }
    #expect(
      written.contains(
        "\"substitutions\" : {\n            \"CATS\" : {\n              \"argNum\" : 1,\n              \"formatSpecifier\" : \"lld\",\n              \"variations\""
      ))
    #expect(try Self.edit(written) { $0.entries["Cat"]?.translations["de"]?.substitutions = [:] } == Self.base)
    let changed = try Self.edit(written) {
      $0.entries["Cat"]?.translations["de"]?.substitutions["CATS"]?.argumentNumber = 2
    }
    #expect(changed == written.replacing("\"argNum\" : 1", with: "\"argNum\" : 2"))
  }

  @Test(
    "machine translation raises the version; unknown versions are kept, and no version is lowered",
    arguments: [("1.0", "1.3"), ("1.2", "1.3"), ("1.4", "1.4"), ("2.0", "2.0")])
  func version(old: String, new: String) throws {
    let text = Self.base.replacing("\"1.0\"", with: "\"\(old)\"")
    let written = try Self.edit(text) {
      $0.entries["Cat"]?.translations["de"] = Translation("Katze", state: .machineTranslated)
    }
    #expect(
      written
        == text.replacing("\"state\" : \"translated\"", with: "\"state\" : \"machine_translated\"").replacing(
          "\"\(old)\"", with: "\"\(new)\""))
  }

  @Test(
    "an edit keeps the style of a file from another tool",
    arguments: [
      (": ", "  ", "\n"), (" : ", "\t", "\n"), (": ", "    ", "\r\n"), (" : ", "  ", "\r\n"),
    ])
  func styles(separator: String, indentation: String, newline: String) throws {
    func styled(_ text: String) -> String {
      let empty = separator == ": " ? text.replacing("{\n\n    }", with: "{}") : text
      return empty.split(separator: Character("\n"), omittingEmptySubsequences: false).map {
        (line: Substring) -> String in
        let spaces = line.prefix { $0 == " " }.count
        return String(repeating: indentation, count: spaces / 2)
          + line.dropFirst(spaces).replacing("\" : ", with: "\"" + separator)
      }.joined(separator: newline) + newline
    }
    func change(_ catalog: inout Catalog) {
      catalog.entries["Cat"]?.translations["uk"] = Translation("Кіт")
      catalog.entries["Cow"] = CatalogEntry(comment: "another")
      catalog.entries["Bird"]?.extractionState = .manual
    }
    #expect(try Self.edit(styled(Self.base), change) == styled(try Self.edit(Self.base, change)))
  }

  @Test("a file that is a single line stays a single line when edited")
  func oneLine() throws {
    let text = #"{"sourceLanguage":"en","strings":{"a":{},"c":{"comment":"x"}},"version":"1.0"}"#
    let written = try Self.edit(text) {
      $0.entries["b"] = CatalogEntry(translations: ["de": Translation("B")])
      $0.entries["a"]?.comment = "y"
    }
    #expect(
      written
        == #"{"sourceLanguage":"en","strings":{"a":{"comment":"y"},"b":{"localizations":{"de":{"stringUnit":{"state":"translated","value":"B"}}}},"c":{"comment":"x"}},"version":"1.0"}"#
    )
  }

  @Test("an unsorted file keeps its order and all bytes outside the edit")
  func foreignOrder() throws {
    let text = Self.base.replacing("\"Bird\"", with: "\"Zebra\"")
    let written = try Self.edit(text) { $0.entries["Cow"] = CatalogEntry() }
    #expect(written.count > text.count)
    #expect(try Self.edit(written) { $0.entries["Cow"] = nil } == text)
  }

  @Test("a new catalog has the layout of a catalog that Xcode creates, without a final newline")
  func newFile() throws {
    let empty = try Self.format.write(Catalog(path: Self.path, sourceLanguage: "en"), over: nil)
    #expect(
      String(decoding: empty, as: UTF8.self)
        == "{\n  \"sourceLanguage\" : \"en\",\n  \"strings\" : {\n\n  },\n  \"version\" : \"1.0\"\n}")
    let catalog = try Self.format.read(Array(Self.base.utf8), at: Self.path)
    let written = try Self.format.write(catalog, over: nil)
    #expect(
      String(decoding: written, as: UTF8.self) == Self.base.replacing("      \"generatesSymbol\" : false,\n", with: ""))
  }

  @Test("keys with different code points are different keys, even if they look the same")
  func codePoints() throws {
    let written = try Self.edit(Self.base) {
      $0.entries["e\u{301}"] = CatalogEntry(comment: "decomposed")
      $0.entries["é"] = CatalogEntry(comment: "composed")
    }
    let read = try Self.format.read(Array(written.utf8), at: Self.path)
    #expect(read.entries.count == 4)
    #expect(read.entries["é"]?.comment == "composed")
  }
}
