import Localization
import Testing

@Suite("Plural rules")
struct PluralRulesTests {
  /// Plural categories, and the languages that have these categories (xcode-formats.md H).
  static let observed: [(String, String)] = [
    ("other", "ja ko zh-Hans zh-Hant zh-HK yue th vi id ms my lo km"),
    (
      "one other",
      "en de nl sv da nb nn fi et it es pt pt-BR pt-PT fr ca gl eu el hu tr bg fa hi bn ur pa sw af sq az ka hy is kk ky mn ne si te ta ml mr gu kn am zu"
    ),
    ("one few many other", "ru uk be pl cs sk lt"),
    ("one few other", "hr sr bs ro mo sr-Latn"),
    ("one two few other", "sl gd"),
    ("one two many other", "he iw"),
    ("zero one other", "lv"),
    ("one two few many other", "ga mt"),
    ("zero one two few many other", "ar cy"),
  ]

  @Test("each language has the categories that Xcode offers (xcode-formats.md H)", arguments: observed)
  func categories(categories: String, languages: String) {
    for language in languages.split(separator: " ") {
      let found = PluralRules.categories(of: LocaleIdentifier(String(language))).map(\.rawValue).joined(separator: " ")
      #expect(found == categories, "\(language)")
      #expect(PluralRules.knows(LocaleIdentifier(String(language))), "\(language)")
    }
  }

  @Test("an unknown language has only the category `other`, and a regional variant has its language's categories")
  func fallback() {
    #expect(PluralRules.categories(of: "xx") == [.other])
    #expect(!PluralRules.knows("xx"))
    #expect(PluralRules.categories(of: "de-AT") == [.one, .other])
    #expect(PluralRules.categories(of: "zh-Hant-HK") == [.other])
  }

  @Test("categories that differ between CLDR versions are offered, but not required")
  func needed() {
    #expect(PluralRules.neededCategories(of: "he") == [.one, .two, .other])
    #expect(PluralRules.neededCategories(of: "mt") == [.one, .few, .many, .other])
    #expect(PluralRules.neededCategories(of: "uk") == [.one, .few, .many, .other])
  }

  /// A language, a plural category, and sample numbers of the category from CLDR's own tables.
  static let samples: [(LocaleIdentifier, PluralCategory, [String])] = [
    ("en", .one, ["1"]), ("en", .other, ["0", "2", "1.0", "1.5"]),
    ("fr", .one, ["0", "1", "1.5"]), ("fr", .other, ["2", "1000000"]),
    ("de", .one, ["1", "-1"]), ("de", .other, ["1.0"]),
    ("es", .one, ["1", "1.0", "1.00"]), ("pt", .one, ["0", "1.5"]), ("pt-PT", .other, ["0", "1.5"]),
    ("uk", .one, ["1", "21", "101"]), ("uk", .few, ["2", "4", "22", "104"]),
    ("uk", .many, ["0", "5", "11", "12", "14", "111"]), ("uk", .other, ["1.5", "0.0"]),
    ("pl", .one, ["1"]), ("pl", .few, ["2", "3", "4", "22"]), ("pl", .many, ["0", "5", "12", "21", "101"]),
    ("pl", .other, ["1.5"]),
    ("cs", .few, ["2", "4"]), ("cs", .many, ["1.5", "0.0"]), ("cs", .other, ["5", "0"]),
    ("lt", .one, ["1", "21"]), ("lt", .few, ["2", "9"]), ("lt", .many, ["0.1", "1.5"]),
    ("lt", .other, ["10", "11", "20"]),
    ("lv", .zero, ["0", "10", "11", "20"]), ("lv", .one, ["1", "21", "0.1"]), ("lv", .other, ["2", "22"]),
    ("ro", .few, ["0", "2", "19", "101", "1.5"]), ("ro", .other, ["20", "100"]),
    ("sl", .one, ["1", "101"]), ("sl", .two, ["2", "102"]), ("sl", .few, ["3", "4", "1.5"]),
    ("sl", .other, ["5", "0"]),
    ("hr", .one, ["1", "21", "0.1"]), ("hr", .few, ["2", "22", "0.2"]), ("hr", .other, ["5", "11", "0.5"]),
    ("ar", .zero, ["0"]), ("ar", .two, ["2"]), ("ar", .few, ["3", "103"]), ("ar", .many, ["11", "99"]),
    ("ar", .other, ["100", "0.1"]),
    ("cy", .few, ["3"]), ("cy", .many, ["6"]), ("cy", .other, ["4", "7"]),
    ("ga", .few, ["3", "6"]), ("ga", .many, ["7", "10"]), ("ga", .other, ["11"]),
    ("gd", .one, ["1", "11"]), ("gd", .two, ["2", "12"]), ("gd", .few, ["3", "19"]), ("gd", .other, ["20"]),
    ("he", .one, ["1", "0.5"]), ("he", .two, ["2"]), ("he", .other, ["0", "20"]),
    ("is", .one, ["1", "21", "0.1"]), ("is", .other, ["11", "2"]),
    ("mk", .one, ["1", "21"]), ("mk", .other, ["11", "0"]),
    ("da", .one, ["1", "0.1", "1.6"]), ("da", .other, ["0", "2"]),
    ("si", .one, ["0", "1", "0.1"]), ("fil", .one, ["0", "1", "5"]), ("fil", .other, ["4", "6", "9"]),
    ("br", .few, ["3", "9", "23"]), ("br", .many, ["1000000"]), ("br", .other, ["13", "0"]),
    ("ja", .other, ["0", "1", "2"]), ("mt", .few, ["0", "3", "10"]), ("mt", .many, ["11", "19"]),
    ("mt", .other, ["20"]),
  ]

  @Test("each number has its category in CLDR", arguments: samples)
  func numbers(language: LocaleIdentifier, category: PluralCategory, numbers: [String]) throws {
    for number in numbers {
      let operands = try #require(PluralOperands(shown: number))
      #expect(PluralRules.category(of: operands, in: language) == category, "\(number) in \(language)")
    }
  }

  @Test("each needed category is used by some number, and no number has a category that is not offered")
  func reachable() {
    for (_, languages) in Self.observed {
      for language in languages.split(separator: " ").map({ LocaleIdentifier(String($0)) }) {
        let whole = (0...200).map { PluralRules.category(of: $0, in: language) }
        let parts = ["0.1", "0.2", "1.5", "0.0", "2.50"].compactMap { PluralOperands(shown: $0) }
        let taken = Set(whole + parts.map { PluralRules.category(of: $0, in: language) })
        #expect(taken.isSubset(of: Set(PluralRules.categories(of: language))), "\(language)")
        #expect(Set(PluralRules.neededCategories(of: language)).subtracting(taken).isEmpty, "\(language)")
      }
    }
  }

  @Test(
    "texts that are not numbers have no operands",
    arguments: ["", "-", "1.", ".5", "1,5", "x", "99999999999999999999999"])
  func noNumber(text: String) {
    #expect(PluralOperands(shown: text) == nil)
  }
}
