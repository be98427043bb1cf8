extension PlaceholderCheck {
  /// All that is wrong or doubtful with the arguments of a form: as an error the first thing that `difference` tells; as warnings
  /// - arguments with and without a number side by side: those without are counted by themselves, not by their place;
  /// - a form that does not say the number though the language uses it for several ("один" in Ukrainian is for 1, 21, 31 …).
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

  /// Whether a plural form does not show the number although the language uses it for several, and the source text shows the number.
  package func lacksNumber(_ format: FormatString, at path: VariationPath, in language: LocaleIdentifier) -> Bool {
    guard let category = path.category, PluralRules.takesSeveralNumbers(category, in: language) else { return false }
    return !format.arguments.contains(where: \.type.isNumber) && format.substitutionArguments == 0
      && format.references.isEmpty && sourceSaysNumber(at: path)
  }

  /// A substitution that counts by its place is not mixed with anything: its number is told beside the text.
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
