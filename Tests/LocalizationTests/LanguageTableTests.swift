import Foundation
import TestSupport
import Testing

@testable import Localization
@testable import plural_rules

/// Tests of the generator of the table and of the committed table, and comparisons of the table with CLDR's data if the data is available.
@Suite("The table of languages")
struct LanguageTableTests {
  @Test(
    "the committed table equals the generator's output for the data of CLDR",
    .enabled(if: SharedFolder.cldr.isThere, "\(SharedFolder.cldr.notice)"))
  func generated() throws {
    let source = try LanguageTableSource.generate(
      aliases: SharedFolder.cldr.data("aliases.json"), likely: SharedFolder.cldr.data("likelySubtags.json"),
      languages: PluralRuleSource.languages(of: SharedFolder.cldr.data("plurals.json")))
    for text in [
      LanguageTable.languages, LanguageTable.regions, LanguageTable.likely, LanguageTable.ofRegions,
    ] {
      for line in text.split(separator: "\n") { #expect(source.contains(line)) }
    }
  }

  @Test("aliases, regions and default subtags of the known languages are read from CLDR's file")
  func ofOwnData() throws {
    let aliases = """
      {"supplemental" : {"version" : {"_cldrVersion" : "1"}, "metadata" : {"alias" : {
        "languageAlias" : {
          "old" : {"_replacement" : "new"}, "mix" : {"_replacement" : "two-Latn"}, "x-dialect" : {"_replacement" : "y"}},
        "territoryAlias" : {
          "AA" : {"_replacement" : "BB"}, "SU" : {"_replacement" : "RU AM"}, "123" : {"_replacement" : "CC"}}}}}}
      """
    let likely = """
      {"supplemental" : {"likelySubtags" : {
        "one" : "one-Latn-BB", "two-CC" : "two-Cyrl-CC", "far" : "far-Latn-DD", "und-BB" : "one-Latn-BB",
        "und-Latn-BB" : "one-Latn-BB"}}}
      """
    let source = try LanguageTableSource.generate(
      aliases: Data(aliases.utf8), likely: Data(likely.utf8), languages: ["one"])
    let pairs = source.split(separator: "\n").filter { $0.contains("=") && !$0.contains("let") && !$0.contains("///") }
    #expect(
      pairs.map { $0.drop { $0 == " " } } == [
        "mix=two-Latn old=new", "AA=BB", "one=one-Latn-BB two-CC=two-Cyrl-CC", "BB=one-Latn-BB",
      ])
    #expect(source.hasPrefix("// CLDR 1, written by"))
  }

  @Test("the committed table contains aliases of languages and the scripts of regions")
  func committed() {
    #expect(LanguageAliases.languages["iw"] == "he" && LanguageAliases.likely["zh-HK"] == "zh-Hant-HK")
    #expect(LanguageAliases.languages.count > 400 && LanguageAliases.likely.count > 400)
  }

  @Test("unknown two-letter codes and language names do not count as languages, and get a suggestion if one exists")
  func knownLanguages() {
    for name in ["de", "ja", "pt-BR", "zh-Hans", "no", "iw", "tlh", "fil", "sr-Latn"] {
      #expect(KnownLanguages.contains(LocaleIdentifier(name)), "\(name)")
    }
    for (name, meant) in [
      ("jp", "ja"), ("cn", "zh-Hans"), ("tw", nil), ("cz", "cs"), ("dk", "da"), ("UA", "uk"), ("german", "de"),
      ("pb", "pt-BR"), ("klingon", nil), ("xx", nil),
    ] as [(String, String?)] {
      let language = LocaleIdentifier(name)
      // `tw` is the code of the language Twi.
      #expect(KnownLanguages.contains(language) == (name == "tw"), "\(name)")
      if name != "tw" { #expect(KnownLanguages.suggestion(for: language)?.rawValue == meant, "\(name)") }
    }
  }

  @Test(
    "the direction of a language follows from its script",
    arguments: [
      ("ar", true), ("he", true), ("iw", true), ("fa-AF", true), ("ur", true), ("ckb", true), ("sd", true),
      ("ug", true), ("ks", true), ("yi", true), ("dv", true), ("pa-Arab", true), ("az-Arab", true), ("pa", false),
      ("sd-Deva", false), ("ur-Latn", false), ("de", false), ("ja", false), ("x-private", false),
    ] as [(LocaleIdentifier, Bool)])
  func direction(_ language: LocaleIdentifier, _ isRightToLeft: Bool) {
    #expect(language.isRightToLeft == isRightToLeft)
  }
}
