extension ExchangeTarget {
  /// The state that a finished target takes in a catalog (xcode-formats.md D): machine translation where the qualifier says
  /// so, needs_review for ``takenForReview``, else translated, whatever the state is called; `nil` for a state that says that it is not finished (`new`,
  /// `needs-…`).
  package var finishedState: TranslationState? {
    if stateQualifier == Self.takenForReview { return .needsReview }
    guard let state else { return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated }
    if state == "new" || state.hasPrefix("needs-") { return nil }
    return stateQualifier == "leveraged-mt" ? .machineTranslated : .translated
  }

  /// Whether this is how a form of a catalog is exported, or would be.
  func says(_ leaf: VariedLeaf) -> Bool {
    if let finishedState { return finishedState == leaf.state }
    return ExchangeTarget(leaf, text: leaf.words).state == state
  }
}

extension Translation {
  /// An incoming text as a catalog holds it (xcode-formats.md D, "`%1$#@X@` root"): a mention of a substitution loses its
  /// number, and in the forms of one the argument is `%arg` again.
  static func catalogText(_ text: ExchangeText, at path: VariationPath, arguments: Translation) -> ExchangeText {
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
          // Where the project tells no number, one that does not merely count is all there is to go by.
          return own.argumentNumber != nil || reference.number == count ? "%#@\(reference.name)@" : part.text
        }.joined())
    }
    let argument = "%\(arguments.argumentNumber(of: name))$\(arguments.substitutions[name]?.formatSpecifier ?? "lld")"
    return .text(FormatString(text).parts.map { $0.text.isExactly(argument) ? "%arg" : $0.text }.joined())
  }
}
