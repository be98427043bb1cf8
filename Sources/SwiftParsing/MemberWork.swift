/// The parser's work on members of a type that begin without a declaration keyword, as in damaged code. From the start of each such member, the
/// parser looks ahead for the next word that begins a declaration, or for the end of the type.
struct MemberWork {
  /// The number of members since the last word that begins a declaration.
  var open = 0
  /// The number of tokens that were read, each counted once for every member that was open before it.
  var work = 0
  /// Whether the next token may begin a member of a type: it is the first after `{` or `;`, or the first of a line that does not continue the line
  /// before it.
  var isStart = false
  /// Whether the last token continues on the next line.
  var isContinued = false

  mutating func note(_ token: BracketScanner.Token) {
    if isStart, token == .word || token == .keyword { open += 1 }
    isStart = false
    isContinued = token == .joint
    work += open
  }

  /// Handles a comma, which continues a list.
  mutating func noteComma() {
    isStart = false
    isContinued = true
  }

  /// Words at which the parser stops looking ahead, because they begin a declaration.
  static let declaring = Keywords([
    "var", "let", "case", "func", "init", "enum", "open", "lazy", "weak", "class", "actor", "macro", "final", "deinit",
    "struct", "static", "public", "import", "private", "mutating", "internal", "override", "protocol", "extension",
    "subscript", "typealias", "fileprivate", "associatedtype",
  ])
}
