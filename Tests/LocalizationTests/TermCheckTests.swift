import Localization
import TestSupport
import Testing

struct TermCheckTests {
  private let check = TermCheck([
    "de": [
      .init(source: "Bird", targets: ["Vogel", "Vögel"]), .init(source: "Bird feeder", targets: ["Futterhaus"]),
      .init(source: "iOS", targets: ["iOS"]),
    ],
    "de-AT": [.init(source: "Bird feeder", targets: ["Futterhäuschen"])],
  ])

  @Test("a term is found as whole words ignoring case, and longer terms are found first")
  func found() {
    #expect(check.terms(in: "Add a bird", for: "de").map(\.source) == ["Bird"])
    #expect(check.terms(in: "Birds and birdhouses, blackbird", for: "de").isEmpty)
    #expect(check.terms(in: "A bird feeder", for: "de").map(\.source) == ["Bird feeder"])
    #expect(check.terms(in: "A bird on a bird feeder", for: "de").map(\.source) == ["Bird feeder", "Bird"])
    #expect(check.terms(in: "(bird)", for: "de").map(\.source) == ["Bird"])
    #expect(check.terms(in: "bird", for: "fr").isEmpty && check.terms(in: "", for: "de").isEmpty)
  }

  @Test("a translation without any allowed translation of a term is reported")
  func fault() {
    #expect(check.fault(of: "Ein Vogel", for: "A bird", in: "de") == nil)
    #expect(check.fault(of: "Die VÖGEL", for: "The bird", in: "de") == nil)
    #expect(check.fault(of: "Ein Spatz", for: "A bird", in: "de") == "“Bird” should be “Vogel”")
    #expect(check.fault(of: "Ein Spatz", for: "A sparrow", in: "de") == nil)
    #expect(check.fault(of: "Für ios", for: "For iOS", in: "de") == nil)
  }

  @Test("the terms of a region take precedence over those of its main language")
  func regions() {
    #expect(
      check.fault(of: "Futterhaus", for: "Bird feeder", in: "de-AT") == "“Bird feeder” should be “Futterhäuschen”")
    #expect(check.fault(of: "Ein Spatz", for: "A bird", in: "de-AT") == "“Bird” should be “Vogel”")
    #expect(TermCheck().isEmpty && !check.isEmpty)
  }

  /// Returns the result of `terms(in:for:)` by its definition, one term at a time.
  private func expected(_ terms: [TermCheck.Term], in source: String) -> [String] {
    let text = Array(source.lowercased())
    func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
    var found: [(term: String, ranges: [Range<Int>])] = []
    for term in terms.map(\.source).sorted(by: { ($1.count, $0) < ($0.count, $1) }) {
      let word = Array(term.lowercased())
      guard !word.isEmpty, word.count <= text.count else { continue }
      let ranges = (0...(text.count - word.count)).map { $0..<($0 + word.count) }.filter { range in
        text[range].elementsEqual(word)
          && !(range.lowerBound > 0 && isPart(text[range.lowerBound - 1]) && isPart(word[0]))
          && !(range.upperBound < text.count && isPart(text[range.upperBound]) && isPart(word[word.count - 1]))
          && !found.contains { $0.ranges.contains { $0.clamped(to: range) == range } }
      }
      if !ranges.isEmpty { found.append((term, ranges)) }
    }
    return found.map(\.term)
  }

  @Test("terms of random words are found exactly where the definition of a match says", arguments: 0..<40)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let pieces = ["a", "B", "ab", " ", "-", "é", "ß", "1", " a", "%@"]
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }
    let terms = Set((0..<20).map { _ in text(4) }).map { TermCheck.Term(source: $0, targets: ["x"]) }
    let check = TermCheck(["de": terms])
    for _ in 0..<20 {
      let source = text(12)
      #expect(check.terms(in: source, for: "de").map(\.source) == expected(terms, in: source), "\(source)")
    }
  }

  @Test("ten thousand terms are looked up in ten thousand texts and in a text of a million words without hanging")
  func many() {
    let numbers = 0..<10_000
    let check = TermCheck(["de": numbers.map { .init(source: "word \($0)", targets: ["Wort \($0)"]) }])
    #expect(numbers.allSatisfy { check.terms(in: "a word \($0) here", for: "de").map(\.source) == ["word \($0)"] })
    #expect(check.terms(in: String(repeating: "word 7 word ", count: 100_000), for: "de").map(\.source) == ["word 7"])
  }
}
