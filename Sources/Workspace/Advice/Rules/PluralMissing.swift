import Localization

extension AdviceRule {
  static let pluralMissing = AdviceRule(
    "plural-missing", .warning, "A counted noun has no plural forms",
    reason: """
      “1 files” is wrong in English, and other languages have up to six plural forms. Without plural variations, nobody can translate \
      the text correctly. The rule checks English source texts.
      """,
    bad: "%lld files",
    good: "%lld files, varied by plural: one “%lld file”, other “%lld files”",
    findInUnit: { unit in
      guard unit.text.holdsOne(of: "%"), unit.sourceLanguage.language == "en",
        case .text = unit.source.translation.text,
        unit.source.translation.substitutions.isEmpty,
        !unit.entry.translations.contains(where: { $0.value.isPlural }), !isForm(unit.key.text)
      else { return [] }
      let format = FormatString(unit.text)
      // `^[…](inflect: true)` is inflected automatically, and a text with substitutions has its plural forms in the substitutions.
      guard !format.hasStrayPercent, format.references.isEmpty, !unit.text.contains("^["),
        let noun = CountedNoun.first(in: format)
      else { return [] }
      return [
        unit.remark(
          "“\(noun.specifier) \(noun.word)” in \(unit.text.quotedForMessage) needs plural forms, but the text has none",
          hint: "vary the text by plural in the catalog")
      ]
    })

  /// Returns whether a key is for one plural form. In this case, the app itself chooses among `files_one`, `files_few` and so on.
  private static func isForm(_ key: String) -> Bool {
    guard let end = key.lastIndex(where: { "_.-".contains($0) }) else { return false }
    return ["zero", "one", "two", "few", "many", "other", "plural", "singular"].contains(key[key.index(after: end)...])
  }
}

extension Translation {
  /// Whether the translation has substitutions, or forms for plural categories.
  fileprivate var isPlural: Bool {
    !substitutions.isEmpty || leaves.contains { $0.path.category != nil }
  }
}

/// A plural noun directly after a placeholder for a whole number: `%lld files`.
struct CountedNoun {
  let specifier: String
  let word: String

  /// Words that end in s and can follow a number but are not plural nouns: verbs, other words, and abbreviations of units.
  private static let others: Set<String> = [
    "is", "was", "has", "as", "its", "this", "thus", "us", "plus", "minus", "times", "less", "across", "versus", "vs",
    "does", "goes", "gets", "needs", "requires", "contains", "exists", "fails", "uses", "means", "says", "wants", "ms",
    "fps", "bps", "kbps", "mbps", "gbps", "ns", "rps", "gps", "os", "ios", "tvos", "macos", "visionos", "watchos",
    "bits",
    "pass", "class", "process", "access", "success", "progress", "address", "status", "always",
  ]
  /// Plural nouns that are recognized regardless of their ending.
  private static let irregular: Set<String> = [
    "people", "children", "men", "women", "persons", "feet", "mice", "entries",
  ]
  /// Nouns before a number that is a name and not a count: “Line 3 contains”, “Step 2 of 3”.
  private static let named: Set<String> = [
    "line", "page", "step", "error", "code", "version", "chapter", "part", "day", "week", "month", "level", "row",
    "column",
    "track", "slot", "channel", "season", "episode", "number", "status", "port", "section", "question", "no", "figure",
    "disc", "disk",
  ]

  /// Returns the first counted noun in a text; `nil` if there is none.
  static func first(in format: FormatString) -> CountedNoun? {
    for (index, part) in format.parts.enumerated() {
      guard case .specifier(let argument, let rest) = part, argument.type == .int32 || argument.type == .int64,
        let conversion = rest.last, "diuDU".contains(conversion),
        // `%02d` formats a part of a time or a code.
        !rest.contains(where: \.isNumber), index + 1 < format.parts.count,
        case .literal(let after) = format.parts[index + 1], let word = SourceWords.wordAfterSpace(after)
      else { continue }
      let lower = word.lowercased()
      guard irregular.contains(lower) || (lower.hasSuffix("s") && lower.count > 3 && !lower.hasSuffix("ss")),
        !others.contains(lower), !isNamed(by: index > 0 ? format.parts[index - 1] : nil)
      else { continue }
      return CountedNoun(specifier: argument.text, word: String(word))
    }
    return nil
  }

  private static func isNamed(by part: FormatString.Part?) -> Bool {
    guard case .literal(let before)? = part else { return false }
    if before.hasSuffix("#") || before.hasSuffix(".") || before.hasSuffix("v") { return true }
    let word = before.split { !$0.isLetter }.last.map { $0.lowercased() } ?? ""
    return before.hasSuffix(" ") && named.contains(word)
  }
}
