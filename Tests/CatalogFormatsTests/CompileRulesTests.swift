import Localization
import StructuredText
import Testing

@testable import CatalogFormats

/// The rules of Xcode's compiler for each structure of a catalog, and its messages for unsupported structures (xcode-formats.md F). The rules come
/// from recorded runs of `xcstringstool compile` (Xcode 26.6); the texts in the example entries are our own.
@Suite struct CompileRulesTests {
  static func unit(_ value: String, _ state: String = "translated") -> String {
    #"{"stringUnit":{"state":"\#(state)","value":"\#(value)"}}"#
  }

  static func entry(_ localizations: String, state: String? = nil) -> String {
    let state = state.map { #""extractionState":"\#($0)","# } ?? ""
    return #""k":{\#(state)"localizations":{\#(localizations)}}"#
  }

  static func plural(_ forms: [(String, String)], _ state: String = "translated") -> String {
    #""variations":{"plural":{\#(forms.map { #""\#($0)":\#(unit($1, state))"# }.joined(separator: ","))}}"#
  }

  static func compile(_ strings: String) throws -> CompiledCatalog {
    try CatalogCompiler.compile(
      Array("{\"sourceLanguage\":\"en\",\"strings\":{\n\(strings)},\"version\":\"1.0\"}".utf8),
      at: "App/Table.xcstrings")
  }

  /// An entry, and its values in `en.lproj` and `de.lproj`; `nil` if the value is not compiled.
  static let stateTable: [(String, String?, String?)] = [
    (entry(""), nil, nil),
    (entry("", state: "stale"), nil, nil),
    (entry("", state: "manual"), "k", nil),
    (entry(#""en":\#(unit("v", "new"))"#), nil, nil),
    (entry(#""en":\#(unit("v", "new"))"#, state: "extracted_with_value"), nil, nil),
    (entry(#""en":\#(unit("v", "new"))"#, state: "stale"), nil, nil),
    (entry(#""en":\#(unit("v", "new"))"#, state: "manual"), "v", nil),
    (entry(#""en":\#(unit("v", "needs_review"))"#), "v", nil),
    (entry(#""en":\#(unit("v", "machine_translated"))"#), "v", nil),
    (entry(#""en":\#(unit("v", "a state to come"))"#, state: "stale"), "v", nil),
    (entry(#""de":\#(unit("w", "new"))"#), nil, "w"),
    (entry(#""de":\#(unit("w", "new"))"#, state: "stale"), nil, "w"),
    (entry(#""en":null,"de":\#(unit("w"))"#), nil, "w"),
    (#""k":{"shouldTranslate":false,"localizations":{"en":\#(unit("v"))}}"#, "v", nil),
  ]

  @Test(
    "texts of every state are compiled, except new source texts of entries that are not manual",
    arguments: stateTable)
  func states(strings: String, english: String?, german: String?) throws {
    let compiled = try Self.compile(strings)
    #expect(compiled.diagnostics.isEmpty)
    for (folder, expected) in [("en", english), ("de", german)] {
      let value = compiled.languages[folder]?.plain.first?.value
      #expect(value == expected.map { .text($0) }, "\(folder)")
    }
  }

  /// A language and the name of its folder; `nil` if the identifier is malformed.
  static let folderTable: [(LocaleIdentifier, String?)] = [
    ("de", "de"), ("pt-BR", "pt-BR"), ("pt_br", "pt_BR"), ("EN-us", "en-US"), ("zh-Hans", "zh-Hans"),
    ("zh-hant-hk", "zh-Hant-HK"),
    ("zh_Hans_CN", "zh_CN"), ("zh_Hant_TW", "zh_TW"), ("zh-Hant-TW", "zh-Hant-TW"), ("es-419", "es-419"), ("iw", "he"),
    ("iw_IL", "he_IL"),
    ("in", "id"),
    ("no-NO", "nb-NO"), ("tl", "fil"), ("sr-Cyrl", "sr"), ("sr-Latn", "sr-Latn"), ("en-UK", "en-GB"),
    ("zh-cmn-Hans", "zh-Hans"), ("zh-min-nan", "nan"), ("zh-guoyu", "zh"), ("cmn-Hans", "zh-Hans"), ("eng-us", "en-US"),
    ("no-bok-NO", "nb-NO"), ("no-BOKMAL", "no-bokmal"), ("i-klingon-US", "tlh-US"), ("sgn-BE-FR", "sfb"),
    ("jbo", "jbo"),
    ("art-lojban", "jbo"), ("sh-RS", "sr-RS"), ("sh_YU", "sr_RS"), ("sh-HR", "hr-HR"), ("sh-Latn", "sh-Latn"),
    ("sh-Latn-RS", "sr-Latn-RS"), ("hbs-RS", "sr-Latn-RS"), ("sr_Latn", "sr-Latn"), ("sr_Cyrl_RS", "sr_RS"),
    ("cs-CS", "cs-CZ"), ("sk_CS", "sk_SK"), ("mo", "mo"), ("aam", "aam"), ("pt-BR_BR", "pt_BR"),
    ("ca-ES-VALENCIA", "ca-ES-valencia"), ("en_US_posix", "en_US_POSIX"), ("en-GB-oed", "en-GB-oed"),
    ("en-US-u-nu-latn", "en-US-u-nu"), ("en-US-u-ca-gregorian", "en-US-u-ca-gregorian"),
    ("de-DE-u-co-phonebk", "de-DE-u-co-phonebk"),
    ("de-1901", "de"), ("de-AT-1901", "de-AT"), ("en-x-Harbor", "en-x-harbor"), ("es_419", "es_419"),
    ("zh-Hant-HK", "zh-Hant-HK"),
    ("-de", nil), ("de--AT", nil), ("1de", nil), ("de@x", nil), ("d\u{E9}", nil), ("../x", nil), ("", nil),
    ("de_", nil), (".", nil), ("a/b", nil),
  ]

  @Test(
    "a language's folder has the language's canonical name, and a malformed identifier has no folder",
    arguments: folderTable)
  func folders(language: LocaleIdentifier, folder: String?) {
    #expect(LocaleFolder.name(of: language) == folder)
  }

  @Test("two spellings of one language share a folder with the name of the first")
  func sharedFolder() throws {
    let compiled = try Self.compile(
      #""k":{"localizations":{"he":\#(Self.unit("1")),"iw":\#(Self.unit("2"))}},"l":{"localizations":{"iw":\#(Self.unit("3"))}}"#
    )
    #expect(compiled.languages["he"]?.plain == [.init("k", .text("1")), .init("l", .text("3"))])
    #expect(compiled.languages["iw"] == nil)
    #expect(compiled.diagnostics.map(\.severity) == [.warning])
    #expect(compiled.diagnostics.first?.message == "he and iw are compiled into the same folder, he.lproj")
  }

  @Test("a control character that XML does not allow is reported with its location")
  func controlCharacter() throws {
    let compiled = try Self.compile(Self.entry(#""de":\#(Self.unit(#"a\u0003b"#))"#))
    #expect(compiled.languages["de"]?.plain == [.init("k", .text("a\u{3}b"))] && !compiled.hasErrors)
    #expect(compiled.diagnostics.map(\.line) == [2])
    #expect(
      compiled.diagnostics.first?.message
        == "The text has the control character U+3, which most XML parsers reject (de: k)")
  }

  /// An entry, and the compiler's messages for it with their locations.
  static let faultTable: [(String, [String])] = [
    (
      entry(
        #""fr":{"stringUnit":{"state":"new","value":"%#@X@"},"substitutions":{"Y":{\#(plural([("other", "%arg")]))}}}"#),
      [
        "App/Table.xcstrings:2:28: error: Referencing undefined substitution 'X' (fr: k)",
        "App/Table.xcstrings:2:95: warning: Substitution 'Y' was never referenced. To reference, use %#@Y@ in some other string (fr: k|==|substitutions.Y)",
      ]
    ),
    (
      entry(#""en":\#(unit("%#@X@"))"#),
      ["App/Table.xcstrings:2:28: warning: Referencing undefined substitution 'X' (en: k)"]
    ),
    (
      entry(
        #""en":{\#(plural([("one", "%1$lld bird, %#@X@"), ("other", "%1$lld birds, %#@X@")])),"substitutions":{"X":{"argNum":2,\#(plural([("other", "%arg")]))}}}"#
      ),
      [
        "App/Table.xcstrings:2:28: error: Cannot reference substitution 'X' from here because it is not a plain string (en: k)"
      ]
    ),
    (
      entry(#""en":{"variations":{"device":{"mac":\#(unit("a")),"other":{\#(plural([("other", "%lld")]))}}}}"#),
      ["App/Table.xcstrings:2:117: error: Fallback value cannot be further varied (en: k|==|device.other)"]
    ),
    (
      entry(#""en":{"variations":{"plural":{"other":{"variations":{"device":{"mac":\#(unit("%lld"))}}}}}}"#),
      ["App/Table.xcstrings:2:61: error: Plural case cannot be further varied (en: k|==|plural.other)"]
    ),
    (
      entry(#""en":{\#(plural([("one", "One bird"), ("other", "%@ birds")]))}"#),
      [
        "App/Table.xcstrings:2:28: error: Plural variation requires referencing the number in the string. To maintain grammatical correctness for strings that do not reference the number of items, use separate top-level strings for one and greater than one. (en: k)"
      ]
    ),
    (entry(#""en":{\#(plural([("one", "One bird"), ("other", "%lld birds")]))}"#), []),
    (entry(#""en":{\#(plural([("other", "%lld birds")]))},"ja":{\#(plural([("other", "tori")]))}"#), []),
    (
      entry(#""ja":{\#(plural([("other", "tori")]))}"#),
      [
        "App/Table.xcstrings:2:28: error: Plural variation requires referencing the number in the string. To maintain grammatical correctness for strings that do not reference the number of items, use separate top-level strings for one and greater than one. (ja: k)"
      ]
    ),
    (
      entry(#""en":{\#(plural([("other", "%lld days, %lld percent")]))}"#),
      [
        "App/Table.xcstrings:2:28: warning: Cannot reliably infer argument number for plural variation because %lld is used in multiple positions. Use an explicit substitution instead. (en: k)"
      ]
    ),
    (
      entry(#""en":{\#(plural([("one", "%lld bird")]))}"#),
      ["App/Table.xcstrings:2:28: warning: Plural has no case 'other' (en: k)"]
    ),
    (
      entry(#""en":{}"#),
      [
        "App/Table.xcstrings:2:28: error: Missing required key 'stringUnit' inside 'strings' -> 'k' -> 'localizations' -> 'en'"
      ]
    ),
    (
      entry(#""en":{"substitutions":{"X":{\#(plural([("other", "%arg")]))}}}"#),
      [
        "App/Table.xcstrings:2:28: error: Missing required key 'stringUnit' inside 'strings' -> 'k' -> 'localizations' -> 'en'"
      ]
    ),
    (
      entry(#""en":{"stringUnit":{"value":"v"}}"#),
      [
        "App/Table.xcstrings:2:42: error: Missing required key 'state' inside 'strings' -> 'k' -> 'localizations' -> 'en'"
      ]
    ),
    (
      entry(
        #""en":{"variations":{"device":{"mac":{"stringUnit":{"state":"new","value":"v"},"substitutions":{}}}}}"#),
      [
        "App/Table.xcstrings:2:117: error: Substitutions must be directly inside 'strings' -> 'k' -> 'localizations' -> 'en'"
      ]
    ),
    (
      "\"a\\u0007\\n\":{\"localizations\":{\"en\":\(unit("%#@X@"))}}",
      ["App/Table.xcstrings:2:36: warning: Referencing undefined substitution 'X' (en: a\\u{07}\\n)"]
    ),
  ]

  @Test("unsupported localizations are reported with their location", arguments: faultTable)
  func faults(strings: String, expected: [String]) throws {
    let compiled = try Self.compile(strings)
    #expect(compiled.diagnostics.map(\.description) == expected)
    #expect(compiled.hasErrors == expected.contains { $0.contains(": error: ") })
  }

  @Test(
    "a version can be a string or a number, as in Xcode's compiler",
    arguments: [
      (#","version":7"#, 0), (#","version":"9.9""#, 0), ("", 0), (#","version":true"#, 1), (#","version":null"#, 1),
    ])
  func version(version: String, errors: Int) throws {
    let compiled = try CatalogCompiler.compile(
      Array(#"{"sourceLanguage":"en","strings":{}\#(version)}"#.utf8), at: "Table.xcstrings")
    #expect(compiled.diagnostics.filter { $0.severity == .error }.count == errors)
  }

  @Test("an empty source language is accepted if it has no texts")
  func namelessSource() throws {
    func compile(_ state: String) throws -> CompiledCatalog {
      try CatalogCompiler.compile(
        Array(#"{"sourceLanguage":"","strings":{\#(Self.entry(#""en":\#(Self.unit("v"))"#, state: state))}}"#.utf8),
        at: "Table.xcstrings")
    }
    #expect(try compile("stale").diagnostics.isEmpty)
    #expect(try compile("manual").hasErrors)
  }

  @Test("null is read as a missing comment, state or flag, and an edit replaces it")
  func nulls() throws {
    let text =
      #"{"sourceLanguage":"en","strings":{"k":{"comment":null,"extractionState":null,"shouldTranslate":null}}}"#
    let format = StringCatalogFormat()
    var catalog = try format.read(Array(text.utf8), at: "Table.xcstrings")
    #expect(catalog.entries == ["k": CatalogEntry()])
    catalog.entries["k"]?.comment = "c"
    catalog.entries["k"]?.shouldTranslate = false
    catalog.entries["k"]?.extractionState = .manual
    let written = String(decoding: try format.write(catalog, over: Array(text.utf8)), as: UTF8.self)
    #expect(
      written
        == #"{"sourceLanguage":"en","strings":{"k":{"comment":"c","extractionState":"manual","shouldTranslate":false}}}"#
    )
    #expect(throws: InputFault.self) {
      try format.read(
        Array(#"{"sourceLanguage":"en","strings":{"k":{"localizations":null}}}"#.utf8), at: "Table.xcstrings")
    }
  }

  @Test("a text that is a list of phrases is skipped with a warning, and the other texts are compiled")
  func phrases() throws {
    let compiled = try Self.compile(
      #""k":{"localizations":{"en":{"stringSet":{"state":"translated","values":["a","b"]}}}},"l":{"extractionState":"manual"}"#
    )
    #expect(compiled.diagnostics.map(\.severity) == [.warning])
    #expect(compiled.languages["en"]?.plain.map(\.key) == ["l"])
  }
}
