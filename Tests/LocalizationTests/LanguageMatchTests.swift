import Localization
import Testing

@Suite("Languages as vendors spell them (formats.md I)")
struct LanguageMatchTests {
  static let table: [(came: String, has: [String], taken: String?)] = [
    ("de", ["de"], "de"), ("zh_CN", ["zh-Hans"], "zh-Hans"), ("zh-CN", ["zh-Hans", "zh-Hant"], "zh-Hans"),
    ("zh_TW", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-Hant-TW", "zh-Hant"], "zh-Hant"),
    ("zh-TW", ["zh-Hant-TW"], "zh-Hant-TW"), ("zh_HK", ["zh-HK"], "zh-HK"), ("zh_HK", ["zh-Hant-HK"], "zh-Hant-HK"),
    ("zh-Hans", ["zh_CN"], "zh_CN"), ("zh-CN", ["zh_CN", "zh-Hans"], "zh_CN"), ("ZH-HANS", ["zh-Hans"], "zh-Hans"),
    ("pt_BR", ["pt-BR", "pt-PT"], "pt-BR"), ("pt", ["pt-PT", "pt-BR"], "pt-PT"), ("pt-PT", ["pt"], "pt"),
    ("pt", ["pt-BR"], nil), ("iw", ["he"], "he"), ("he-IL", ["he"], "he"), ("in", ["id"], "id"), ("ji", ["yi"], "yi"),
    ("no", ["nb"], "nb"), ("nb", ["nb-NO"], "nb-NO"), ("tl", ["fil"], "fil"), ("es-mx", ["es", "es-419"], "es-419"),
    ("es-MX", ["es-MX", "es-419"], "es-MX"), ("sh", ["sr-Latn"], "sr-Latn"), ("uk-UA", ["uk"], "uk"),
    ("de", ["de-DE"], "de-DE"), ("de-AT", ["de"], nil), ("en-GB", ["en"], nil), ("en_GB", ["en", "en-GB"], "en-GB"),
    ("sr-Cyrl", ["sr"], nil), ("", ["de"], nil), ("../de", ["de"], nil),
  ]

  @Test("an incoming language is the project's own one that means the same", arguments: table)
  func known(came: String, has: [String], taken: String?) {
    let match = LanguageMatch([Set(has.map { LocaleIdentifier($0) })])
    #expect(match.find(LocaleIdentifier(came))?.rawValue == taken)
  }

  @Test("a catalog's own spelling counts before the project's")
  func preference() {
    #expect(LanguageMatch([["zh-Hant-HK"], ["zh-HK"]]).find("zh_HK") == "zh-Hant-HK")
    #expect(LanguageMatch([[], ["zh-HK"]]).find("zh_HK") == "zh-HK")
  }

  @Test(
    "a language that is new is called as it came, if Xcode could have written that",
    arguments: [
      ("uk", "uk"), ("zh-CN", "zh-CN"), ("zh_CN", "zh-Hans"), ("pt_BR", "pt-BR"), ("es_MX", "es-MX"),
      ("de_DE", "de-DE"),
      ("", nil), ("../x", nil), ("_", nil), ("de_", nil), ("a_b", nil), ("de/fr", nil),
      ("Base", nil), ("base", nil), ("mul", nil), ("English", nil), ("fil", "fil"),
    ] as [(String, String?)])
  func new(came: String, name: String?) {
    #expect(LanguageMatch.newName(of: LocaleIdentifier(came))?.rawValue == name)
  }
}
