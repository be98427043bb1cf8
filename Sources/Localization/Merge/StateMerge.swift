extension TranslationState {
  /// Returns the state of a text that both sides have, in different states. "Needs review" wins over a person's confirmation, a person's
  /// confirmation wins over "machine translated", and all of these win over "new".
  /// - Returns: `nil` if one of the states is unknown.
  package static func merged(_ ours: TranslationState, _ theirs: TranslationState) -> TranslationState? {
    if ours == theirs { return ours }
    let order: [TranslationState] = [.needsReview, .translated, .machineTranslated, .new]
    guard order.contains(ours), order.contains(theirs) else { return nil }
    return order.first { $0 == ours || $0 == theirs }
  }

  /// Returns the state of a text that one side wrote while the other side changed only the state of the old text. A request for review also
  /// applies to the new text, because the source text may have changed. A confirmation applies only to the old text.
  package func merged(withChangeOfOther other: TranslationState) -> TranslationState {
    other == .needsReview && (self == .translated || self == .machineTranslated) ? .needsReview : self
  }

  /// The state of the text that is kept in a conflict: a finished text needs review.
  package var afterConflict: TranslationState {
    self == .translated || self == .machineTranslated ? .needsReview : self
  }
}

extension ExtractionState {
  /// Returns the extraction state of an entry that both sides changed differently. Xcode derives all states but `manual` from the code at each build
  /// (xcode-formats.md E), so this is not a conflict: `manual` wins, and the states of keys that are in code win over the others. For both
  /// parameters, `nil` means that the entry was found in code and its key is the text.
  /// - Returns: `nil` if one of the states is unknown.
  package static func merged(_ ours: ExtractionState?, _ theirs: ExtractionState?) -> ExtractionState?? {
    let order: [ExtractionState?] = [.manual, .extractedWithValue, nil, .migrated, .stale]
    guard order.contains(ours), order.contains(theirs), let first = order.first(where: { $0 == ours || $0 == theirs })
    else { return nil }
    return .some(first)
  }
}
