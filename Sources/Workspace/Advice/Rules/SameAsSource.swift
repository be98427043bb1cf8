import Localization

extension AdviceRule {
  static let sameAsSource = AdviceRule(
    "same-as-source", .note, "A translation is equal to its source text",
    reason: """
      A sentence that is the same in two languages was most likely copied. It is shown untranslated although it counts as translated.
      """,
    bad: "en “Delete all of them”, de “Delete all of them” (translated)",
    good: "en “Delete all of them”, de “Alle löschen”",
    find: { subject in
      let keys = Set(subject.units.map { UnitID(catalog: $0.catalog, key: $0.key) })
      let copied = subject.units.filter { unit in
        unit.translations.contains { isCopy($0.translation, in: $0.language, of: unit) }
          && UntranslatedText.isProse(unit) && !UntranslatedText.isForOneLanguage(unit, among: keys)
          && !UntranslatedText.isReplaced(unit)
      }
      return UnusedKeys(subject.snapshot).removed(from: copied).flatMap(copies)
    })

  private static func copies(of unit: AdvisedUnit) -> [Remark] {
    unit.translations.compactMap { language, translation in
      guard isCopy(translation, in: language, of: unit) else { return nil }
      return unit.remark(
        in: language, "\(language): the translation of \(unit.text.quotedForMessage) is the source text",
        hint: "translate it, or mark the key as not to be translated")
    }
  }

  private static func isCopy(
    _ translation: Translation, in language: LocaleIdentifier, of unit: AdvisedUnit
  ) -> Bool {
    guard language.language != unit.sourceLanguage.language, PluralRules.knows(language) else { return false }
    return translation.leaves.contains { path, leaf in
      leaf.state == .translated && unit.source.leaf(at: path)?.words.isExactly(leaf.words) == true
    }
  }
}

/// Decides whether a text that equals its translation was most likely not translated.
private enum UntranslatedText {
  /// A text that contains one of these parts needs no translation: copyright notices and dummy texts stay unchanged, a text with “goes here” is only
  /// a placeholder, and Siri does not support all languages of an app.
  private static let fixed: [StaticString] = [
    "©", "(c)", "All rights reserved", "ipsum", "cupidatat", "irure dolor", "goes here", "Siri, ",
  ]

  /// Returns whether a text has enough words that a translator would translate, and its comment does not forbid translation.
  static func isProse(_ unit: AdvisedUnit) -> Bool {
    let text = unit.text
    guard !fixed.contains(where: { text.holds($0) }), !(text.hasPrefix("[") && text.hasSuffix("]")) else {
      return false
    }
    let runs = text.split(whereSeparator: \.isWhitespace)
    // Command lines contain names of programs and domains: `defaults write org.example.app`.
    guard runs.count >= 3, !runs.contains(where: isDomain), !runs.contains(where: isOption), !isCode(text),
      !isInTwoLanguages(text)
    else { return false }
    // File extensions, as in “.jpg, .mov”, are not words.
    let words = SourceWords(runs.filter { !$0.hasPrefix(".") }.joined(separator: " ")).words.filter { $0.count > 1 }
    // Names contain capital letters, and names of protocols and units are short.
    let plain = words.filter { $0.count > 2 && $0.allSatisfy(\.isLowercase) }
    guard words.count >= 3, plain.count >= 2, plain.contains(where: { $0.count > 3 }) else { return false }
    let comment = unit.comment?.lowercased() ?? ""
    return !["not translate", "n't translate", "not be translated"].contains { comment.contains($0) }
  }

  /// Returns whether a key ends with a language and a similar key exists for another language of the text. For example, the texts of `note_de` and
  /// `note_en` are each in one fixed language, so they are not translated.
  static func isForOneLanguage(_ unit: AdvisedUnit, among keys: Set<UnitID>) -> Bool {
    let key = unit.key.text
    guard unit.isNamed, let end = key.lastIndex(where: { "_.-".contains($0) }) else { return false }
    let languages = Set([unit.sourceLanguage.language] + unit.entry.translations.keys.map(\.language))
    let code = key[key.index(after: end)...]
    guard languages.contains(code.lowercased()) else { return false }
    return languages.contains { other in
      other != code.lowercased()
        && keys.contains(
          UnitID(
            catalog: unit.catalog, key: UnitKey(key[...end] + (code == code.uppercased() ? other.uppercased() : other)))
        )
    }
  }

  /// Returns whether a storyboard's text has translations into several languages that are all equal to the source text. In that case, the app most
  /// likely replaces the text before showing it.
  static func isReplaced(_ unit: AdvisedUnit) -> Bool {
    guard unit.isOfInterface || isOfTableOfInterface(unit.key.text) else { return false }
    let others = unit.translations.map(\.translation)
    return others.count > 1
      && others.allSatisfy {
        $0.leaves.allSatisfy { unit.source.leaf(at: $0.path)?.words.isExactly($0.leaf.words) == true }
      }
  }

  /// Returns whether a key belongs to an object in a storyboard: `GZX-Q2-Z5a.text`.
  private static func isOfTableOfInterface(_ key: String) -> Bool {
    let parts = key.split(separator: ".", maxSplits: 1)
    let id = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
    return parts.count == 2 && id.map(\.count) == [3, 2, 3]
  }

  /// Returns whether a label contains its text in two languages: “Art des Tests / Type of test”.
  private static func isInTwoLanguages(_ text: String) -> Bool {
    guard text.holds(" / ") else { return false }
    let parts = text.split(separator: " / ", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { SourceWords(String($0)).words.count >= 2 }
  }

  /// Returns whether a text contains code that was meant as an interpolation: `Rate: (Int(value))`.
  private static func isCode(_ text: String) -> Bool {
    text.holds("))") || text.holds("(value")
  }

  /// Returns whether a word is an option or a variable of a command line: `-o`, `--all`, `$USER`.
  private static func isOption(_ word: Substring) -> Bool {
    let name = word.drop { $0 == "-" || $0 == "$" }
    guard let first = name.first, name.count < word.count, first.isLetter else { return false }
    return word.first == "-" || name.allSatisfy { $0.isUppercase || $0 == "_" }
  }

  /// Returns whether a word is a domain or bundle identifier such as `org.example.app`.
  private static func isDomain(_ word: Substring) -> Bool {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 2 && parts.allSatisfy { $0.first?.isLetter == true && $0.last?.isLetter == true }
  }
}
