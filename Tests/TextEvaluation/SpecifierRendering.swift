import Localization

/// A formatter of one argument, which formats as Foundation does without a locale: with C's digits, `.` as the decimal separator, and no grouping.
/// With a locale, as in `String.localizedStringWithFormat`, Apple groups digits.
struct SpecifierRendering {
  let specifier: FormatSpecifier
  /// The specifier as written in the text, for error messages.
  let text: String
  let number: Int
  /// The width, from the specifier or from the argument that `*` takes, at most `largestSize`; `nil` if there is none. A negative argument counts
  /// as 0. The same applies to `precision`.
  var width: Int?
  var precision: Int?

  /// The largest supported width and precision. Texts are not trusted, and a larger size could exhaust the memory.
  static let largestSize = 1000

  func shown(_ argument: FormatArgument) throws(EvaluationFault) -> String {
    let wrong = EvaluationFault.wrongArgument(number: number, specifier: text)
    switch specifier.conversion {
    case UInt8(ascii: "d"), UInt8(ascii: "D"), UInt8(ascii: "i"):
      guard let bits = bits(of: argument) else { throw wrong }
      let value = signed(bits)
      return padded(integer: String(value.magnitude), sign: sign(isNegative: value < 0))
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      guard let bits = bits(of: argument) else { throw wrong }
      return padded(integer: String(unsigned(bits)), sign: "")
    case UInt8(ascii: "x"), UInt8(ascii: "X"), UInt8(ascii: "o"), UInt8(ascii: "O"):
      guard let bits = bits(of: argument) else { throw wrong }
      return based(unsigned(bits))
    case UInt8(ascii: "c"), UInt8(ascii: "C"):
      guard let bits = bits(of: argument), let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: bits & 0xFFFF)) else {
        throw wrong
      }
      return padded(String(scalar))
    case UInt8(ascii: "@"):
      return words(of: argument)
    case UInt8(ascii: "s"), UInt8(ascii: "S"):
      guard case .text(let words) = argument else { throw wrong }
      return padded(String(String.UnicodeScalarView(words.unicodeScalars.prefix(precision ?? .max))))
    case UInt8(ascii: "p"), UInt8(ascii: "n"):
      throw wrong
    default:
      return try real(argument, or: wrong)
    }
  }

  // MARK: Words

  private func words(of argument: FormatArgument) -> String {
    switch argument {
    case .text(let words): words
    case .integer(let value): String(value)
    case .unsigned(let value): String(value)
    case .real(let value): DecimalDigits(value.description).map { ($0.isNegative ? "-" : "") + $0.plain } ?? "\(value)"
    case .decimal(let text): text
    }
  }

  private func padded(_ text: String) -> String {
    let missing = (width ?? 0) - text.unicodeScalars.count
    guard missing > 0 else { return text }
    let spaces = String(repeating: " ", count: missing)
    return specifier.isLeftAligned ? text + spaces : spaces + text
  }

  // MARK: Whole numbers

  private func bits(of argument: FormatArgument) -> UInt64? {
    switch argument {
    case .integer(let value): UInt64(bitPattern: value)
    case .unsigned(let value): value
    case .real, .text: nil
    case .decimal(let text): Int64(text).map { UInt64(bitPattern: $0) }
    }
  }

  /// Returns the signed value of the argument's lowest bits. Their number depends on the length modifier, and is 32 without a length modifier.
  private func signed(_ bits: UInt64) -> Int64 {
    switch specifier.length {
    case "hh": Int64(Int8(truncatingIfNeeded: bits))
    case "h": Int64(Int16(truncatingIfNeeded: bits))
    case "l", "ll", "q", "j", "z", "t": Int64(bitPattern: bits)
    default: Int64(Int32(truncatingIfNeeded: bits))
    }
  }

  private func unsigned(_ bits: UInt64) -> UInt64 {
    switch specifier.length {
    case "hh": UInt64(UInt8(truncatingIfNeeded: bits))
    case "h": UInt64(UInt16(truncatingIfNeeded: bits))
    case "l", "ll", "q", "j", "z", "t": bits
    default: UInt64(UInt32(truncatingIfNeeded: bits))
    }
  }

  private func based(_ value: UInt64) -> String {
    let isOctal = specifier.conversion == UInt8(ascii: "o") || specifier.conversion == UInt8(ascii: "O")
    let isUpper = specifier.conversion == UInt8(ascii: "X")
    var digits = String(value, radix: isOctal ? 8 : 16, uppercase: isUpper)
    guard specifier.isAlternate, value != 0 else { return padded(integer: digits, sign: "") }
    if isOctal { digits = "0" + digits }
    return padded(integer: digits, sign: isOctal ? "" : isUpper ? "0X" : "0x")
  }

  /// Pads an integer. A precision is the minimum number of digits and overrides the zero flag.
  private func padded(integer digits: String, sign: String) -> String {
    guard let precision else { return padded(digits: digits, sign: sign) }
    let shown = precision == 0 && digits == "0" ? "" : digits
    return padded(sign + String(repeating: "0", count: max(precision - shown.utf8.count, 0)) + shown)
  }

  private func padded(digits: String, sign: String) -> String {
    guard specifier.isZeroPadded, !specifier.isLeftAligned else { return padded(sign + digits) }
    let missing = (width ?? 0) - sign.utf8.count - digits.utf8.count
    return sign + String(repeating: "0", count: max(missing, 0)) + digits
  }

  private func sign(isNegative: Bool) -> String { isNegative ? "-" : specifier.showsPlus ? "+" : "" }

  // MARK: Fractions

  private func real(_ argument: FormatArgument, or wrong: EvaluationFault) throws(EvaluationFault) -> String {
    let number: DecimalDigits
    switch argument {
    case .real(let value) where value.isFinite: number = DecimalDigits(value)
    case .real(let value):
      let isUpper = (0x41...0x5A).contains(specifier.conversion)
      let name = value.isNaN ? "nan" : "inf"
      return padded(sign(isNegative: value < 0) + (isUpper ? name.uppercased() : name))
    case .decimal(let text):
      guard let read = DecimalDigits(text) else { throw wrong }
      number = read
    case .integer, .unsigned, .text: throw wrong
    }
    let sign = sign(isNegative: number.isNegative)
    let places = precision ?? 6
    switch specifier.conversion {
    case UInt8(ascii: "f"), UInt8(ascii: "F"): return padded(digits: number.fixed(places), sign: sign)
    case UInt8(ascii: "e"), UInt8(ascii: "E"): return padded(digits: exponential(number, places), sign: sign)
    case UInt8(ascii: "g"), UInt8(ascii: "G"): return padded(digits: general(number, max(places, 1)), sign: sign)
    default:
      // %a shows the bits of a double. User-visible texts do not use it.
      throw wrong
    }
  }

  private func exponential(_ number: DecimalDigits, _ places: Int) -> String {
    let (mantissa, exponent) = number.scientific(places)
    return mantissa + power(exponent)
  }

  private func power(_ exponent: Int) -> String {
    let digits = String(exponent.magnitude)
    let isUpper = (0x41...0x5A).contains(specifier.conversion)
    return (isUpper ? "E" : "e") + (exponent < 0 ? "-" : "+") + (digits.utf8.count < 2 ? "0" : "") + digits
  }

  /// Formats `%g`, with this many significant digits and without trailing zeros unless `#` is set.
  private func general(_ number: DecimalDigits, _ places: Int) -> String {
    let (mantissa, exponent) = number.scientific(places - 1)
    let isPlain = exponent >= -4 && exponent < places
    let text = isPlain ? number.fixed(places - 1 - exponent) : mantissa
    let shown = specifier.isAlternate ? text : Self.withoutZeros(text)
    return isPlain ? shown : shown + power(exponent)
  }

  private static func withoutZeros(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
    let kept = text.reversed().drop { $0 == "0" }
    return String((kept.first == "." ? kept.dropFirst() : kept).reversed())
  }
}
