/// A random number generator that depends only on its seed (SplitMix64).
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns a number from 0 up to, but not including, `limit`; 0 if `limit` is 0.
  package mutating func below(_ limit: Int) -> Int {
    limit <= 1 ? 0 : Int(next() % UInt64(limit))
  }

  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// Returns true with a probability of `percent` %.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  package mutating func pick<Values: RandomAccessCollection>(_ values: Values) -> Values.Element? {
    guard !values.isEmpty else { return nil }
    return values[values.index(values.startIndex, offsetBy: below(values.count))]
  }

  /// Picks one of several values, with a probability proportional to its weight.
  package mutating func pick<Value>(weighted values: [(Value, Int)]) -> Value? {
    var rest = below(values.reduce(0) { $0 + $1.1 })
    for (value, weight) in values {
      if rest < weight { return value }
      rest -= weight
    }
    return values.last?.0
  }
}
