/// The exact decimal digits of a number. The decimal expansion of a double is finite and has at most 767 significant digits.
struct DecimalDigits: Hashable, Sendable {
  private(set) var isNegative: Bool
  /// The digits before and after the decimal point, each 0 to 9, without zeros at the beginning and the end.
  private var digits: [UInt8]
  /// The position of the decimal point in `digits`: 2 for `12.5`, -1 for `0.0125`.
  private var point: Int

  var isZero: Bool { digits.isEmpty }

  /// Computes the digits of a double.
  /// - Parameter value: a finite number.
  init(_ value: Double) {
    isNegative = value.sign == .minus
    var limbs = [UInt32](repeating: 0, count: 2)
    let bits = value.isFinite ? value.significandBitPattern : 0
    let significand = value.isNormal ? bits | (1 << 52) : bits
    limbs[0] = UInt32(truncatingIfNeeded: significand)
    limbs[1] = UInt32(truncatingIfNeeded: significand >> 32)
    let exponent = (value.isNormal ? Int(value.exponentBitPattern) : 1) - 1075
    // Because m·2^-k = m·5^k / 10^k, only integers are multiplied.
    for _ in 0..<abs(exponent) { Self.multiply(&limbs, by: exponent < 0 ? 5 : 2) }
    digits = Self.decimal(limbs)
    point = digits.count + min(exponent, 0)
    normalize()
  }

  /// Reads numbers such as `-12.50` and `1.5e-07`; `nil` for any other text.
  init?(_ text: String) {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let halves = unsigned.split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = halves.first, let exponent = halves.count == 2 ? Int(halves[1]) : 0, exponent.magnitude <= 1000
    else { return nil }
    let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    isNegative = text.hasPrefix("-")
    digits = parts.flatMap { $0.utf8.map { $0 - 0x30 } }
    point = whole.utf8.count + exponent
    normalize()
  }

  private mutating func normalize() {
    let leading = digits.prefix { $0 == 0 }.count
    digits.removeFirst(leading)
    point -= leading
    while digits.last == 0 { digits.removeLast() }
    if digits.isEmpty { point = 0 }
  }

  /// The exponent of the first digit: 1 for `12.5`, -2 for `0.0125`, 0 for zero.
  var exponent: Int { digits.isEmpty ? 0 : point - 1 }

  /// Returns the number without its sign and with this many digits after the point, rounded half to even as in C.
  func fixed(_ count: Int) -> String {
    let rounded = rounding(to: point + count)
    var text = ""
    if rounded.point <= 0 { text = "0" }
    for place in 0..<max(rounded.point, 0) { text.append(rounded.digit(place)) }
    guard count > 0 else { return text }
    text.append(".")
    for place in 0..<count { text.append(rounded.digit(rounded.point + place)) }
    return text
  }

  /// Returns the rounded number without its sign, with one digit before the point and `count` digits after the point, and the number's exponent.
  func scientific(_ count: Int) -> (mantissa: String, exponent: Int) {
    let rounded = rounding(to: count + 1)
    var text = String(rounded.digit(0))
    if count > 0 { text.append(".") }
    for place in 1..<(count + 1) { text.append(rounded.digit(place)) }
    return (text, rounded.exponent)
  }

  private func digit(_ place: Int) -> Character {
    let value = digits.indices.contains(place) ? digits[place] : 0
    return Character(Unicode.Scalar(0x30 + value))
  }

  /// Returns the number rounded to this many digits.
  private func rounding(to count: Int) -> DecimalDigits {
    guard count < digits.count else { return self }
    var result = self
    guard count >= 0 else {
      result.digits = []
      result.point = 0
      return result
    }
    let rest = digits[count...]
    result.digits = Array(digits[..<count])
    let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
    let isUp = isHalf ? (result.digits.last ?? 0) % 2 == 1 : (rest.first ?? 0) >= 5
    if isUp {
      var place = count - 1
      while place >= 0, result.digits[place] == 9 {
        result.digits[place] = 0
        place -= 1
      }
      if place >= 0 {
        result.digits[place] += 1
      } else {
        result.digits.insert(1, at: 0)
        result.point += 1
      }
    }
    result.normalize()
    return result
  }

  /// All digits, without the sign, an exponent, or zeros at the end of the fraction: `1` for 1.0.
  var plain: String { fixed(max(digits.count - point, 0)) }

  private static func multiply(_ limbs: inout [UInt32], by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      let product = UInt64(limbs[index]) * factor + carry
      limbs[index] = UInt32(truncatingIfNeeded: product)
      carry = product >> 32
    }
    if carry > 0 { limbs.append(UInt32(truncatingIfNeeded: carry)) }
  }

  private static func decimal(_ number: [UInt32]) -> [UInt8] {
    var limbs = number
    var groups: [UInt32] = []
    while !limbs.isEmpty {
      var remainder: UInt64 = 0
      for index in limbs.indices.reversed() {
        let value = remainder << 32 | UInt64(limbs[index])
        limbs[index] = UInt32(value / 1_000_000_000)
        remainder = value % 1_000_000_000
      }
      groups.append(UInt32(remainder))
      while limbs.last == 0 { limbs.removeLast() }
    }
    var digits: [UInt8] = []
    for group in groups.reversed() {
      var divisor: UInt32 = 100_000_000
      for _ in 0..<9 {
        digits.append(UInt8(group / divisor % 10))
        divisor /= 10
      }
    }
    return digits
  }
}
