/// An amount of money in any currency. It is precise enough for the price of a single token.
struct LLMCost: Hashable, Comparable, Sendable {
  /// The amount as a multiple of 10⁻¹² of the currency's unit.
  var parts: Int

  static let zero = LLMCost(parts: 0)
  private static let one = 1_000_000_000_000

  init(parts: Int) { self.parts = parts }

  /// Parses an amount in the currency's unit, such as `5` or `2.50`; `nil` unless it is a number up to 1000000 with at most six decimals.
  init?(_ text: String) {
    guard let millionths = LLMPrice.millionths(text, upTo: 1_000_000) else { return nil }
    parts = millionths * 1_000_000
  }

  static func < (a: Self, b: Self) -> Bool { a.parts < b.parts }

  /// Returns the sum, or the largest amount if the sum overflows.
  static func + (a: Self, b: Self) -> Self {
    let (sum, isTooLarge) = a.parts.addingReportingOverflow(b.parts)
    return LLMCost(parts: isTooLarge ? .max : sum)
  }
}

extension LLMCost: CustomStringConvertible {
  /// The amount with at most six decimals, rounded up: `0.0421`.
  var description: String {
    let millionths = parts / 1_000_000 + (parts % 1_000_000 == 0 ? 0 : 1)
    let decimals = String(millionths % 1_000_000 + 1_000_000).dropFirst()
    let kept = decimals.reversed().drop { $0 == "0" }.reversed()
    return "\(millionths / 1_000_000)" + (kept.isEmpty ? "" : ".\(String(kept))")
  }
}

/// The prices of a million input tokens and of a million output tokens.
struct LLMPrice: Hashable, Sendable {
  /// The price of a million input tokens, in millionths of the currency's unit.
  private let input: Int
  private let output: Int

  /// Parses the prices; `nil` unless both are numbers up to 10000 with at most six decimals.
  init?(input: String, output: String) {
    guard let input = Self.millionths(input, upTo: 10_000), let output = Self.millionths(output, upTo: 10_000) else {
      return nil
    }
    self.input = input
    self.output = output
  }

  func cost(of usage: LLMUsage) -> LLMCost {
    LLMCost(parts: usage.input * input) + LLMCost(parts: usage.output * output)
  }

  static func millionths(_ text: String, upTo largest: Int) -> Int? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = Int(parts[0]), whole <= largest
    else { return nil }
    let decimals = parts.count == 2 ? parts[1] : "0"
    guard decimals.count <= 6, let rest = Int(decimals + String(repeating: "0", count: 6 - decimals.count)) else {
      return nil
    }
    let sum = whole * 1_000_000 + rest
    return sum <= largest * 1_000_000 ? sum : nil
  }
}

/// The numbers of tokens in a request and its response.
struct LLMUsage: Hashable, Sendable {
  /// The maximum for each number. An endpoint that reports a larger number is faulty, and the number is reduced to this maximum.
  private static let most = 100_000_000
  let input: Int
  let output: Int
  /// Whether the numbers were estimated from sizes, because the endpoint did not return them.
  let isEstimated: Bool

  init(input: Int, output: Int, isEstimated: Bool = false) {
    self.input = Self.clamped(input)
    self.output = Self.clamped(output)
    self.isEstimated = isEstimated
  }

  static func clamped(_ count: Int) -> Int { min(max(0, count), most) }

  /// Returns an estimate from numbers of bytes. It assumes one token for three bytes, which is more tokens than models usually count.
  static func estimate(input: Int, output: Int) -> LLMUsage {
    LLMUsage(input: (input + 2) / 3, output: (output + 2) / 3, isEstimated: true)
  }
}
