/// Finds tags of HTML and XML that a translation lost, added or closes in the wrong order. Engines translate around tags, and move them.
enum TagCheck {
  private struct Tag {
    var name: String
    var isEnd: Bool
    /// Whether it has no end: `<br>`, `<x/>`.
    var isEmpty: Bool
    var text: String { "<\(isEnd ? "/" : "")\(name)>" }
  }

  /// Elements of HTML without content, as far as texts have them.
  private static let empty: Set = ["br", "hr", "img", "wbr"]

  /// Elements that count as tags even without an end. Others may be words in brackets, as in “Enter <your name>”.
  private static let inline: Set = [
    "a", "b", "code", "em", "font", "i", "p", "small", "span", "strong", "sub", "sup", "u",
  ]

  /// - Returns: the first fault in words; `nil` if there is none. A source text whose tags are not closed is no HTML: only the number of tags
  ///   counts.
  static func fault(of translation: String, against source: String) -> String? {
    var (given, original) = (tags(of: translation), tags(of: source))
    let ended = Set((given + original).filter(\.isEnd).map(\.name))
    let isTag = { (tag: Tag) in tag.isEmpty || ended.contains(tag.name) || inline.contains(tag.name) }
    (given, original) = (given.filter(isTag), original.filter(isTag))
    guard !given.isEmpty || !original.isEmpty else { return nil }
    let (now, was) = (counts(given), counts(original))
    if let lost = original.first(where: { now[$0.text, default: 0] < was[$0.text, default: 0] }) {
      return "the tag \(lost.text) is missing"
    }
    if let added = given.first(where: { now[$0.text, default: 0] > was[$0.text, default: 0] }) {
      return "the tag \(added.text) is not in the source text"
    }
    return order(of: original) == nil ? order(of: given) : nil
  }

  private static func counts(_ tags: [Tag]) -> [String: Int] { tags.reduce(into: [:]) { $0[$1.text, default: 0] += 1 } }

  /// The first tag that closes nothing or is not closed.
  private static func order(of tags: [Tag]) -> String? {
    var open: [Tag] = []
    for tag in tags where !tag.isEmpty {
      guard tag.isEnd else {
        open.append(tag)
        continue
      }
      guard open.popLast()?.name == tag.name else { return "the tag \(tag.text) is in the wrong place" }
    }
    return open.last.map { "the tag \($0.text) is not closed" }
  }

  private static func tags(of text: String) -> [Tag] {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
    return PseudoScanner.pieces(of: text).compactMap { piece in
      guard case .fixed(let fixed) = piece, fixed.hasPrefix("<") else { return nil }
      let isEnd = fixed.hasPrefix("</")
      let name = fixed.dropFirst(isEnd ? 2 : 1).prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
      return Tag(name: name, isEnd: isEnd, isEmpty: fixed.hasSuffix("/>") || Self.empty.contains(name))
    }
  }
}
