import Foundation
import Testing

@testable import Localization
@testable import plural_rules

/// The generated table against the CLDR data that it was made from.
@Suite("The table of languages")
struct LanguageTableTests {
  private static func data(_ name: String) throws -> Data {
    try Data(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).json"))
  }

  @Test("the committed table is what the generator makes of CLDR's data")
  func generated() throws {
    let source = try LanguageTableSource.generate(
      aliases: Self.data("aliases"), likely: Self.data("likelySubtags"),
      languages: PluralRuleSource.languages(of: Self.data("plurals")))
    for text in [
      LanguageTable.languages, LanguageTable.regions, LanguageTable.likely, LanguageTable.ofRegions,
    ] {
      for line in text.split(separator: "\n") { #expect(source.contains(line)) }
    }
    #expect(LanguageAliases.languages["iw"] == "he" && LanguageAliases.likely["zh-HK"] == "zh-Hant-HK")
    #expect(LanguageAliases.languages.count > 400 && LanguageAliases.likely.count > 400)
  }

  @Test("two letters that are no language, and names of languages, are told from languages")
  func knownLanguages() {
    for name in ["de", "ja", "pt-BR", "zh-Hans", "no", "iw", "tlh", "fil", "sr-Latn"] {
      #expect(KnownLanguages.contains(LocaleIdentifier(name)), "\(name)")
    }
    for (name, meant) in [
      ("jp", "ja"), ("cn", "zh-Hans"), ("tw", nil), ("cz", "cs"), ("dk", "da"), ("UA", "uk"), ("german", "de"),
      ("pb", "pt-BR"), ("klingon", nil), ("xx", nil),
    ] as [(String, String?)] {
      let language = LocaleIdentifier(name)
      // `tw` is Twi.
      #expect(KnownLanguages.contains(language) == (name == "tw"), "\(name)")
      if name != "tw" { #expect(KnownLanguages.suggestion(for: language)?.rawValue == meant, "\(name)") }
    }
  }
}
