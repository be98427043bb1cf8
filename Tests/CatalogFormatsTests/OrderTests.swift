import Foundation
import TestSupport
import Testing

@testable import CatalogFormats

@Suite struct OrderTests {
  private static func words(_ seed: UInt64, _ pool: [String]) -> [String] {
    var random = SeededGenerator(seed: seed)
    return (0..<6_000).map { _ in
      (0..<Int.random(in: 0...7, using: &random)).map { _ in pool[Int.random(in: 0..<pool.count, using: &random)] }
        .joined()
    }
  }
  private static let ascii = (0x20...0x7E).compactMap { UnicodeScalar($0).map { String(Character($0)) } }
  private static let pools = [
    ascii,
    [
      "a", "A", "b", "B", " ", ".", "1", "2", "10", "-", "_", "é", "e", "\u{301}", "’", "'", "😀", "設", "%@",
      "|==|plural.one",
    ],
    ["a", "b", "c", "A", "B", " "],
    ["0", "1", "2", "9", "10", "07", "a", "A", "-", ".", "$", "~", " ", "%@"],
  ]

  @Test("the fast comparison gives the same order as Foundation", arguments: pools.indices)
  func quickAgrees(pool: Int) {
    let words = Self.words(UInt64(pool), Self.pools[pool])
    var settled = 0
    for (a, b) in zip(words, words.dropFirst()) {
      if let quick = CatalogOrder.fastComparison(a, b) {
        settled += 1
        #expect(quick == CatalogOrder.foundationComparison(a, b), "\(a.debugDescription) \(b.debugDescription)")
      }
      if let quick = UnitOrder.fastComparison(a, b) {
        #expect(quick == UnitOrder.foundationComparison(a, b), "\(a.debugDescription) \(b.debugDescription)")
      }
    }
    #expect(settled > 1_000)
  }

  @Test("keys are sorted as in Xcode (xcode-formats.md A2)")
  func catalogOrder() {
    let ordered = [
      "", " ", "_", "-", "(%@)", "%@", "😀", "-1".replacingOccurrences(of: "-", with: "€"), "1nK", "1TU", "5iV",
      "19.title", "103.title", "Connect", "CONNECT", "item 9", "item 10", "zh-Hans", "zh-Hant", "zh-Hant-HK",
      "zh-Hant-TW", "zh-HK",
    ]
    for (index, first) in ordered.enumerated() {
      for second in ordered[(index + 1)...] { #expect(CatalogOrder.precedes(first, second), "\(first) \(second)") }
    }
  }

  @Test("units are sorted as in Xcode (xcode-formats.md B1)")
  func unitOrder() {
    for (first, second) in [
      ("90°", "100"), ("Sätze", "Schritte"), ("A", "a"), ("k|==|plural.few", "k|==|plural.many"),
      ("k", "k|==|plural.one"),
    ] {
      #expect(UnitOrder.precedes(first, second))
      #expect(!UnitOrder.precedes(second, first))
    }
  }
}
