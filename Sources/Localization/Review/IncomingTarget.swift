extension ExchangeTarget {
  /// The state that a finished target gets in a catalog (xcode-formats.md D). The qualifier ``takenForReview`` means `needs_review`. Otherwise, the
  /// result is `nil` for an unfinished state (`new`, `needs-…`), machine translated for the qualifier `leveraged-mt`, and translated for any other
  /// state and for a target without a state.
  package var finishedState: TranslationState? {
    if stateQualifier == Self.takenForReview { return .needsReview }
    guard let state else { return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated }
    if state == "new" || state.hasPrefix("needs-") { return nil }
    return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated
  }

  /// Returns whether the target has the state of a form of a catalog, or the state that an export writes for the form. Texts are not compared.
  func says(_ leaf: VariedLeaf) -> Bool {
    if let finishedState { return finishedState == leaf.state }
    return ExchangeTarget(leaf, text: leaf.words).state == state
  }
}

extension Translation {
  /// Returns an incoming text in the catalog's notation (xcode-formats.md D, "`%1$#@X@` root"). References to substitutions lose their
  /// numbers, and the argument in a substitution's forms becomes `%arg`.
  /// - Parameter arguments: the translation that declares the substitutions.
  package static func catalogText(_ text: ExchangeText, at path: VariationPath, arguments: Translation) -> ExchangeText
  {
    guard case .text(let text) = text else { return text }
    guard case .substitution(let name)? = path.steps.first else {
      guard !arguments.substitutions.isEmpty else { return .text(text) }
      var count = 0
      return .text(
        FormatString(text).parts.map { part in
          if case .specifier = part { count += 1 }
          guard case .reference(let reference) = part else { return part.text }
          count += 1
          guard let own = arguments.substitutions[reference.name] else { return part.text }
          // If the project does not declare the number, the reference keeps its number, unless the number equals its position in the text.
          return own.argumentNumber != nil || reference.number == count ? "%#@\(reference.name)@" : part.text
        }.joined())
    }
    let argument = "%\(arguments.argumentNumber(of: name))$\(arguments.substitutions[name]?.formatSpecifier ?? "lld")"
    return .text(FormatString(text).parts.map { $0.text.isExactly(argument) ? "%arg" : $0.text }.joined())
  }
}
