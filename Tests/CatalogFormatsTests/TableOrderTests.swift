import TestSupport
import Testing

@testable import CatalogFormats
@testable import StructuredText

@Suite("Positions of new keys in a property list")
struct TableOrderTests {
  private static let nowhere = TextPosition(offset: 0, line: 1, column: 1)

  private static func list(_ members: [(String, PropertyListValue)]) -> PropertyListValue {
    PropertyListValue(
      .dictionary(members.map { PropertyListMember(key: $0.0, at: nowhere, value: $0.1) }), at: nowhere)
  }

  private static func text(_ text: String) -> PropertyListValue { PropertyListValue(.string(text), at: nowhere) }

  @Test("each new key is inserted after the last key that must not follow it, whatever the order of the file")
  func places() throws {
    var random = SeededGenerator(seed: 7)
    let forms = ["NSStringLocalizedFormatKey", "NSStringFormatSpecTypeKey", "few", "one", "other", "x", "zero"]
    for round in 0..<400 {
      let letters = Array("abzAB09 é~")
      var keys = Set(
        (0..<round % 23).map { _ in
          String((0..<Int.random(in: 1...3, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
        }
      ).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
      if round.isMultiple(of: 3) { keys.shuffle(using: &random) }
      var inner = forms.shuffled(using: &random)
      if round.isMultiple(of: 2) { inner.sort() }
      let order = TableOrder(of: Self.list(keys.map { ($0, Self.list(inner.map { ($0, Self.text("")) })) }))
      // Without entries there is no second level.
      for (level, present) in keys.isEmpty ? [(0, keys)] : [(0, keys), (1, inner)] {
        let names = level == 0 ? ["b", "A", "~~", "é0", "", "9"] : forms + ["many", "two"]
        let added = names.filter { !present.contains($0) }.map { TextDictionary.Member($0, .text("")) }
        let found = order.places(of: added, among: present, level: level)
        #expect(found.map(\.place) == found.map(\.place).sorted())
        #expect(found.flatMap { $0.members.map(\.key) }.sorted() == added.map(\.key).sorted())
        for (place, members) in found {
          for member in members {
            #expect(
              place == (present.lastIndex { !order.precedes(member.key, $0, level: level) } ?? -1) + 1,
              "\(member.key) among \(present)")
          }
        }
      }
    }
  }

  @Test("inserts 60,000 new keys into a table of 60,000 keys")
  func large() throws {
    let count = 60_000
    let keys = (0..<count).map { "k\($0 + 100_000)" }
    let order = TableOrder(of: Self.list(keys.map { ($0, Self.text("")) }))
    let added = (0..<count).map { TextDictionary.Member("k\($0 + 100_000)x", .text("")) }
    #expect(order.places(of: added, among: keys, level: 0).map(\.place) == Array(1...count))
  }
}
