import CatalogFormats
import Localization
import Testing

@Suite struct ReprintTests {
  /// The files that Xcode did not write, each with a text in it that Xcode does not write (xcode-formats.md A4, B).
  static let foreign: [(name: String, trace: String)] = [
    ("should_not_translate.xcstrings", "\"shouldTranslate\" : false,\n      \"localizations\""),
    ("app/src/test/resources/import/apple/example.xcstrings", "\"sourceLanguage\": \"en\""),
    ("data/src/test/resources/import/apple/example.xcstrings", "\"sourceLanguage\": \"en\""),
    ("example_params.xcstrings", "\"sourceLanguage\": \"en\""),
    ("Mos/Localizable.xcstrings", "\"sourceLanguage\": \"en\""),
    ("own/Harbour/Foreign.xcstrings", "\"sourceLanguage\": \"en\""),
  ]

  @Test(
    "reprinting does not change catalogs and XLIFF that Xcode wrote",
    arguments: SampleFile.all(".xcstrings") + SampleFile.all(".xliff"))
  func reprint(file: SampleFile) throws {
    try file.expectReprint(foreign: Self.foreign)
  }

  @Test(
    "files of other tools are reprinted in Xcode's layout, with their keys and final newline unchanged"
  )
  func foreignCatalog() throws {
    let text =
      "{\"version\":\"1.0\",\"strings\":{\"b\":{\"localizations\":{\"de\":{\"stringUnit\":{\"value\":\"\\u00e4\\/\",\"state\":\"new\"}}},\"comment\":\"c\"},\"a\":{}},\"sourceLanguage\":\"en\"}\n"
    let expected = """
      {
        "sourceLanguage" : "en",
        "strings" : {
          "b" : {
            "comment" : "c",
            "localizations" : {
              "de" : {
                "stringUnit" : {
                  "state" : "new",
                  "value" : "ä/"
                }
              }
            }
          },
          "a" : {

          }
        },
        "version" : "1.0"
      }

      """
    #expect(String(decoding: try Reprint.reprint(Array(text.utf8), at: "x.xcstrings"), as: UTF8.self) == expected)
  }

  @Test("a file with another extension is refused")
  func unknown() {
    #expect(throws: InputFault.self) { try Reprint.reprint([], at: "x.json") }
  }
}
