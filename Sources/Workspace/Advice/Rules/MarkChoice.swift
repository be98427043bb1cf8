/// Detects markup that a translator may omit.
enum MarkChoice {
  private static let marks: [Character] = ["*", "_", "`", "~", "["]
  private static let quotes = Set<Character>("\"'“”„‟‘’‚«»‹›「」『』")

  /// Returns whether the source text's only markup is code spans for which the translation uses quotation marks, or emphasis of single words for
  /// which it uses no marks. Many languages and scripts do not use such emphasis.
  static func isFree(_ text: String, _ original: String) -> Bool {
    let used = marks.filter { original.contains($0) }
    guard used.count == 1, let mark = used.first else { return false }
    let spans = spans(of: original, between: mark)
    guard !spans.isEmpty, !spans.contains(where: \.isEmpty), !text.contains(mark) else { return false }
    switch mark {
    case "`": return spans.allSatisfy { isQuoted($0, in: text) }
    case "*", "_": return spans.allSatisfy { $0.allSatisfy(\.isLetter) }
    default: return false
    }
  }

  /// Returns the texts between pairs of a mark; empty if a mark has no partner.
  private static func spans(of text: String, between mark: Character) -> [Substring] {
    let parts = text.split(separator: mark, omittingEmptySubsequences: false)
    return parts.count % 2 == 1 ? stride(from: 1, to: parts.count, by: 2).map { parts[$0] } : []
  }

  private static func isQuoted(_ span: Substring, in text: String) -> Bool {
    text.ranges(of: span).contains { range in
      guard range.lowerBound > text.startIndex, range.upperBound < text.endIndex else { return false }
      return quotes.contains(text[text.index(before: range.lowerBound)]) && quotes.contains(text[range.upperBound])
    }
  }
}
