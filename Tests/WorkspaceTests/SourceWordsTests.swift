import Testing

@testable import Workspace

@Suite("Word counts of source texts")
struct SourceWordsTests {
  @Test(
    "attributes of inflection do not count as words; link addresses do",
    arguments: [
      ("^[3 files](inflect: true) found", ["files", "found"]),
      ("^[a](inflect: true) and ^[b](inflect: true) end", ["a", "and", "b", "end"]),
      ("[see](now) ^[b](inflect: true)", ["see", "b"]), ("[see](now)", ["see", "now"]),
      ("^[a](inflect: true) [see](now)", ["a", "see", "now"]), ("^[open](inflect", ["open", "inflect"]),
    ])
  func attributes(text: String, words: [String]) {
    #expect(SourceWords(text).words.map(String.init).map { $0.filter(\.isLetter) } == words)
  }

  @Test("a long text of attributes is counted without hanging")
  func long() {
    #expect(SourceWords(String(repeating: "^[a](inflect: true) ", count: 50_000)).words.count == 50_000)
  }
}
