/// A pattern of a `.gitignore` file. It is matched as in git's `wildmatch`: byte by byte, with bracket expressions and escapes.
///
/// The time for a match is at most proportional to the product of the lengths of pattern and path. This limit is needed, because a hostile repository
/// can contain any pattern.
struct IgnorePattern {
  private enum Token: Equatable {
    case byte(UInt8)
    /// `?`: any byte except a slash.
    case any
    /// A bracket expression: any byte of the set, which never contains a slash.
    case set(Set<UInt8>)
    /// `*`: any number of bytes except slashes.
    case star
    /// `**` at the end: any number of bytes.
    case everything
    /// `**/`: an empty text, or any bytes that end with a slash.
    case folders
  }

  /// Whether the pattern begins with `!`.
  let isException: Bool
  /// Whether the pattern matches only folders, because it ends with a slash.
  let isFolder: Bool
  /// Whether the pattern is compared only with the last component of a path, because it has no slash except at its end.
  private let isName: Bool
  private let tokens: [Token]
  /// The length of the shortest path that can match.
  private let shortest: Int

  /// Creates the pattern in a line; `nil` for an empty line, a comment and a pattern that git never matches, such as `[a`.
  init?(line: some Sequence<UInt8>) {
    var text = Self.withoutLastSpaces(Array(line))[...]
    guard text.first != UInt8(ascii: "#") else { return nil }
    isException = text.first == UInt8(ascii: "!")
    if isException { text.removeFirst() }
    isFolder = text.last == UInt8(ascii: "/")
    if isFolder { text.removeLast() }
    isName = !text.contains(UInt8(ascii: "/"))
    if text.first == UInt8(ascii: "/") { text.removeFirst() }
    guard !text.isEmpty, let tokens = Self.tokens(Array(text), isName: isName) else { return nil }
    self.tokens = tokens
    shortest = tokens.count { ![.star, .everything, .folders].contains($0) }
  }

  /// Returns whether the pattern matches a path itself. A match of a folder above the path does not count.
  /// - Parameter path: the path relative to the folder of the `.gitignore`.
  func matches(_ path: some StringProtocol) -> Bool {
    let bytes = Array(path.utf8)
    let start = isName ? bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0 : 0
    return matches(bytes[start...])
  }

  /// Returns whether all tokens together match a text, in one pass. `reached[i]` is `true` if the first `i` tokens match the bytes read so far.
  private func matches(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.count >= shortest else { return false }
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    reached[0] = true
    spreadOverNothing(&reached)
    // For each token `**/`, whether the token has matched some bytes, but not yet its final slash.
    var inside = [Bool](repeating: false, count: tokens.count)
    for byte in text {
      var next = [Bool](repeating: false, count: reached.count)
      var nextInside = [Bool](repeating: false, count: tokens.count)
      for (index, token) in tokens.enumerated() where reached[index] || inside[index] {
        switch token {
        case .byte(let own): if reached[index], own == byte { next[index + 1] = true }
        case .any: if reached[index], byte != UInt8(ascii: "/") { next[index + 1] = true }
        case .set(let set): if reached[index], set.contains(byte) { next[index + 1] = true }
        case .star: if reached[index], byte != UInt8(ascii: "/") { next[index] = true }
        case .everything: if reached[index] { next[index] = true }
        case .folders:
          nextInside[index] = true
          if byte == UInt8(ascii: "/") { next[index + 1] = true }
        }
      }
      spreadOverNothing(&next)
      (reached, inside) = (next, nextInside)
    }
    return reached[tokens.count]
  }

  private func spreadOverNothing(_ reached: inout [Bool]) {
    for (index, token) in tokens.enumerated() where reached[index] && [.star, .everything, .folders].contains(token) {
      reached[index + 1] = true
    }
  }

  // MARK: Reading

  /// Removes the spaces at the end of a line, except for a space after a backslash. Other white space is kept.
  private static func withoutLastSpaces(_ line: [UInt8]) -> [UInt8] {
    var end = 0
    var index = 0
    while index < line.count {
      if line[index] == UInt8(ascii: "\\") {
        // Git does not change a line that ends with a backslash.
        guard index + 1 < line.count else { return line }
        index += 1
        end = index + 1
      } else if line[index] != UInt8(ascii: " ") {
        end = index + 1
      }
      index += 1
    }
    return Array(line[..<end])
  }

  private static func tokens(_ text: [UInt8], isName: Bool) -> [Token]? {
    var tokens: [Token] = []
    // Git compares the text before the first special byte separately, so `**` at that byte begins a pattern.
    let plain = text.firstIndex(where: Array(#"*?[\"#.utf8).contains)
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "\\"):
        guard index + 1 < text.count else { return nil }
        tokens.append(.byte(text[index + 1]))
        index += 2
      case UInt8(ascii: "?"):
        tokens.append(.any)
        index += 1
      case UInt8(ascii: "["):
        guard let (set, end) = IgnoreBracket.read(text, after: index) else { return nil }
        tokens.append(.set(set))
        index = end
      case UInt8(ascii: "*"):
        let begins = index == 0 || index == plain || text[index - 1] == UInt8(ascii: "/")
        let start = index
        while index < text.count, text[index] == UInt8(ascii: "*") { index += 1 }
        let rest = text[index...]
        var token = Token.star
        if !isName, index - start > 1, begins {
          if rest.first == UInt8(ascii: "/") {
            token = .folders
            index += 1
          } else if rest.isEmpty || rest.starts(with: #"\/"#.utf8) {
            token = .everything
          }
        }
        // A repeated wildcard matches the same as a single wildcard.
        if tokens.last != token { tokens.append(token) }
      case let byte:
        tokens.append(.byte(byte))
        index += 1
      }
    }
    return tokens
  }
}
