/// A text whose placeholders and markup a translation engine cannot change. In the text that is sent, marks protect these parts. Afterwards, the
/// marks are replaced with the parts.
package struct ProtectedText: Hashable, Sendable {
  /// The form of the marks.
  package enum Marking: Sendable {
    /// `<x id="1"/>`, with `&`, `<` and `>` escaped, for engines that support XML.
    case xml
    /// `<span class="notranslate" translate="no" id="p1">%@</span>`, with `&`, `<` and `>` escaped, for engines that support HTML.
    case html
  }

  /// The text to send.
  package let text: String
  private let placeholders: [String]
  private let marking: Marking

  package init(_ source: String, _ marking: Marking) {
    var text = ""
    var placeholders: [String] = []
    for piece in PseudoScanner.pieces(of: source, keepsInflected: false) {
      switch piece {
      case .words(let words): text += Self.escaped(words)
      case .fixed(let fixed):
        placeholders.append(fixed)
        switch marking {
        case .xml: text += "<x id=\"\(placeholders.count)\"/>"
        case .html:
          text +=
            "<span class=\"notranslate\" translate=\"no\" id=\"p\(placeholders.count)\">\(Self.escaped(fixed))</span>"
        }
      }
    }
    self.text = text
    self.placeholders = placeholders
    self.marking = marking
  }

  /// Returns a translation with its marks replaced by the protected parts.
  /// - Returns: `nil` if a mark is missing, duplicate or unknown.
  package func restored(_ translation: String) -> String? {
    var result = ""
    var seen: Set<Int> = []
    var rest = translation[...]
    while let open = rest.firstIndex(of: "<") {
      result += Self.unescaped(rest[..<open])
      guard let close = rest[open...].firstIndex(of: ">") else { return nil }
      let tag = rest[open...close]
      rest = rest[rest.index(after: close)...]
      guard let number = Self.number(in: tag), (1...max(1, placeholders.count)).contains(number),
        number <= placeholders.count, seen.insert(number).inserted
      else { return nil }
      result += placeholders[number - 1]
      switch marking {
      case .xml:
        // Some engines write the empty element as two tags.
        if !tag.hasSuffix("/>"), rest.hasPrefix("</x>") { rest = rest.dropFirst(4) }
      case .html:
        guard let end = rest.firstRange(of: "</span>") else { return nil }
        rest = rest[end.upperBound...]
      }
    }
    result += Self.unescaped(rest)
    return seen.count == placeholders.count ? result : nil
  }

  /// Returns the number in `id="1"` or `id="p1"`.
  private static func number(in tag: Substring) -> Int? {
    guard let id = tag.firstRange(of: "id=") else { return nil }
    return Int(tag[id.upperBound...].drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber })
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func unescaped(_ text: some StringProtocol) -> String {
    String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&#39;", with: "'").replacing("&apos;", with: "'").replacing("&nbsp;", with: "\u{A0}")
      .replacing("&amp;", with: "&")
  }
}
