import Localization

extension AdviceRule {
  static let commentEcho = AdviceRule(
    "comment-echo", .warning, "A comment only repeats the key or the text",
    reason: """
      Translators already see the key and the text. A comment that repeats them explains nothing, and hides that the string still needs \
      a useful comment.
      """,
    bad: #"NSLocalizedString("Open", comment: "Open")"#,
    good: #"NSLocalizedString("Open", comment: "State of a shop: the doors are open")"#,
    isOptIn: true,
    findInUnit: { unit in
      // The comment before an entry of a .strings file may be a heading for all following entries.
      guard let comment = unit.comment,
        unit.string?.comment != nil || unit.catalog.catalogKind?.hasCommentsOfEntries == true,
        !unit.isOfInterface, unit.string?.origin != .infoPlist, !isClear(SourceWords(unit.text).words)
      else { return [] }
      let known = Set(([unit.key.text] + unit.texts).map(SourceWords.bare).filter { !$0.isEmpty })
      let lines = comment.split(whereSeparator: \.isNewline).map { SourceWords.bare(String($0)) }
      let isEcho = lines.allSatisfy(known.contains) || known.contains(SourceWords.bare(comment))
      guard isEcho else { return [] }
      // With a symbolic key, a comment that repeats the text helps readers of the code. A clear text needs no comment.
      let isText = unit.texts.contains { text in
        !text.isExactly(unit.key.text) && SourceWords.bare(text) == SourceWords.bare(comment)
      }
      let isKey = unit.isNamed && SourceWords.bare(comment) == SourceWords.bare(unit.key.text) && !isText
      let text = SourceWords(unit.text)
      let isUnclear = UnclearText.isAmbiguousWord(unit, text) || UnclearText.hasUnclearArguments(text)
      guard isKey || !unit.isNamed && isUnclear else { return [] }
      return [
        unit.remark(
          at: unit.string?.comment == nil ? .catalog : .code,
          "the comment \(comment.quotedForMessage) only repeats the \(isKey ? "key" : "text")",
          hint: "describe where the text appears, what it does, and what its arguments stand for")
      ]
    })
}
