/// Finds terms in texts, as whole words and ignoring case. The time of a search depends on the lengths of the text and of the longest
/// term, not on the number of terms.
struct TermIndex: Sendable {
  private struct Edge: Hashable {
    var node: Int
    var token: Substring
  }

  /// A trie of the tokens of all terms: maps a node and the next token to the next node. The root is 0.
  private var next: [Edge: Int] = [:]
  /// The terms that end at each node. Terms that differ only in case end at the same node.
  private var ends: [Int: [String]] = [:]

  init(_ sources: Set<String>) {
    var count = 1
    for source in sources.sorted() {
      let tokens = Self.tokens(of: source.lowercased())
      guard !tokens.isEmpty else { continue }
      var node = 0
      for token in tokens {
        let edge = Edge(node: node, token: token)
        if next[edge] == nil {
          next[edge] = count
          count += 1
        }
        node = next[edge] ?? 0
      }
      ends[node, default: []].append(source)
    }
  }

  /// Returns the terms in a text, longest first, except those that occur only within longer terms. Of terms that differ only in case, only the first
  /// wanted term is returned.
  /// - Parameter isWanted: returns whether a term counts.
  func sources(in text: String, where isWanted: (String) -> Bool) -> [String] {
    guard !ends.isEmpty else { return [] }
    let tokens = Self.tokens(of: text.lowercased())
    var found: Set<String> = []
    // The end of the longest match so far. A match that ends before this position is inside another term.
    var reached = 0
    for start in tokens.indices {
      var node = 0
      var longest: (end: Int, term: String)?
      for end in start..<tokens.count {
        guard let further = next[Edge(node: node, token: tokens[end])] else { break }
        node = further
        if let term = ends[node]?.first(where: isWanted) { longest = (end + 1, term) }
      }
      guard let longest, longest.end > reached else { continue }
      reached = longest.end
      found.insert(longest.term)
    }
    return found.sorted { ($1.count, $0) < ($0.count, $1) }
  }

  /// Splits a text into runs of letters and digits; each other character is a token.
  private static func tokens(of text: String) -> [Substring] {
    var tokens: [Substring] = []
    var start = text.startIndex
    while start < text.endIndex {
      var end = text.index(after: start)
      if isWordPart(text[start]) {
        while end < text.endIndex, isWordPart(text[end]) { end = text.index(after: end) }
      }
      tokens.append(text[start..<end])
      start = end
    }
    return tokens
  }

  private static func isWordPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
