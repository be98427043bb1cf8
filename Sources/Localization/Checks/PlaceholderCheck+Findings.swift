extension PlaceholderCheck {
  /// Returns all findings about the arguments of a form: as an error, the first one that `difference` returns; as warnings
  /// - arguments with and without a number in one text: those without are counted separately from their position;
  /// - a form that does not show the number although the language uses it for several numbers ("один" in Ukrainian is for 1, 21, 31 …).
  package func findings(
    of text: ExchangeText, at path: VariationPath, in language: LocaleIdentifier, present: Translation? = nil
  ) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    if let fault = difference(of: text, at: path, present: present) {
      findings.append(CheckFinding(.error, at: path, fault))
    }
    guard case .text(let words) = text else { return findings }
    let format = FormatString(words)
    if Self.isMixed(format) {
      findings.append(CheckFinding(.warning, at: path, "numbered and unnumbered arguments are mixed"))
    }
    if findings.isEmpty, let category = path.category, lacksNumber(format, at: path, in: language) {
      findings.append(
        CheckFinding(
          .warning, at: path,
          "the form does not show the number, but \(language) uses “\(category.rawValue)” for several numbers"))
    }
    return findings
  }

  /// Returns whether a plural form does not show the number although the language uses it for several numbers, and the source text shows
  /// the number.
  package func lacksNumber(_ format: FormatString, at path: VariationPath, in language: LocaleIdentifier) -> Bool {
    guard let category = path.category, PluralRules.takesSeveralNumbers(category, in: language) else { return false }
    return !format.arguments.contains(where: \.type.isNumber) && format.substitutionArguments == 0
      && format.references.isEmpty && sourceSaysNumber(at: path)
  }

  /// Returns whether numbered and unnumbered arguments are mixed. A substitution that counts by its position is not mixed: its number is
  /// declared outside the text.
  private static func isMixed(_ format: FormatString) -> Bool {
    var numbered = false
    var plain = false
    for part in format.parts {
      guard case .specifier = part else { continue }
      if part.isNumbered { numbered = true } else { plain = true }
    }
    return numbered && plain
  }
}

extension VariationPath {
  /// The plural category at the end of the path.
  package var category: PluralCategory? {
    guard case .plural(let category)? = steps.last else { return nil }
    return category
  }
}
