extension ExchangeTarget {
  /// The state that a finished target gets in a catalog (xcode-formats.md D): machine translated if its qualifier says so, needs_review for
  /// ``takenForReview``, or else translated, regardless of the state's name. `nil` for an unfinished state (`new`, `needs-…`).
  package var finishedState: TranslationState? {
    if stateQualifier == Self.takenForReview { return .needsReview }
    guard let state else { return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated }
    if state == "new" || state.hasPrefix("needs-") { return nil }
    return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated
  }

  /// Returns whether an export would write this target for a form of a catalog.
  func says(_ leaf: VariedLeaf) -> Bool {
    if let finishedState { return finishedState == leaf.state }
    return ExchangeTarget(leaf, text: leaf.words).state == state
  }
}

extension Translation {
  /// Returns an incoming text in the catalog's notation (xcode-formats.md D, "`%1$#@X@` root"): references to substitutions lose their
  /// number, and the argument in a substitution's forms becomes `%arg`.
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
          // If the project does not declare the number, the text keeps its number, unless it equals the argument's position.
          return own.argumentNumber != nil || reference.number == count ? "%#@\(reference.name)@" : part.text
        }.joined())
    }
    let argument = "%\(arguments.argumentNumber(of: name))$\(arguments.substitutions[name]?.formatSpecifier ?? "lld")"
    return .text(FormatString(text).parts.map { $0.text.isExactly(argument) ? "%arg" : $0.text }.joined())
  }
}
