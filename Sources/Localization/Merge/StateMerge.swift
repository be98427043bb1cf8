extension TranslationState {
  /// The state of words that both sides have, where each gave them another: a doubt outweighs a confirmation, a person's confirmation
  /// a machine's, and either that nobody has looked.
  /// - Returns: `nil` where one of them is not known.
  package static func merged(_ ours: TranslationState, _ theirs: TranslationState) -> TranslationState? {
    if ours == theirs { return ours }
    let order: [TranslationState] = [.needsReview, .translated, .machineTranslated, .new]
    guard order.contains(ours), order.contains(theirs) else { return nil }
    return order.first { $0 == ours || $0 == theirs }
  }

  /// The state of words that one side wrote, where the other side only changed the state of the old words. A doubt of the other side
  /// (the source text changed there, say) holds for the new words too; its confirmation was of the old words and does not.
  package func merged(withChangeOfOther other: TranslationState) -> TranslationState {
    other == .needsReview && (self == .translated || self == .machineTranslated) ? .needsReview : self
  }

  /// The state of words that stay in a file although the other side wrote different ones: a finished one asks for a review.
  package var afterConflict: TranslationState {
    self == .translated || self == .machineTranslated ? .needsReview : self
  }
}

extension ExtractionState {
  /// The state of an entry that both sides changed differently. Except `manual`, which a person gives, Xcode derives it from code
  /// at every build (xcode-formats.md E); so it is no conflict: a person's word first, then that the key is in code.
  /// - Parameters: `nil`: found in code, and the key is the text.
  /// - Returns: `nil` where one of them is not known.
  package static func merged(_ ours: ExtractionState?, _ theirs: ExtractionState?) -> ExtractionState?? {
    let order: [ExtractionState?] = [.manual, .extractedWithValue, nil, .migrated, .stale]
    guard order.contains(ours), order.contains(theirs), let first = order.first(where: { $0 == ours || $0 == theirs })
    else { return nil }
    return .some(first)
  }
}
