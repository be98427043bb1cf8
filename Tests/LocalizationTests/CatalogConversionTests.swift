import Localization
import Testing

@Suite("Conversion of tables with one file per language to a String Catalog")
struct CatalogConversionTests {
  /// Returns a file with one line for each text, followed by one line for each comment.
  private static func file(
    _ language: LocaleIdentifier, _ texts: [(UnitKey, Translation)], comments: [(UnitKey, String)] = [],
    path: TreePath = "App/x.lproj/Localizable.strings"
  ) -> ConvertedFile {
    func place(_ line: Int) -> ConvertedFile.Place { ConvertedFile.Place(path: path, line: line + 1, column: 1) }
    return ConvertedFile(
      language: language,
      texts: texts.enumerated().map { .init(key: $1.0, translation: $1.1, place: place($0)) },
      comments: comments.enumerated().map { .init(key: $1.0, text: $1.1, place: place(texts.count + $0)) })
  }

  private static func convert(
    _ files: [ConvertedFile], strings: [ExtractedString] = [], addsAll: Bool = false
  ) -> CatalogConversion.Result {
    CatalogConversion.convert(
      files, to: "App/Localizable.xcstrings", sourceLanguage: "en", strings: strings, addsAll: addsAll)
  }

  private static func entry(_ translations: [LocaleIdentifier: Translation]) -> CatalogEntry {
    CatalogEntry(translations: Translations(translations))
  }

  private static func found(_ key: UnitKey, comment: String? = nil, value: String? = nil) -> ExtractedString {
    ExtractedString(
      catalog: "App/en.lproj/Localizable.strings", table: "Localizable", key: key, value: value, comment: comment)
  }

  @Test("keys found in code are maintained automatically, other keys are manual, and no key is added")
  func code() {
    let tables = [
      Self.file(
        "en", [("Bird", Translation("Bird")), ("bird.name", Translation("Name")), ("old", Translation("old"))]),
      Self.file(
        "de",
        [
          ("Bird", Translation("Vogel")), ("bird.name", Translation("Name")), ("old", Translation("alt")),
          ("only", Translation("nur")),
        ]),
    ]
    let result = Self.convert(tables, strings: [Self.found("Bird"), Self.found("bird.name"), Self.found("new")]).catalog
    #expect(result.path == "App/Localizable.xcstrings")
    #expect(
      result.entries == [
        "Bird": Self.entry(["de": Translation("Vogel")]),
        "bird.name": Self.entry(["en": Translation("Name"), "de": Translation("Name")]),
        "old": CatalogEntry(
          extractionState: .manual, translations: ["en": Translation("old"), "de": Translation("alt")]),
        "only": CatalogEntry(extractionState: .manual, translations: ["de": Translation("nur")]),
      ])
  }

  @Test("a text that equals the code's belongs to the code and needs no review; any other text belongs to a person")
  func values() {
    let files = [
      Self.file("en", [("a", Translation("A")), ("b", Translation("Other"))]),
      Self.file("de", [("a", Translation("Ä")), ("b", Translation("B")), ("c", Translation("C"))]),
    ]
    let strings = [Self.found("a", value: "A"), Self.found("b", value: "B"), Self.found("c", value: "See")]
    #expect(
      Self.convert(files, strings: strings).catalog.entries == [
        "a": CatalogEntry(
          extractionState: .extractedWithValue,
          translations: ["en": Translation("A", state: .new), "de": Translation("Ä")]),
        "b": Self.entry(["en": Translation("Other"), "de": Translation("B")]),
        "c": CatalogEntry(
          extractionState: .extractedWithValue,
          translations: ["en": Translation("See", state: .new), "de": Translation("C")]),
      ])
  }

  @Test("all texts of an interface file are included, even texts that no file translates")
  func interface() {
    let files = [
      Self.file("en", [("1.title", Translation("Edited")), ("2.title", Translation("Two"))]),
      Self.file("de", [("1.title", Translation("Eins")), ("9.title", Translation("Weg"))]),
    ]
    let strings = ["1": "One", "2": "Two", "3": "Three"].map {
      Self.found(UnitKey("\($0).title"), comment: "Class = \"\($0)\"", value: $1)
    }
    let entries = Self.convert(files, strings: strings, addsAll: true).catalog.entries
    #expect(entries.keys.sorted() == ["1.title", "2.title", "3.title", "9.title"])
    #expect(entries["1.title"]?.extractionState == nil)
    #expect(entries["1.title"]?.translations == ["en": Translation("Edited"), "de": Translation("Eins")])
    for (key, text) in ["2.title": "Two", "3.title": "Three"] as [UnitKey: String] {
      #expect(entries[key]?.extractionState == .extractedWithValue)
      #expect(entries[key]?.translations["en"] == Translation(text, state: .new))
    }
    #expect(entries["9.title"]?.extractionState == .manual)
  }

  @Test("all comments are kept if the code has none; different comments are joined, the source language's first")
  func comments() {
    let files = [
      Self.file(
        "en", [("a", Translation("A")), ("b", Translation("B"))],
        comments: [("a", "zebra\nant"), ("a", "(No Comment)"), ("b", "No comment provided by engineer.")]),
      Self.file("de", [("a", Translation("A"))], comments: [("a", "translator's"), ("a", "  ant")]),
    ]
    let result = Self.convert(files, strings: [Self.found("a")])
    #expect(result.catalog.entries["a"]?.comment == "zebra\nant\ntranslator's", "the lines keep their order")
    #expect(result.catalog.entries["b"]?.comment == nil)
    #expect(result.replaced.isEmpty)
  }

  @Test(
    "the code's comment replaces the comments of files, and additional text is reported once with its location (E6)")
  func replacedComments() {
    let files = [
      Self.file(
        "en", [("a", Translation("A"))], comments: [("a", "old"), ("a", "   code's"), ("a", "code's\n   second")]),
      Self.file("de", [("a", Translation("A"))], comments: [("a", "old"), ("a", "other")]),
    ]
    let result = Self.convert(files, strings: [Self.found("a", comment: "code's\nsecond")])
    #expect(result.catalog.entries["a"]?.comment == "code's\nsecond")
    #expect(result.replaced.map(\.text) == ["old", "other"])
    #expect(result.replaced.map(\.place.line) == [2, 3])
  }

  @Test("if two files of a language have the same key, the first one is used, and a different text is reported")
  func overruled() {
    let forms = plurals(["one": "1", "other": "2"])
    let result = Self.convert([
      Self.file("en", [("n", forms)]), Self.file("en", [("n", Translation("x")), ("m", Translation("m"))]),
      Self.file("en", [("m", Translation("m")), ("base", Translation("b"))]),
      Self.file("de", [("n", Translation("y"))]),
    ])
    #expect(result.catalog.entries["n"]?.translations == ["en": forms, "de": Translation("y")])
    #expect(result.catalog.entries["base"]?.translations == ["en": Translation("b")])
    #expect(result.overruled.map(\.text.translation) == [Translation("x")])
    #expect(result.overruled.map(\.language) == ["en"])
  }

  private static func variable(_ format: String, _ forms: [String: String]) -> Translation {
    substituted(format, "n", number: nil, forms)
  }

  @Test("a format that consists of a single variable becomes plural forms; any other format keeps its variables")
  func plural() {
    let forms = ["one": "%lld bird", "other": "%lld birds"]
    #expect(Self.variable("%#@n@", forms).catalogForm == plurals(forms))
    for kept in [
      Self.variable("I see %#@n@", forms), Self.variable("%#@other@", forms),
      // The plural forms of a whole text may take only the first argument.
      Self.variable("%#@n@", ["one": "%2$@ follower", "other": "%2$@ followers"]),
      Self.variable("%#@n@", ["one": "%#@m@", "other": "x"]), plurals(forms), Translation("x"),
    ] {
      #expect(kept.catalogForm == kept)
    }
    var unnamed = Self.variable("%#@n@", forms)
    unnamed.substitutions["m"] = unnamed.substitutions["n"]
    #expect(unnamed.catalogForm == unnamed, "a variable that no text references is not dropped")
  }

  @Test(
    "device texts that consist of a variable get its forms; if a longer text has a variable, all keep their variables")
  func device() {
    let forms = ["one": "1", "other": "2"]
    func device(_ texts: [String: String]) -> Translation {
      Translation(
        text: devices(texts).text, substitutions: Self.variable("", forms).substitutions)
    }
    #expect(
      device(["mac": "%#@n@", "other": "x"]).catalogForm
        == Translation(
          text: .device([Device(rawValue: "mac"): pluralForms(forms), .other: Translation("x").text])))
    let more = device(["mac": "so %#@n@", "other": "x"])
    #expect(more.catalogForm == more)
    let unnamed = device(["mac": "m", "other": "x"])
    #expect(unnamed.catalogForm == unnamed, "a variable that no text references is not dropped")
    let fallback = device(["mac": "x", "other": "%#@n@"])
    #expect(fallback.catalogForm == fallback)
  }
}
