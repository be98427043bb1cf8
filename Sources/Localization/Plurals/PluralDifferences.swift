/// Where Apple's tools differ from CLDR's plural rules (xcode-formats.md H).
enum PluralDifferences {
  /// Categories that catalogs of a language may have, and that are not missed: CLDR's versions disagree about them. Hebrew's `many` for
  /// whole tens was dropped in CLDR 42, Maltese has `two` only since then; Xcode has offered both sets.
  static let offeredOnly: [String: Set<PluralCategory>] = ["he": [.many], "mt": [.two]]

  /// Whether Xcode offers a translator the form of a rule. The Romance languages' `many` for whole millions, told by the exponent of a
  /// compact number (`1c6`) too, is offered by none, though the runtime shows it where a file has it.
  static func isOffered(condition: Substring) -> Bool {
    !condition.split(separator: " ").contains { $0 == "e" || $0 == "c" }
  }
}
