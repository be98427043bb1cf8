/// A language's plural rule in gettext's notation: `nplurals=4; plural=…;`.
package struct GettextPlurals: Hashable, Sendable {
  /// The category of each form, in the order of the forms in a gettext file (`msgstr[0]`, `msgstr[1]` …).
  package var categories: [PluralCategory]
  /// An expression in C whose value is the index of the form for a whole number `n`. Forms that only fractions use are never the result.
  package var formula: String

  /// The value of the header `Plural-Forms`.
  package var header: String { "nplurals=\(categories.count); plural=\(formula);" }
}

extension PluralRules {
  /// Returns the plural categories of a language that Xcode offers, including those that only fractions use, and an expression that selects the form
  /// of a whole number.
  package static func gettext(of language: LocaleIdentifier) -> GettextPlurals {
    let conditions = offeredConditions(of: language)
    let taken = Set(conditions.map(\.0))
    let categories = PluralCategory.all.filter { $0 == .other || taken.contains($0) }
    var formula = ""
    for (category, condition) in conditions {
      guard let index = categories.firstIndex(of: category) else { continue }
      switch condition.forWholeNumbers {
      case .never: continue
      case .always: return GettextPlurals(categories: categories, formula: formula + "\(index)")
      case .expression(let text): formula += "(\(text)) ? \(index) : "
      }
    }
    let other = categories.firstIndex(of: .other) ?? categories.count - 1
    return GettextPlurals(categories: categories, formula: formula + "\(other)")
  }
}
