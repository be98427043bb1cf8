/// Determines the plural categories of languages and the category of a number.
package enum PluralRules {
  private struct Rule: Sendable {
    var category: PluralCategory
    /// The condition for the category; `nil` if no number has the category.
    var condition: PluralCondition?
    /// Whether a translation without this category is incomplete.
    var isNeeded: Bool
    /// Whether Xcode offers this category.
    var isOffered = true
  }

  /// The rules and categories of one language.
  private struct Language: Sendable {
    let rules: [Rule]
    let offered: [PluralCategory]
    let shown: [PluralCategory]
    let needed: [PluralCategory]

    init(_ rules: [Rule]) {
      func inOrder(_ chosen: [Rule]) -> [PluralCategory] {
        let categories = Set(chosen.map(\.category))
        return PluralCategory.all.filter { $0 == .other || categories.contains($0) }
      }
      self.rules = rules
      offered = inOrder(rules.filter(\.isOffered))
      shown = inOrder(rules)
      needed = inOrder(rules.filter(\.isNeeded))
    }

    static let unknown = Language([])
  }

  /// Returns the categories that Xcode offers to translators of a language (xcode-formats.md H), in CLDR's order. They always include
  /// `other`.
  ///
  /// The language is looked up as written (`pt-PT`), then by its language subtag. An unknown language only has `other`, like CLDR's root
  /// locale.
  package static func categories(of language: LocaleIdentifier) -> [PluralCategory] {
    known(language).offered
  }

  /// Returns the categories that Apple's runtime uses, including those that Xcode does not offer, and the categories that differ between CLDR's
  /// versions.
  package static func shownCategories(of language: LocaleIdentifier) -> [PluralCategory] {
    known(language).shown
  }

  /// Returns whether several whole numbers have the category: `one` in Ukrainian is for 1, 21, 31. The form for such a category must show the number.
  /// The numbers from 0 to 200 are checked. For `zero` in a language without this category, the result is `false`: a form for `zero` is shown only
  /// for 0.
  package static func takesSeveralNumbers(_ category: PluralCategory, in language: LocaleIdentifier) -> Bool {
    let numbers = (0...200).filter { self.category(of: $0, in: language) == category }
    return numbers.count > 1
  }

  /// Returns whether any whole number from 0 to 200 has the category. In Czech, only fractions have the category `many`.
  package static func takesWholeNumber(_ category: PluralCategory, in language: LocaleIdentifier) -> Bool {
    (0...200).contains { self.category(of: $0, in: language) == category }
  }

  /// Returns whether several whole numbers from 1 to 200 have the category. French `one` is for 0 and 1, which rarely need different forms.
  package static func takesSeveralCounts(_ category: PluralCategory, in language: LocaleIdentifier) -> Bool {
    (1...200).count { self.category(of: $0, in: language) == category } > 1
  }

  /// Returns the categories that a complete translation needs: all that Xcode offers, except a few that differ between CLDR's versions.
  package static func neededCategories(of language: LocaleIdentifier) -> [PluralCategory] {
    known(language).needed
  }

  /// Returns the category of a number by CLDR's cardinal rules, restricted to the categories that Xcode offers.
  package static func category(of number: PluralOperands, in language: LocaleIdentifier) -> PluralCategory {
    known(language).rules.first { $0.isOffered && $0.condition?.holds(for: number) ?? false }?.category ?? .other
  }

  /// Returns the category that Apple's runtime uses. This may be `many` of the Romance languages for whole millions, which Foundation shows
  /// if a file has this form (observed).
  package static func shownCategory(of number: PluralOperands, in language: LocaleIdentifier) -> PluralCategory {
    known(language).rules.first { $0.condition?.holds(for: number) ?? false }?.category ?? .other
  }

  package static func category(of number: Int, in language: LocaleIdentifier) -> PluralCategory {
    category(of: PluralOperands(number), in: language)
  }

  /// Returns the conditions of the categories that Xcode offers, in the order of evaluation.
  static func offeredConditions(of language: LocaleIdentifier) -> [(PluralCategory, PluralCondition)] {
    known(language).rules.compactMap { rule in
      rule.isOffered ? rule.condition.map { (rule.category, $0) } : nil
    }
  }

  /// Returns whether CLDR has plural rules for the language, as written or without its script and region.
  package static func knows(_ language: LocaleIdentifier) -> Bool {
    table[language.rawValue] != nil || table[language.language] != nil
  }

  private static func known(_ language: LocaleIdentifier) -> Language {
    table[language.rawValue] ?? table[language.language] ?? .unknown
  }

  private static let table: [String: Language] = {
    var table: [String: [Rule]] = [:]
    for line in PluralRuleTable.text.split(separator: "\n") {
      let columns = line.split(separator: "|", omittingEmptySubsequences: false)
      guard columns.count == 2 else { continue }
      let rules = columns[1].split(separator: ";").compactMap(rule)
      for language in columns[0].split(separator: " ") { table[String(language)] = rules }
    }
    for (language, categories) in PluralDifferences.offeredOnly {
      guard var rules = table[language] else { continue }
      for category in categories.sorted() {
        if let index = rules.firstIndex(where: { $0.category == category }) {
          rules[index].isNeeded = false
        } else {
          rules.append(Rule(category: category, condition: nil, isNeeded: false))
        }
      }
      table[language] = rules
    }
    // Projects use some language names that CLDR's table lacks (xcode-formats.md I).
    for (name, language) in LanguageAliases.languages where table[name] == nil {
      table[name] = table[String(language.prefix { $0 != "-" })]
    }
    return table.mapValues(Language.init)
  }()

  private static func rule(_ text: Substring) -> Rule? {
    let parts = text.split(separator: ":", maxSplits: 1)
    guard parts.count == 2, let name = parts[0].split(separator: " ").first, let condition = PluralCondition(parts[1])
    else { return nil }
    let isOffered = PluralDifferences.isOffered(condition: parts[1])
    return Rule(
      category: PluralCategory(rawValue: String(name)), condition: condition, isNeeded: isOffered, isOffered: isOffered)
  }
}
