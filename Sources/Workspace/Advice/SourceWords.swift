import Localization

/// The words of a text that rules check, without placeholders, links and file paths.
struct SourceWords {
  let format: FormatString
  /// The words: runs of letters, apostrophes and inner hyphens.
  let words: [Substring]

  init(_ text: String) {
    format = FormatString(text)
    let literal = format.parts.map { part in if case .literal(let text) = part { text } else { " \u{FFFC} " } }.joined()
    words = Self.withoutAttributes(literal).split(whereSeparator: \.isWhitespace).filter { !Self.isAddress($0) }.flatMap
    { run in
      run.split { !($0.isLetter || $0 == "'" || $0 == "’" || $0 == "-") }.filter { $0.contains(where: \.isLetter) }
    }
  }

  /// Returns the text without attributes, such as `(inflect: true)` in `^[3 files](inflect: true)`.
  private static func withoutAttributes(_ text: String) -> String {
    guard text.holds("^["), let last = text.ranges(of: "^[").last else { return text }
    var result = ""
    var rest = text[...]
    while rest.startIndex <= last.lowerBound, let start = rest.firstRange(of: "]("),
      let end = rest[start.upperBound...].firstIndex(of: ")")
    {
      result += rest[..<start.lowerBound]
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Returns whether a run of characters is a link, a host, an e-mail address, a path or code in braces.
  private static func isAddress(_ run: Substring) -> Bool {
    // Most runs are words that consist of letters.
    guard run.holdsOne(of: ":@{(/.") else { return false }
    if run.holds("://") || run.holds("@") || run.holds("{{") || run.holds("()") { return true }
    if run.utf8.count(where: { $0 == UInt8(ascii: "/") }) > 1 { return true }
    let parts = run.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1 && parts.allSatisfy { $0.first?.isLetter == true && $0.last?.isPunctuation == false }
  }

  /// The number of arguments that the text takes.
  var argumentCount: Int {
    Set(format.arguments.map(\.number)).count + Set(format.references.map(\.number)).count + Set(format.names).count
  }

  /// Returns the text reduced to lower-case letters and digits. Texts with equal results are treated as the same.
  static func bare(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// Returns the ASCII word at the start of a text, after one space; `nil` if there is none.
  static func wordAfterSpace(_ text: String) -> Substring? {
    guard text.first == " " || text.first == "\u{A0}" else { return nil }
    let word = text.dropFirst().prefix { $0.isASCII && $0.isLetter }
    let next = text.dropFirst(1 + word.count).first
    guard !word.isEmpty, next.map({ !$0.isLetter && $0 != "'" && $0 != "’" && $0 != "-" }) ?? true else { return nil }
    return word
  }
}

extension String {
  /// The text in quotation marks for a message, on one line and shortened.
  var quotedForMessage: String {
    let line = replacing("\n", with: " ")
    return "“" + (line.count > 60 ? line.prefix(59) + "…" : line) + "”"
  }
}
