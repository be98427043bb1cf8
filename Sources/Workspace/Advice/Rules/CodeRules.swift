import Localization

extension AdviceRule {
  /// Creates a rule about a pattern that the code reviewer finds.
  private init(
    _ id: String, _ severity: Diagnostic.Severity, _ title: String, reason: String, bad: String, good: String,
    _ kind: CodePattern.Kind, hint: String?, applies: @escaping @Sendable (AdviceSubject) -> Bool = { _ in true },
    isOptIn: Bool = false, message: @escaping @Sendable (String) -> String
  ) {
    self.init(
      id, severity, title, reason: reason, bad: bad, good: good,
      find: { subject in
        subject.patterns.filter { $0.kind == kind }.map { pattern in
          Remark(
            location: .file(pattern.path, line: pattern.line, column: pattern.column), catalog: nil,
            key: UnitKey(pattern.text), message: message(pattern.text), hint: hint, fix: pattern.fix,
            isLikely: pattern.isLikely)
        }
      }, kind: kind, applies: applies, isOptIn: isOptIn)
  }

  static let pluralByHand = AdviceRule(
    "plural-by-hand", .warning, "Code chooses between singular and plural",
    reason: """
      Ukrainian has three plural forms, Arabic six, Japanese one. With plural forms in the catalog, each language can use the forms that it needs.
      """,
    bad: #"Text(count == 1 ? "1 file" : "\(count) files")"#,
    good: #"Text("\(count) files"), varied by plural in the catalog"#,
    .countedChoice, hint: "use one text with the number, and vary it by plural in the catalog",
    message: { "code chooses the form of \($0.quotedForMessage) by comparing a number with 1" })

  static let sentenceJoined = AdviceRule(
    "sentence-joined", .warning, "Code joins localized texts into a sentence",
    reason: "Translators see each part without the others, and other languages need a different word order.",
    bad: #"Text("Deleted") + Text(" ") + Text("yesterday")"#,
    good: #"Text("Deleted yesterday")"#,
    .joinedTexts, hint: "write one text; for styled parts, use Markdown or an AttributedString",
    message: { "\($0.quotedForMessage) is joined with other localized texts" })

  static let formatNotLocalized = AdviceRule(
    "format-not-localized", .warning, "A text in String(format:) is not localizable",
    reason: "The text is in no catalog, so every user sees it in the source language.",
    bad: #"String(format: "%d messages received", count)"#,
    good: #"String(localized: "\(count) messages received")"#,
    .formattedText, hint: "use String(localized:), or pass the format through NSLocalizedString",
    isOptIn: true,
    message: { "the format \($0.quotedForMessage) is not localizable" })

  static let textNotLocalizable = AdviceRule(
    "text-not-localizable", .warning, "A text on a control is not localizable",
    reason: "The text is in no catalog, so every user sees it in the source language.",
    bad: #"label.text = "Nothing found""#,
    good: #"label.text = String(localized: "Nothing found")"#,
    .hardCodedText, hint: "use String(localized:); in a Text, use interpolation instead of +",
    message: { "\($0.quotedForMessage) is shown, but not localizable" })

  static let bundleMissing = AdviceRule(
    "bundle-missing", .warning, "A package looks up its text in the app's bundle",
    reason: """
      Without a bundle, texts are looked up in the app's main bundle. The catalog of a package is in the package's own bundle, so users see \
      the source text.
      """,
    bad: #"Text("Save")"#,
    good: #"Text("Save", bundle: .module)"#,
    .missingBundle, hint: "pass bundle: .module; if a view has no bundle parameter, pass it a Text with a bundle",
    message: { "\($0.quotedForMessage) is looked up in the app, not in this package" })

  static let directionFixed = AdviceRule(
    "direction-fixed", .note, "A layout uses left and right",
    reason: "For Arabic, Hebrew, Persian and Urdu, the layout is mirrored, but left and right are not.",
    bad: "label.textAlignment = .left, view.leftAnchor",
    good: "label.textAlignment = .natural, view.leadingAnchor",
    .fixedDirection, hint: "use natural, leading and trailing, unless the direction itself has a meaning",
    applies: \.hasRightToLeft,
    message: { "\($0) is not mirrored for languages that are written from right to left" })

  static let widthFixed = AdviceRule(
    "width-fixed", .note, "A localized text has a frame of a fixed width",
    reason: """
      Translations are often one and a half times as long, and texts of the pseudolanguage for double length are twice as long. A fixed width cuts \
      off their end.
      """,
    bad: #"Text("Settings").frame(width: 80)"#,
    good: #"Text("Settings").frame(minWidth: 80)"#,
    .fixedWidth, hint: "use minWidth or maxWidth, or let the text shrink with minimumScaleFactor",
    isOptIn: true,
    message: { "\($0.quotedForMessage) has a frame of a fixed width" })

  static let caseByHand = AdviceRule(
    "case-by-hand", .note, "Code changes the case of a localized text without a locale",
    reason: """
      In Turkish, the capital of “i” is “İ”. Without a locale, uppercased() and lowercased() ignore this. Some languages have no capitals, \
      and translators cannot choose how a title is written.
      """,
    bad: #"String(localized: "Edit").uppercased()"#,
    good: #"Text("Edit").textCase(.uppercase), or uppercased(with: .current)"#,
    .caseByHand, hint: "use textCase in the view, or pass a locale",
    message: { "the case of \($0.quotedForMessage) is changed without a locale" })

  static let dateByHand = AdviceRule(
    "date-by-hand", .warning, "A date has a fixed format",
    reason: "The order, the separators and the 12-hour or 24-hour clock differ between countries.",
    bad: #"formatter.dateFormat = "MM/dd/yyyy""#,
    good: #"date.formatted(date: .numeric, time: .omitted), or setLocalizedDateFormatFromTemplate("MMddyyyy")"#,
    .fixedDateFormat, hint: "use Date.formatted or setLocalizedDateFormatFromTemplate",
    message: { "the date format \($0.quotedForMessage) is the same in every language" })

  static let numberByHand = AdviceRule(
    "number-by-hand", .note, "A number is formatted with String(format:)",
    reason:
      "The decimal separator and the digits differ between languages; String(format:) without a locale ignores them.",
    bad: #"Text(String(format: "%.2f", price))"#,
    good: "Text(price, format: .number.precision(.fractionLength(2)))",
    .fixedNumberFormat, hint: "use a format style, such as .number or .currency(code:)",
    message: { "the number format \($0.quotedForMessage) is the same in every language" })

  static let keyInTwoContexts = AdviceRule(
    "key-in-two-contexts", .note, "Comments describe the same key in different ways",
    reason: """
      The key has one translation for all its uses. If the uses mean different things, or need different grammar, one of them is wrong in \
      some language.
      """,
    bad: #""Open" with the comments "Verb: opens a file" and "State of a door""#,
    good: "two keys: open.action and open.state",
    isOptIn: true,
    findInUnit: { unit in
      guard let string = unit.string, string.origin == .swift || string.origin == .objectiveC, string.sites.count > 1,
        let comment = string.comment, case let words = SourceWords(unit.text).words, words.count == 1,
        AmbiguousWords.all.contains(words[0].lowercased())
      else { return [] }
      let known = Set(([unit.key.text] + unit.texts).map(SourceWords.bare))
      // Comments that only repeat the text are ignored.
      let comments = comment.split(whereSeparator: \.isNewline).filter { !known.contains(SourceWords.bare(String($0))) }
        .map { Set(SourceWords($0.lowercased()).words) }.filter { !$0.isEmpty }
      // Comments that share words most likely describe the same meaning of the text.
      let differ = comments.indices.contains { first in
        comments[(first + 1)...].contains { $0.isDisjoint(with: comments[first]) && isOtherKind($0, comments[first]) }
      }
      guard comments.count > 1, comments.count <= string.sites.count, differ else { return [] }
      return [
        unit.remark(
          at: .code, "the key \(unit.key.text.quotedForMessage) has comments that describe different things",
          hint: "use a key for each meaning")
      ]
    })

  private static let actions: Set<Substring> = ["verb", "button", "action", "command", "item", "tap", "press"]
  private static let things: Set<Substring> = [
    "noun", "adjective", "state", "status", "name", "number", "heading", "header", "title", "column", "type", "kind",
  ]

  /// Returns whether one comment describes an action and the other a thing or a state.
  private static func isOtherKind(_ one: Set<Substring>, _ other: Set<Substring>) -> Bool {
    let isAction = { (words: Set<Substring>) in !words.isDisjoint(with: actions) }
    let isThing = { (words: Set<Substring>) in !words.isDisjoint(with: things) }
    return isAction(one) != isAction(other) && isThing(one) != isThing(other)
  }
}
