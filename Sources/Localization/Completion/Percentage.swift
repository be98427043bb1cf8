/// A percentage that a person requires, as an exact decimal number.
package struct Percentage: Hashable, Sendable, CustomStringConvertible {
  /// The value in millionths of a percent.
  package let millionths: Int

  /// The maximum number of decimals.
  private static let mostDecimals = 6
  private static let unit = 1_000_000

  /// Creates a percentage without decimals.
  /// - Parameter whole: a number from 0 to 100.
  package init(_ whole: Int) { millionths = whole * Self.unit }

  /// Parses `95` or `99.95`.
  /// - Returns: `nil` unless the text is a number from 0 to 100 with at most six decimals.
  package init?(_ text: some StringProtocol) {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, (1...3).contains(whole.count),
      parts.count == 1 || (1...Self.mostDecimals).contains(parts[1].count),
      parts.joined().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let decimals = parts.count == 2 ? Array(parts[1]) : []
    let digits = Array(whole) + decimals + Array(repeating: 0x30, count: Self.mostDecimals - decimals.count)
    millionths = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    guard millionths <= 100 * Self.unit else { return nil }
  }

  /// Returns whether a part of a total is at least this percentage. A total of 0 reaches every percentage.
  package func isReached(by part: Int, of total: Int) -> Bool {
    total == 0 || part * 100 * Self.unit >= millionths * total
  }

  /// The number of decimals without trailing zeros.
  package var decimals: Int {
    var (rest, decimals) = (millionths, Self.mostDecimals)
    while decimals > 0, rest % 10 == 0 { (rest, decimals) = (rest / 10, decimals - 1) }
    return decimals
  }

  /// The percentage as text: `95 %`, `99.95 %`.
  package var description: String { Self.text(millionths, decimals: Self.mostDecimals) }

  /// Returns the percentage that a part is of a total as text, rounded down to this number of decimals, without trailing zeros: `96.8 %`. For a total
  /// of 0, returns `100 %`.
  package static func text(_ part: Int, of total: Int, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(100) { scale, _ in scale * 10 }
    return text(total == 0 ? scale : part * scale / total, decimals: decimals)
  }

  /// Returns a percentage as text, without trailing zeros.
  /// - Parameter digits: the percentage without its decimal point: 968 for 96.8 with one decimal.
  private static func text(_ digits: Int, decimals: Int) -> String {
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let fraction = String(digits % scale)
    var text = "\(digits / scale)." + String(repeating: "0", count: max(0, decimals - fraction.count)) + fraction
    while text.hasSuffix("0") { text.removeLast() }
    return (text.hasSuffix(".") ? String(text.dropLast()) : text) + " %"
  }
}
