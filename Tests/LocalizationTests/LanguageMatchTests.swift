import Localization
import Testing

@Suite("Languages as vendors spell them (xcode-formats.md I)")
struct LanguageMatchTests {
  static let table: [(came: String, has: [String], taken: String?)] = [
    ("de", ["de"], "de"), ("zh_CN", ["zh-Hans"], "zh-Hans"), ("zh-CN", ["zh-Hans", "zh-Hant"], "zh-Hans"),
    ("zh_TW", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-TW", ["zh-Hant-TW", "zh-Hant"], "zh-Hant"),
    ("zh-TW", ["zh-Hant-TW"], "zh-Hant-TW"), ("zh_HK", ["zh-HK"], "zh-HK"), ("zh_HK", ["zh-Hant-HK"], "zh-Hant-HK"),
    ("zh-Hans", ["zh_CN"], "zh_CN"), ("zh-CN", ["zh_CN", "zh-Hans"], "zh_CN"), ("ZH-HANS", ["zh-Hans"], "zh-Hans"),
    ("pt_BR", ["pt-BR", "pt-PT"], "pt-BR"), ("pb", ["pt", "pt-BR"], "pt-BR"), ("iw", ["he"], "he"),
    ("he-IL", ["he"], "he"), ("in", ["id"], "id"), ("ji", ["yi"], "yi"),
    ("no", ["nb"], "nb"), ("nb", ["nb-NO"], "nb-NO"), ("tl", ["fil"], "fil"), ("es_LA", ["es", "es-419"], "es-419"),
    ("es-MX", ["es-MX", "es-419"], "es-MX"), ("sh", ["sr-Latn"], "sr-Latn"), ("uk-UA", ["uk"], "uk"),
    ("de", ["de-DE"], "de-DE"), ("de-AT", ["de"], nil), ("en-GB", ["en"], nil), ("en_GB", ["en", "en-GB"], "en-GB"),
    ("sr-Cyrl", ["sr"], "sr"),
    ("pt_PT", ["pt", "pt-PT"], "pt-PT"), ("nb-NO", ["nb"], "nb"), ("no-NO", ["nb"], "nb"),
    ("sr@latin", ["sr", "sr-Latn"], "sr-Latn"),
    ("sr_RS@latin", ["sr-Latn"], "sr-Latn"), ("zh-MO", ["zh-Hant-MO"], "zh-Hant-MO"), ("zh", ["zh-Hans"], "zh-Hans"),
    ("zh-SG", ["zh-Hans"], nil), ("zh-CHT", ["zh-Hant"], "zh-Hant"), ("deu", ["de"], "de"),
    ("en_UK", ["en-GB"], "en-GB"),
    ("pa-Arab", ["pa-PK"], "pa-PK"), ("pa", ["pa-PK"], nil), ("zh-Hant", ["zh-Hans"], nil),
    ("fr-FR", ["fr", "fr-CA"], "fr"),
    ("nn", ["nb"], nil), ("ca-ES-valencia", ["ca"], nil), ("x", ["x"], "x"), ("", ["de"], nil), ("../de", ["de"], nil),
  ]

  @Test(
    "the most likely language is suggested for a name",
    arguments: [
      ("de_DE", "de"), ("pt_PT", "pt-BR"), ("da", "de"), ("zh_CN", "zh-Hans"), ("DE", "de"), ("uk", nil), ("", nil),
    ])
  func suggestion(name: String, expected: String?) {
    #expect(LanguageMatch([["de", "pt-BR"], ["zh-Hans"]]).nearest(to: name)?.rawValue == expected)
  }

  @Test("a returned language is matched to the project's language with the same meaning", arguments: table)
  func known(came: String, has: [String], taken: String?) {
    let match = LanguageMatch([Set(has.map { LocaleIdentifier($0) })])
    #expect(match.find(LocaleIdentifier(came))?.rawValue == taken)
  }

  /// An imported language, the existing languages, and those of them that are variants of the imported language. Xcode distinguishes a language from
  /// its variants, and a text in one of them would be wrong in another.
  static let variants: [(came: String, has: [String], variants: [String])] = [
    ("pt-PT", ["pt"], ["pt"]), ("pt", ["pt-PT", "pt-BR"], ["pt-BR", "pt-PT"]), ("pt-BR", ["pt"], ["pt"]),
    ("pt-BR", ["pt-PT", "de"], ["pt-PT"]), ("pt_AO", ["pt"], ["pt"]), ("es-MX", ["es", "es-419"], ["es", "es-419"]),
    ("es-419", ["es"], ["es"]), ("es", ["es-MX"], ["es-MX"]), ("zh-HK", ["zh-Hant", "zh-Hans"], ["zh-Hant"]),
    ("zh-Hant-HK", ["zh-TW"], ["zh-TW"]), ("zh-Hant", ["zh-HK"], ["zh-HK"]), ("en-GB", ["en"], ["en"]),
    ("en-US", ["en"], ["en"]), ("en", ["en-AU"], ["en-AU"]), ("fr-CA", ["fr"], ["fr"]), ("de-CH", ["de"], ["de"]),
    ("nl-BE", ["nl"], ["nl"]), ("ar-EG", ["ar"], ["ar"]), ("sr-ME", ["sr-Latn", "sr"], ["sr-Latn"]),
    // A language with a different script, or a different language, is new and not a variant.
    ("zh-Hant", ["zh-Hans"], []), ("sr-Latn", ["sr"], []), ("nn", ["nb"], []), ("fr", ["de"], []),
  ]

  @Test(
    "the same language with another region is a different language, but is recognized as a variant", arguments: variants
  )
  func variant(came: String, has: [String], variants: [String]) {
    let match = LanguageMatch([Set(has.map { LocaleIdentifier($0) })])
    #expect(match.find(LocaleIdentifier(came)) == nil)
    #expect(match.variants(of: LocaleIdentifier(came)).map(\.rawValue) == variants)
  }

  @Test("Xcode's languages are matched only by the same name, in any spelling")
  func distinct() {
    // These are the most frequent languages in catalogs (xcode-formats.md I), except the aliases nb-NO, zh-Hant-TW and zh-Hant-HK.
    let names = """
      de fr es it en zh-Hans ru ja ko zh-Hant pl tr uk pt-BR nl pt cs en-GB zh-HK id ar vi sv pt-PT bg da sk ca hu sr ro es-419 el sl
      nb fi he eu hi af bs ur nl-BE fa sw th ka se fr-CA hr kk ms cy gd gl en-AU en-US sr-Latn
      """.split(whereSeparator: \.isWhitespace).map { LocaleIdentifier(String($0)) }
    for name in names {
      let others = LanguageMatch([Set(names).subtracting([name])])
      #expect(others.find(name) == nil, "\(name)")
      let spelled = LocaleIdentifier(name.rawValue.uppercased().split(separator: "-").joined(separator: "_"))
      #expect(LanguageMatch([Set(names)]).find(spelled) == name)
    }
  }

  @Test("a catalog's spelling takes precedence over the project's")
  func preference() {
    #expect(LanguageMatch([["zh-Hant-HK"], ["zh-HK"]]).find("zh_HK") == "zh-Hant-HK")
    #expect(LanguageMatch([[], ["zh-HK"]]).find("zh_HK") == "zh-HK")
  }

  @Test(
    "a language may be imported as itself with another name, script or region, and a name that is no language as any",
    arguments: [
      ("zh-TW=zh-Hant", true), ("no=nb", true), ("nb=no", true), ("iw=he", true), ("sr=sr-Latn", true),
      ("PB=pt-BR", true), ("jp=ja", true), ("uk=de", false), ("nn=nb", false), ("pt=es", false),
    ])
  func meaning(text: String, isTaken: Bool) {
    var meanings = LanguageMeanings()
    let wasTaken = (try? meanings.add(text)) != nil
    #expect(wasTaken == isTaken)
  }

  @Test(
    "a new language keeps its name if Xcode could have written the name",
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
