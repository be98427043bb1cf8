extension PlaceholderCheck {
  /// Returns all findings about the arguments of a form. The fault that `difference` returns is an error. These are warnings:
  /// - numbered and unnumbered arguments in one text, because the number of an unnumbered argument is its rank among the unnumbered arguments;
  /// - if there is no other finding, a form that does not show the number although the source text does, and although the language uses the form for
  ///   several numbers ("один" in Ukrainian is for 1, 21, 31 …).
  package func findings(
    of text: ExchangeText, at path: VariationPath, in language: LocaleIdentifier, present: Translation? = nil
  ) -> [CheckFinding] {
    var findings: [CheckFinding] = []
    if let fault = difference(of: text, at: path, present: present) {
      findings.append(CheckFinding(.error, at: path, fault.message))
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

  /// Returns whether a plural form does not show the number although the source text shows it, and although the language uses the form for several
  /// numbers.
  package func lacksNumber(_ format: FormatString, at path: VariationPath, in language: LocaleIdentifier) -> Bool {
    guard let category = path.category, PluralRules.takesSeveralNumbers(category, in: language) else { return false }
    return !format.arguments.contains(where: \.type.isNumber) && format.substitutionArguments == 0
      && format.references.isEmpty && sourceSaysNumber(at: path)
  }

  /// Returns whether numbered and unnumbered arguments are mixed. References to substitutions are ignored, because their numbers are
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
  /// The plural category at the end of the path; `nil` if the path does not end with a plural form.
  package var category: PluralCategory? {
    guard case .plural(let category)? = steps.last else { return nil }
    return category
  }
}
