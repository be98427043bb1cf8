import Localization
import Workspace

/// Helpers for tests of `check`. The helpers make small catalogs and code, and return the findings of a rule.
protocol AdviceExamples {}

extension AdviceExamples {
  /// Returns an entry of a String Catalog with these texts, all in the state `translated`.
  static func entry(_ source: String, _ translations: [String: String] = [:]) -> String {
    var texts = translations.mapValues { AdviceTests.unit($0) }
    texts["en"] = AdviceTests.unit(source)
    return AdviceTests.texts(texts)
  }

  /// Returns the keys that a rule reports in a catalog with these entries.
  static func keys(_ entries: [String: String], _ rule: String) throws -> Set<String> {
    Set(try AdviceTests.advice(catalog: entries, rule: rule).findings.map(\.key.text))
  }

  /// Returns the lines of code that a rule reports, counted from 1.
  static func lines(_ code: String, _ rule: String) throws -> [Int] {
    try CodeAdviceTests.advice(code, rule: rule).findings.compactMap(\.line)
  }
}
