/// The price that a vendor charges for a word of the source text.
package struct WordPrice: Hashable, Sendable {
  /// The price in millionths of the currency. It is an integer, because sums must be exact.
  package var millionths: Int
  /// The code in the pipeline file, such as `EUR`.
  package var currency: String

  /// Parses a number and a currency of three capital letters: `0.12 EUR`.
  /// - Returns: `nil` for any other text, for a price of 1001 or more, and for more than six decimals.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[1].utf8.count == 3, words[1].utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      return nil
    }
    let parts = words[0].split(separator: ".", omittingEmptySubsequences: false)
    let isNumber = parts.allSatisfy {
      !$0.isEmpty && $0.utf8.count <= 6 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
    guard isNumber, parts.count <= 2, let whole = Int(parts[0]), whole <= 1000 else { return nil }
    let decimals = parts.count == 2 ? String(parts[1]) : ""
    millionths = whole * 1_000_000 + (Int(decimals + String(repeating: "0", count: 6 - decimals.count)) ?? 0)
    currency = String(words[1])
  }
}
