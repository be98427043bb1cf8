import Localization

extension AdviceRule {
  static let commentMissing = AdviceRule(
    "comment-missing", .note, "A word with several meanings, or a text with arguments, has no comment",
    reason: """
      Translators do not see the text on the screen. A single word can be a verb or a noun, and a placeholder can stand for anything. A \
      comment explains both. The rule checks single words only in English source texts.
      """,
    bad: #"String(localized: "Book")"#,
    good: #"String(localized: "Book", comment: "Button: reserves a seat")"#,
    find: { subject in
      var calls = SourceCalls(subject.snapshot.tree)
      return subject.units.flatMap(missing).filter { remark in
        // Extraction ignores a comment that is not a literal, such as a constant. The calls are therefore searched for such a comment.
        !remark.sites.contains { calls.hasComment(at: $0) }
      }.map(\.remark)
    })

  private static func missing(in unit: AdvisedUnit) -> [(remark: Remark, sites: [ExtractionSite])] {
    guard let string = unit.string, string.origin == .swift || string.origin == .objectiveC, unit.comment == nil
    else {
      return []
    }
    let text = SourceWords(unit.text)
    // A symbolic key already explains the text: `status.poll.time-left-%@`.
    guard !text.words.isEmpty, SourceWords(unit.key.text).words == text.words else { return [] }
    // The parameters of an intent have names that explain them.
    if text.argumentCount > 0, text.argumentCount == Set(text.format.names).count { return [] }
    if text.argumentCount > 0 {
      guard UnclearText.hasUnclearArguments(text) else { return [] }
      let remark = unit.remark(
        at: .code, "\(unit.text.quotedForMessage) has arguments, but no comment",
        hint: "explain in a comment what the arguments stand for")
      return [(remark, string.sites)]
    }
    guard UnclearText.isAmbiguousWord(unit, text) else { return [] }
    let remark = unit.remark(
      at: .code, "\(unit.text.quotedForMessage) has no comment",
      hint: "describe in a comment where the text appears and what it does")
    return [(remark, string.sites)]
  }

  /// Returns whether the words have the same meaning in every app: standard buttons, abbreviations, and names such as “iCloud”.
  static func isClear(_ words: [Substring]) -> Bool {
    let standard: Set<String> = ["ok", "okay", "cancel", "done", "yes", "no", "error", "settings", "dismiss", "got it"]
    if standard.contains(words.joined(separator: " ").lowercased()) { return true }
    return words.allSatisfy { word in word.count < 2 || word.dropFirst().contains(where: \.isUppercase) }
  }
}
