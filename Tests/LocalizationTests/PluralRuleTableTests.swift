import Foundation
import Localization
import TestSupport
import Testing

@testable import plural_rules

/// Tests of the generator of the table, and comparisons of the table with CLDR's data if the data is available.
@Suite("The table of plural rules")
struct PluralRuleTableTests {
  /// A file in CLDR's format: four languages, two of which have the same rule.
  static let ownData = """
    {"supplemental" : {"version" : {"_cldrVersion" : "1"}, "plurals-type-cardinal" : {
      "aa" : {"pluralRule-count-one" : "n  =  1 @integer 1", "pluralRule-count-other" : " @integer 0, 2~16, …"},
      "cc" : {"pluralRule-count-other" : " @integer 0~15 @decimal 0.0~0.3"},
      "dd" : {
        "pluralRule-count-many" : "i != 1 @integer 0, 4~19", "pluralRule-count-few" : "i = 2..3 @integer 2, 3",
        "pluralRule-count-other" : " @decimal 0.5"},
      "bb" : {"pluralRule-count-one" : "n = 1 @integer 1 @decimal 1.0", "pluralRule-count-other" : " @integer 0"}
    }}}
    """

  struct Samples: Sendable, CustomStringConvertible {
    var language: LocaleIdentifier
    var category: PluralCategory
    var numbers: [String]
    var description: String { "\(language) \(category.rawValue)" }
  }

  /// Every sample number of every language: `0~3, 1.5` gives 0, 1, 2, 3 and 1.5. Compact numbers (`1c6`) are omitted, because no format of
  /// Foundation shows them.
  static let samples: [Samples] = {
    guard let json = try? JSONSerialization.jsonObject(with: SharedFolder.cldr.data("plurals.json")) as? [String: Any],
      let supplemental = json["supplemental"] as? [String: Any],
      let languages = supplemental["plurals-type-cardinal"] as? [String: [String: String]]
    else { return [] }
    return languages.sorted { $0.key < $1.key }.flatMap { language, rules in
      rules.sorted { $0.key < $1.key }.map { name, rule in
        Samples(
          language: LocaleIdentifier(language),
          category: PluralCategory(rawValue: String(name.dropFirst("pluralRule-count-".count))),
          numbers: rule.split(separator: "@").dropFirst().flatMap { numbers(in: $0.drop { $0 != " " }) })
      }
    }
  }()

  private static func numbers(in list: Substring) -> [String] {
    list.split(separator: ",").map { $0.filter { $0 != " " } }.filter { !$0.contains("…") && !$0.contains("c") }
      .flatMap { part -> [String] in
        let ends = part.split(separator: "~").map(String.init)
        guard ends.count == 2, let low = ends.first, let high = ends.last else { return [part] }
        let places = low.split(separator: ".").dropFirst().first?.count ?? 0
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        guard let from = Int(low.filter { $0 != "." }), let to = Int(high.filter { $0 != "." }) else { return [] }
        return (from...to).map { number in
          guard places > 0 else { return String(number) }
          let fraction = String(number % scale)
          return "\(number / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
        }
      }
  }

  @Test(
    "every sample number of CLDR has CLDR's category, except for `many` where Apple lacks it",
    .enabled(if: SharedFolder.cldr.isThere, "\(SharedFolder.cldr.notice)"), arguments: samples)
  func takeCategory(samples: Samples) throws {
    for number in samples.numbers {
      let operands = try #require(PluralOperands(shown: number))
      let category = PluralRules.category(of: operands, in: samples.language)
      let isOffered = PluralRules.categories(of: samples.language).contains(samples.category)
      #expect(category == (isOffered ? samples.category : .other), "\(number) in \(samples.language)")
    }
  }

  @Test(
    "the sample data is complete", .enabled(if: SharedFolder.cldr.isThere, "\(SharedFolder.cldr.notice)"))
  func sampleCount() {
    #expect(Self.samples.count == 485)
    #expect(Self.samples.map(\.numbers.count).reduce(0, +) > 5_000)
  }

  @Test(
    "Apple's rules lack only the `many` of Romance languages",
    .enabled(if: SharedFolder.cldr.isThere, "\(SharedFolder.cldr.notice)"))
  func lacking() {
    let lacking = Self.samples.filter { !PluralRules.categories(of: $0.language).contains($0.category) }
    #expect(Set(lacking.map(\.category)) == [.many])
    #expect(
      lacking.map(\.language.rawValue) == ["ca", "es", "fr", "it", "lld", "pt", "pt-PT", "scn", "vec"])
  }

  @Test("languages with the same rule share a line, with conditions in CLDR's order and without samples")
  func ofOwnData() throws {
    let source = try PluralRuleSource.generate(from: Data(Self.ownData.utf8))
    let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }.filter {
      $0.contains(" |") && !$0.hasPrefix("///")
    }
    #expect(lines.map(String.init) == ["aa bb | one: n = 1", "cc |", "dd | few: i = 2..3; many: i != 1"])
    #expect(source.hasPrefix("// CLDR 1, written by") && source.contains("static let version = \"1\""))
    #expect(try PluralRuleSource.languages(of: Data(Self.ownData.utf8)) == ["aa", "bb", "cc", "dd"])
  }

  @Test(
    "the committed table equals the generator's output",
    .enabled(if: SharedFolder.cldr.isThere, "\(SharedFolder.cldr.notice)"))
  func fresh() throws {
    let committed = SharedFolder.root.appending(
      path: "Sources/Localization/Plurals/PluralRuleTable.generated.swift")
    let generated = try PluralRuleSource.generate(from: SharedFolder.cldr.data("plurals.json"))
    #expect(try String(contentsOf: committed, encoding: .utf8) == generated)
  }
}
