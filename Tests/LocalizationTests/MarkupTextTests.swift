import TestSupport
import Testing

@testable import Localization

@Suite("Markup in texts")
struct MarkupTextTests {
  /// Returns the position of the matching bracket, by the definition: the position at which as many brackets are closed as opened.
  private static func partner(_ text: ArraySlice<UInt8>, of start: Int) -> Int? {
    let closing = text[start] == UInt8(ascii: "[") ? UInt8(ascii: "]") : UInt8(ascii: ")")
    var depth = 0
    var index = start
    while index < text.endIndex {
      if text[index] == UInt8(ascii: "\\") {
        index += 2
        continue
      }
      if text[index] == text[start] { depth += 1 }
      if text[index] == closing {
        depth -= 1
        if depth == 0 { return index }
      }
      index += 1
    }
    return nil
  }

  @Test("the matching bracket of each opening bracket is found in random texts")
  func partners() {
    var random = SeededGenerator(seed: 11)
    let letters = Array("[[[]]]((()))`\\^*_~a ".utf8)
    for length in 0..<3_000 {
      let bytes = (0..<length % 60).map { _ in letters.randomElement(using: &random) ?? 0x61 }
      let found = MarkupText.partners(in: bytes)
      var index = 0
      while index < bytes.count {
        if bytes[index] == UInt8(ascii: "\\") {
          index += 2
          continue
        }
        if bytes[index] == UInt8(ascii: "[") || bytes[index] == UInt8(ascii: "(") {
          #expect(found[index] == Self.partner(bytes[...], of: index) ?? 0, "\(String(decoding: bytes, as: UTF8.self))")
        }
        index += 1
      }
    }
  }

  @Test("a closing mark ends the last open mark of its kind, and unclosed marks are returned in order")
  func marks() {
    let text = MarkupText("**a *b _c* d_ *e **f [x](y) [z](u ^[w")
    #expect(text.styles == [.italic: 2])
    #expect(text.links == [MarkupText.Link(text: "x", target: "y")])
    #expect(text.leftOver == ["](", "^[", "**", "*", "**"])
  }

  @Test(
    "a text that consists only of brackets and markup takes time proportional to its length",
    arguments: ["[", "(", "[(", "^[", "[a](", "*a ", "*a a_ ", "`", "[[](", "_a a* "])
  func hostile(piece: String) {
    // With quadratic work, each of these texts would take minutes.
    let text = MarkupText(String(repeating: piece, count: 300_000))
    #expect(text.links.count < 10)
  }
}
