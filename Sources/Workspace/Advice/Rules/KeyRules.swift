import Localization

extension AdviceRule {
  static let keysAlike = AdviceRule(
    "keys-alike", .note, "Two keys of one table differ only in case, white space or final punctuation",
    reason: """
      Each key is translated separately, so the translations may differ. Often one key is a typing error. To change only the case, use \
      `textCase` in the view.
      """,
    bad: "“Sign in” and “Sign In”",
    good: "“Sign in” in both places",
    find: { subject in
      let units = subject.units.filter { unit in
        !unit.isOfInterface && unit.catalog.catalogKind?.hasKeysOfCode == true
          && unit.string?.origin != .infoPlist
      }
      let names = units.map { "\($0.catalog)\u{0}\(alike($0.key.text))" }
      let counts = names.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
      var first: [String: AdvisedUnit] = [:]
      var calls = SourceCalls(subject.snapshot.tree)
      return zip(units, names).compactMap { unit, name in
        // Short words are skipped, because different units and names may differ only in case: “Kb” and “KB”, “Pro” and “PRO”.
        guard let count = counts[name], count > 1,
          SourceWords(unit.key.text).words.contains(where: { $0.count > 3 })
        else { return nil }
        guard let other = first[name] else {
          first[name] = unit
          return nil
        }
        guard alike(unit.text) == alike(other.text), !isInnerWord(unit.key.text, other.key.text),
          // Line breaks must be equal, because they are part of the layout.
          lines(unit.key.text) == lines(other.key.text),
          // Different comments describe different uses, such as a command and its tooltip.
          unit.comment == nil || other.comment == nil || unit.comment == other.comment,
          // A tooltip is written like a sentence, and its command like a title, so their texts may differ.
          isTooltip(unit, &calls) == isTooltip(other, &calls)
        else { return nil }
        return unit.remark(
          at: .code,
          "the key \(unit.key.text.quotedForMessage) differs from \(other.key.text.quotedForMessage) only in "
            + difference(unit.key.text, other.key.text),
          hint: "use one key for both")
      }
    })

  /// Returns whether one text is probably a part of a sentence. Either only the case of the first letter differs, as in “none” and “None”, or one
  /// text is all lowercase, as “create list” in “Undo create list” and the command “Create List”.
  private static func isInnerWord(_ one: String, _ other: String) -> Bool {
    if one.dropFirst() == other.dropFirst() && one.prefix(1) != other.prefix(1) { return true }
    return (one == one.lowercased()) != (other == other.lowercased()) && alike(one) == alike(other)
  }

  /// Returns whether all uses of a text are tooltips or texts for VoiceOver.
  private static func isTooltip(_ unit: AdvisedUnit, _ calls: inout SourceCalls) -> Bool {
    guard let sites = unit.string?.sites, !sites.isEmpty else { return false }
    return sites.allSatisfy { calls.isAfter(["help", "Help", "oolTip", "ccessibility"], at: $0) }
  }

  /// Returns whether the space at the start of a text is only for layout: the text also ends with a space, or a capital letter, a list mark or a
  /// bracket follows the space. A text that continues a sentence would begin with a lower-case letter or a placeholder.
  private static func isForLayout(_ text: String) -> Bool {
    guard text.first?.isWhitespace == true, let start = text.first(where: { !$0.isWhitespace }) else { return false }
    return text.last?.isWhitespace == true || start.isUppercase || "-–—•*([（".contains(start)
  }

  /// Returns whether a text with a space at its end is a whole sentence, a label or a parenthesis. In every language, another text may follow such a
  /// text.
  private static func isWhole(_ text: String) -> Bool {
    // In “Version 2”, the first word is a label without a colon.
    if ["version ", "build "].contains(text.lowercased()) { return true }
    guard let last = text.last(where: { !$0.isWhitespace }) else { return true }
    return ".!?…:;)]}”’»\"'*。！？：；）】」』".contains(last)
  }

  private static func lines(_ text: String) -> Int { text.count { $0.isNewline } }

  private static func alike(_ text: String) -> String {
    var form = spaced(text.lowercased()).replacing("...", with: "…")
    if form.hasSuffix("."), !form.hasSuffix("..") { form.removeLast() }
    return form
  }

  private static func spaced(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static func difference(_ one: String, _ other: String) -> String {
    if one.lowercased() == other.lowercased() { return "case" }
    if spaced(one) == spaced(other) { return "white space" }
    return spaced(one.lowercased()) == spaced(other.lowercased()) ? "case and white space" : "punctuation or case"
  }

  static let concatenated = AdviceRule(
    "concatenated", .warning, "A text begins or ends with a space",
    reason: """
      Either code joins such a text with another one, or the space is superfluous. Other languages need a different word order, and \
      translators do not see the rest of the sentence.
      """,
    bad: #"Text("Sent by ") + Text(name)"#,
    good: #"Text("Sent by \(name)")"#,
    findInUnit: { unit in
      guard !unit.isOfInterface, unit.string?.origin ?? .swift == .swift || unit.string?.origin == .objectiveC else {
        return []
      }
      for text in unit.texts {
        let isSpace = { (character: Character) in character == " " || character == "\u{A0}" }
        guard let first = text.first, let last = text.last, isSpace(first) || isSpace(last), !isForLayout(text),
          isSpace(first) || !isWhole(text), text.contains(where: \.isLetter),
          SourceWords(text).words.contains(where: { $0.count > 1 || $0.unicodeScalars.contains { $0.value > 0x2E7F } })
        else { continue }
        let place = isSpace(first) ? (isSpace(last) ? "begins and ends" : "begins") : "ends"
        return [
          unit.remark(
            at: .code, "\(text.quotedForMessage) \(place) with a space",
            hint: "write the whole sentence as one text with arguments, or remove the space")
        ]
      }
      return []
    })
}
