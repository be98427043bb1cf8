/// Finds HTML and XML tags that a translation lost, added or closed in the wrong order. Such faults are common in machine translation, which moves
/// tags.
package enum TagCheck {
  private struct Tag {
    var name: String
    var isEnd: Bool
    /// Whether the tag needs no closing tag: `<br>`, `<x/>`.
    var isEmpty: Bool
    var text: String { "<\(isEnd ? "/" : "")\(name)>" }
  }

  /// The HTML elements without content that occur in texts.
  private static let empty: Set = ["br", "hr", "img", "wbr"]

  /// Elements that count as tags even without a closing tag. Other names in angle brackets may be ordinary text, as in “Enter <your name>”.
  private static let inline: Set = [
    "a", "b", "code", "em", "font", "i", "p", "small", "span", "strong", "sub", "sup", "u",
  ]

  /// Returns a message about the first tag that the translation lost, added or closed in the wrong order; `nil` if there is none. If the source text
  /// has tags that are not closed, it is not HTML, and only the numbers of tags are compared.
  package static func fault(of translation: String, against source: String) -> String? {
    let (given, original) = tags(of: translation, source)
    let (now, was) = (counts(given), counts(original))
    if let lost = original.first(where: { now[$0.text, default: 0] < was[$0.text, default: 0] }) {
      return "the tag \(lost.text) is missing"
    }
    if let added = given.first(where: { now[$0.text, default: 0] > was[$0.text, default: 0] }) {
      return "the tag \(added.text) is not in the source text"
    }
    return order(of: original) == nil ? order(of: given) : nil
  }

  /// Returns a message about a tag that the translation does not close, or closes in the wrong place. People would see such a tag, or the
  /// text after it would look wrong. Ignores pairs of tags that the translation lost or added. Returns `nil` if there is no such tag, or if the
  /// source text has no tags or has tags that are not closed.
  static func broken(in translation: String, against source: String) -> String? {
    let (given, original) = tags(of: translation, source)
    return original.isEmpty || order(of: original) != nil ? nil : order(of: given)
  }

  private static func tags(of translation: String, _ source: String) -> (given: [Tag], original: [Tag]) {
    let (given, original) = (tags(of: translation), tags(of: source))
    let ended = Set((given + original).filter(\.isEnd).map(\.name))
    let isTag = { (tag: Tag) in tag.isEmpty || ended.contains(tag.name) || inline.contains(tag.name) }
    return (given.filter(isTag), original.filter(isTag))
  }

  private static func counts(_ tags: [Tag]) -> [String: Int] { tags.reduce(into: [:]) { $0[$1.text, default: 0] += 1 } }

  /// Returns a message about a tag without its counterpart: the first end tag that does not match the last open tag, or else the last open tag. `nil`
  /// if all tags have counterparts.
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

  /// Returns all parts of a text that look like tags, except in code spans and after a backslash.
  private static func tags(of text: String) -> [Tag] {
    guard text.utf8.contains(UInt8(ascii: "<")) else { return [] }
    let bytes = Array(text.utf8)
    var tags: [Tag] = []
    var index = 0
    /// The bytes that do not occur in the rest of the text. Without this set, the whole rest of the text would be searched again for every opening
    /// byte without a closing byte.
    var absent: Set<UInt8> = []
    func end(of byte: UInt8) -> Int? {
      guard !absent.contains(byte) else { return nil }
      guard let found = bytes[(index + 1)...].firstIndex(of: byte) else {
        absent.insert(byte)
        return nil
      }
      return found + 1
    }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "`"): index = end(of: UInt8(ascii: "`")) ?? index + 1
      case UInt8(ascii: "<"):
        guard index + 1 < bytes.count, isLetter(bytes[index + 1]) || bytes[index + 1] == UInt8(ascii: "/"),
          let next = end(of: UInt8(ascii: ">"))
        else {
          index += 1
          continue
        }
        tags.append(tag(String(decoding: bytes[index..<next], as: UTF8.self)))
        index = next
      default: index += 1
      }
    }
    return tags
  }

  private static func tag(_ text: String) -> Tag {
    let isEnd = text.hasPrefix("</")
    let name = text.dropFirst(isEnd ? 2 : 1).prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
    return Tag(name: name, isEnd: isEnd, isEmpty: text.hasSuffix("/>") || Self.empty.contains(name))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
