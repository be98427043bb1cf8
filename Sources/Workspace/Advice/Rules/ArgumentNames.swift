import Localization

/// Detects arguments that the surrounding text explains.
enum ArgumentNames {
  /// Words that explain an adjacent argument: “version %@ (build %@)”, “the %@ field”.
  private static let naming: Set<String> = [
    "version", "build", "page", "step", "line", "chapter", "error", "code", "size", "port", "column", "file",
    "folder", "user", "name", "episode", "season", "room", "table", "email", "address", "id", "total", "date", "time",
    "network", "server", "host", "domain", "group", "channel", "project", "branch", "repository", "volume", "command",
    "option", "parameter", "activity", "story", "item", "url", "field", "profile", "region", "country", "city",
    "account", "device", "machine", "language",
    "app", "script",
    "v", "ln", "col", "by", "hi", "hello", "hey", "welcome",
  ]
  /// Units and other words that follow a value and explain it.
  private static let units: Set<String> = [
    "kb", "mb", "gb", "tb", "bit", "kbit", "mbit", "gbit", "bytes", "ms", "s", "sec", "min", "h", "hz", "khz", "mhz",
    "ghz", "mm", "cm", "m", "km", "mi", "ft", "g", "kg", "lb", "lbs", "px", "pt", "fps", "dpi", "db", "kbps", "mbps",
    "gbps", "mah", "wh", "w", "kw", "v",
    "u",
    "ago", "percent", "seconds", "minutes", "hours", "days", "weeks", "months", "years", "secs", "mins", "hr", "hrs",
    "sats",
  ]
  private static let marks = Set<Character>("_#@≈~")
  /// Separators between values that do not form a sentence: “%@, %@ parts • %@”.
  private static let separators = Set<Character>(",，•·|–—")
  private static let quotes = Set<Character>("\"'“”„‟‘’‚«»‹›「」『』`()[]{}*")

  /// Returns the number of arguments that the text around them explains.
  static func namedCount(_ format: FormatString) -> Int {
    let parts = format.parts
    return parts.indices.count { index in
      switch parts[index] {
      case .specifier(let argument, _):
        isNamed(
          isNumber: argument.type.isNumber, after: literal(parts, index - 1), before: literal(parts, index + 1),
          isCounting: isOf(parts, index - 1) || isOf(parts, index + 1) || isDate(parts, index)
            || isSetOff(parts, index))
      // A substitution contains the noun for its argument.
      case .reference: true
      default: false
      }
    }
  }

  private static func literal(_ parts: [FormatString.Part], _ index: Int) -> String {
    guard parts.indices.contains(index), case .literal(let text) = parts[index] else { return "" }
    return text.filter { !marks.contains($0) }
  }

  /// Returns whether a part is like the “of” in “3 of 7”.
  private static func isOf(_ parts: [FormatString.Part], _ index: Int) -> Bool {
    guard index > 0, index + 1 < parts.count else { return false }
    return [" of ", " out of ", "/", " / ", "×", " × ", " x "].contains(literal(parts, index).lowercased())
  }

  /// Returns whether an argument is outside the sentence: in parentheses, or at the start before a comma or another separator.
  private static func isSetOff(_ parts: [FormatString.Part], _ index: Int) -> Bool {
    let after = literal(parts, index + 1)
    if index == 0, let mark = after.first(where: { !$0.isWhitespace }), separators.contains(mark) { return true }
    let outer = parts[..<index].indices.reduce(0) { depth, index in
      literal(parts, index).reduce(depth) { $1 == "(" ? $0 + 1 : $1 == ")" ? max(0, $0 - 1) : $0 }
    }
    return outer > 0 && parts[index...].indices.contains { literal(parts, $0).contains(")") }
  }

  /// Returns whether an argument is the date or the time in “on %@ at %@”.
  private static func isDate(_ parts: [FormatString.Part], _ index: Int) -> Bool {
    let isTime = literal(parts, index - 1).lowercased() == " at "
    guard isTime || literal(parts, index + 1).lowercased().hasPrefix(" at ") else { return false }
    let before = literal(parts, isTime ? index - 3 : index - 1).lowercased()
    return before == "on " || before.hasSuffix(" on ")
  }

  private static func isNamed(isNumber: Bool, after before: String, before after: String, isCounting: Bool) -> Bool {
    if isCounting { return true }
    // The rest of a sentence does not depend on a value in quotation marks or parentheses.
    if let last = before.last, quotes.contains(last), let next = after.first, quotes.contains(next) { return true }
    // The argument is an amount for each unit: “Subscribe for %@/month”.
    if after.hasPrefix("/"), after.dropFirst().first?.isLetter == true { return true }
    // The argument is a label before a value, as in “%@: 3 ms”, or a number before a percent sign.
    if after.hasPrefix(":") || isNumber && after.hasPrefix("%") { return true }
    // A parenthesis after an argument describes it, as in “%@ (signer: the maker)”.
    if after.first(where: { !$0.isWhitespace }) == "(" { return true }
    // A label explains the value after it. A value after a comma or a complete sentence is an addition to the text.
    if let end = before.last(where: { !$0.isWhitespace }), ":：,，–—-=.。!?！？•·|→".contains(end) { return true }
    let word = before.split { !($0.isLetter || $0.isNumber) }.last.map { $0.lowercased() } ?? ""
    let next = after.split { !($0.isLetter || $0.isNumber) }.first.map { $0.lowercased() } ?? ""
    let isBeside = before.last.map { $0.isLetter || $0 == " " || $0 == "#" } ?? false
    let isFollowed = after.first.map { $0.isLetter || $0 == " " || $0 == "-" } ?? false
    if isBeside && naming.contains(word) || isFollowed && (naming.contains(next) || units.contains(next)) {
      return true
    }
    // The argument precedes a currency or a unit: “Pay %@ ETH”.
    let run = after.dropFirst().prefix(while: \.isLetter)
    if after.first == " ", (2...5).contains(run.count), run.allSatisfy(\.isUppercase) { return true }
    // The word next to a number shows what the number counts.
    return isNumber && (isBeside && !word.isEmpty || isFollowed && !next.isEmpty)
  }
}
