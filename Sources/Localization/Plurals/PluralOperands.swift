/// The properties of a number that CLDR's plural rules use (UTS 35, operands): its absolute value and its visible fraction digits.
package struct PluralOperands: Hashable, Sendable {
  /// The integer digits, as a number.
  package let i: UInt64
  /// The number of visible fraction digits with trailing zeros; `w` is the number without them.
  package let v: Int
  package let w: Int
  /// The visible fraction digits with trailing zeros, as a number; `t` is the number without them.
  package let f: UInt64
  package let t: UInt64

  package init(_ number: Int) {
    i = UInt64(number.magnitude)
    v = 0
    w = 0
    f = 0
    t = 0
  }

  /// Parses a number as shown to people, with `.` as the decimal separator: `1.50` has two visible fraction digits, `1.5` has one.
  /// - Returns: `nil` if the text is not a number, or if its digits do not fit into 64 bits.
  package init?(shown text: String) {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let isDigits = { (part: Substring) in !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard parts.allSatisfy(isDigits), let first = parts.first, let whole = UInt64(first) else { return nil }
    i = whole
    guard parts.count == 2, let fraction = parts.last else {
      (v, w, f, t) = (0, 0, 0, 0)
      return
    }
    let significant = fraction.reversed().drop { $0 == "0" }.count
    guard let all = UInt64(fraction), let some = significant == 0 ? 0 : UInt64(fraction.prefix(significant)) else {
      return nil
    }
    (v, w, f, t) = (fraction.utf8.count, significant, all, some)
  }
}
