import Localization

/// The words by which the screen recognizes patterns and code for developers. A test compares them with the patterns.
extension CodeScreen {
  private enum Meaning {
    case keyword(Before)
    case condition
    case member, dateFormat, alignment, semanticContent
    case anchor, direction, chevron
    case showingCall, text
    case format, formatCall
    case caseChange
    case frame
    case previewProvider, previewMacro, sample
    case extended, initializer
  }

  private static let words: [(word: StaticString, meaning: Meaning)] =
    [
      ("struct", .keyword(.type)), ("class", .keyword(.type)), ("enum", .keyword(.type)),
      ("func", .keyword(.function)), ("let", .keyword(.binding)), ("var", .keyword(.binding)),
      ("case", .keyword(.label)), ("if", .condition),
      ("dateFormat", .dateFormat), ("semanticContentAttribute", .semanticContent),
      ("textAlignment", .alignment), ("contentHorizontalAlignment", .alignment), ("alignment", .alignment),
      ("leftAnchor", .anchor), ("rightAnchor", .anchor), ("layoutDirection", .direction), ("chevron", .chevron),
      ("extension", .extended), ("init", .initializer),
      ("Text", .text), ("format", .format), ("localizedStringWithFormat", .formatCall),
      ("uppercased", .caseChange), ("lowercased", .caseChange), ("frame", .frame),
      ("PreviewProvider", .previewProvider), ("Preview", .previewMacro),
    ] + HardCodedText.memberWords.map { ($0, .member) } + HardCodedText.callWords.map { ($0, .showingCall) }
    + DeveloperCode.sampleWords.map { ($0, .sample) }

  /// The words by their first byte.
  private static let table: [[(word: StaticString, meaning: Meaning)]] = (0...255).map { (first: UInt8) in
    words.filter { $0.word.utf8Start.pointee == first }
  }

  mutating func examine(_ word: Range<Int>) {
    let preceding = before
    before = .other
    for (text, meaning) in Self.table[Int(bytes[word.lowerBound])]
    where text.utf8CodeUnitCount == word.count && has(text, at: word.lowerBound) {
      examine(word, as: meaning, preceding)
      break
    }
    if preceding == .type || preceding == .function { noteLookup(word) }
    if word.count >= 4, namesDeveloperCode(word, preceding) { noteDeveloperCode() }
  }

  private mutating func examine(_ word: Range<Int>, as meaning: Meaning, _ preceding: Before) {
    switch meaning {
    case .keyword(let kind): before = kind
    case .condition: if isConditionOfDevelopers(at: word.upperBound) { noteDeveloperCode() }
    case .member: if isMember(word), assignsLiteral(word.upperBound) { traits.kinds.insert(.hardCodedText) }
    case .dateFormat: if isMember(word), assignsLiteral(word.upperBound) { traits.kinds.insert(.fixedDateFormat) }
    case .alignment: if isMember(word), assignsSide(word.upperBound) { traits.kinds.insert(.fixedDirection) }
    case .semanticContent: if isMember(word) { traits.kinds.insert(.fixedDirection) }
    case .anchor: if namesConstraint(word.upperBound) { traits.kinds.insert(.fixedDirection) }
    case .direction: if follows(word.upperBound, ",") { traits.kinds.insert(.fixedDirection) }
    case .chevron:
      if has(".left\"", at: word.upperBound) || has(".right\"", at: word.upperBound) {
        traits.kinds.insert(.fixedDirection)
      }
    case .showingCall: if argumentsOfCall(word.upperBound).haveLiteral { traits.kinds.insert(.hardCodedText) }
    case .text:
      let arguments = argumentsOfCall(word.upperBound)
      if arguments.haveLiteral, arguments.haveSum { traits.kinds.insert(.hardCodedText) }
    case .format: noteFormat(word.upperBound)
    case .formatCall: if follows(word.upperBound, "(") { traits.kinds.insert(.formattedText) }
    case .caseChange: if changesCase(word) { traits.kinds.insert(.caseByHand) }
    case .frame: if follows(word.upperBound, "(") { traits.kinds.insert(.fixedWidth) }
    case .previewProvider: noteDeveloperCode()
    case .previewMacro: if byte(at: word.lowerBound - 1) == UInt8(ascii: "#") { noteDeveloperCode() }
    case .extended: noteExtension(word.upperBound)
    case .initializer: noteInitializer(word.upperBound)
    case .sample: if preceding == .binding || precedes(word.lowerBound, ",`") { noteDeveloperCode() }
    }
  }

  private func isMember(_ word: Range<Int>) -> Bool { precedes(word.lowerBound, ".") }

  // MARK: Assignments

  /// Returns the index after `=` and white space; `nil` if there is no assignment. A comment may hide an assignment. Therefore the index of a slash
  /// is returned, too.
  private func assigned(_ end: Int) -> Int? {
    let sign = next(end)
    if byte(at: sign) == UInt8(ascii: "/") { return sign }
    return byte(at: sign) == UInt8(ascii: "=") && byte(at: sign + 1) != UInt8(ascii: "=") ? next(sign + 1) : nil
  }

  private func assignsLiteral(_ end: Int) -> Bool { assigned(end).map { follows($0, "\"#") } ?? false }

  /// Returns whether `.left` or `.right` may be assigned, with or without the name of a type.
  private func assignsSide(_ end: Int) -> Bool {
    guard var index = assigned(end) else { return false }
    while index < bytes.count, BytesOfWords.isWord(bytes[index]) || bytes[index] == UInt8(ascii: ".") { index += 1 }
    return has(".left", at: index - 5) || has(".right", at: index - 6) || follows(index, ".?!([")
  }

  private func namesConstraint(_ end: Int) -> Bool {
    let dot = next(end)
    guard byte(at: dot) == UInt8(ascii: ".") else { return byte(at: dot) == UInt8(ascii: "/") }
    let name = next(dot + 1)
    return has("constraint", at: name) || byte(at: name) == UInt8(ascii: "/")
  }

  // MARK: Calls

  /// Examines `format: "…"`, which can be a text or a number with a fraction.
  private mutating func noteFormat(_ end: Int) {
    let colon = next(end)
    guard follows(colon, ":"), follows(colon + 1, "\"#") else { return }
    traits.kinds.insert(.formattedText)
    let quote = next(colon + 1)
    guard byte(at: quote) == UInt8(ascii: "\""), !has("\"\"\"", at: quote) else {
      traits.kinds.insert(.fixedNumberFormat)
      return
    }
    var index = quote + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\n") {
      defer { index += 1 }
      guard bytes[index] == UInt8(ascii: "%") else { continue }
      var letter = index + 1
      while letter < bytes.count, !BytesOfWords.isWord(bytes[letter]) || BytesOfWords.isDigit(bytes[letter]),
        bytes[letter] != UInt8(ascii: "\"")
      {
        letter += 1
      }
      if byte(at: letter) == UInt8(ascii: "f") { traits.kinds.insert(.fixedNumberFormat) }
    }
  }

  /// Returns whether a word changes the case of a call's result: `(…).uppercased()`.
  private func changesCase(_ word: Range<Int>) -> Bool {
    let dot = previous(word.lowerBound)
    guard byte(at: dot) == UInt8(ascii: ".") else { return byte(at: dot) == UInt8(ascii: "/") }
    let bracket = next(word.upperBound)
    return precedes(dot, ")}") && follows(bracket, "(") && follows(bracket + 1, ")")
  }

  // MARK: Operators and numbers

  /// Returns whether a single `+` may follow a call.
  func joins(at index: Int) -> Bool {
    let isPart = { (byte: UInt8) in byte == UInt8(ascii: "+") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "&")
    }
    return !isPart(byte(at: index + 1)) && !isPart(byte(at: index - 1)) && precedes(index, ")}")
  }

  /// Examines `== 1 ?`, `== 1 {`, `case 1:` and similar comparisons.
  mutating func examineNumber(at index: Int) {
    let preceding = before
    before = .other
    let digit = bytes[index]
    guard digit == UInt8(ascii: "1") || digit == UInt8(ascii: "2") else { return }
    if preceding == .label || followsComment(index) {
      traits.kinds.insert(.countedChoice)
      return
    }
    guard follows(index + 1, "?{"), precedes(index, "=<>") else { return }
    traits.kinds.insert(.countedChoice)
  }
}
