/// Differences between Apple's tools and CLDR's plural rules (xcode-formats.md H).
enum PluralDifferences {
  /// Categories that catalogs of a language may have but need not have, because CLDR's versions differ: CLDR 42 dropped Hebrew `many` for
  /// whole tens and added `two` for Maltese. Xcode has offered both sets.
  static let offeredOnly: [String: Set<PluralCategory>] = ["he": [.many], "mt": [.two]]

  /// Returns whether Xcode offers the form of a rule to translators. It does not offer `many` of the Romance languages for whole millions,
  /// although the runtime shows that form if a file has it. The rule of that form contains the exponent of a compact number (`1c6`).
  static func isOffered(condition: Substring) -> Bool {
    !condition.split(separator: " ").contains { $0 == "e" || $0 == "c" }
  }
}
