/// Functions that parse the numbers in XML property lists.
enum PropertyListNumber {
  /// Parses a decimal or `0x…` number, with or without a sign. A number that does not fit in 64 signed bits becomes a real, which is precise enough
  /// for all our uses. Returns `nil` for any other text, and for numbers of more than 64 bits.
  static func integer(_ text: String) -> PropertyListValue.Content? {
    let isNegative = text.hasPrefix("-")
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let plain = isHexadecimal ? digits.dropFirst(2) : digits
    guard let first = plain.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-"),
      let magnitude = UInt64(plain, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    if isNegative { return Int("-\(magnitude)").map { .integer($0) } ?? .real(-Double(magnitude)) }
    return Int(exactly: magnitude).map { .integer($0) } ?? .real(Double(magnitude))
  }

  /// Parses a number in C notation, including the names of infinity and NaN. Returns `nil` for any other text.
  static func real(_ text: String) -> PropertyListValue.Content? {
    switch text.lowercased() {
    case "nan": .real(.nan)
    case "inf", "+inf", "infinity", "+infinity": .real(.infinity)
    case "-inf", "-infinity": .real(-.infinity)
    default: Double(text).map { .real($0) }
    }
  }
}

/// A parser of the dates in XML property lists, such as `2026-11-21T07:00:00Z`.
enum PropertyListDate {
  /// Returns the seconds since the start of 2001 in UTC; `nil` if the text is not such a date.
  static func seconds(_ text: String) -> Double? {
    let isNegative = text.hasPrefix("-")
    let fields = (isNegative ? text.dropFirst() : text[...]).utf8.split(omittingEmptySubsequences: false) {
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    let separators = text.utf8.drop { $0 == UInt8(ascii: "-") }.filter {
      !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    guard separators.elementsEqual("--T::Z".utf8), fields.count == 7, fields[6].isEmpty else { return nil }
    let numbers = fields.dropLast().compactMap { Int(String(Substring($0))) }
    guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]), numbers[3] < 24,
      numbers[4] < 60, numbers[5] < 60, numbers[0] < 1_000_000
    else { return nil }
    let days = days(isNegative ? -numbers[0] : numbers[0], numbers[1], numbers[2]) - 730_791
    return Double(((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5])
  }

  /// Returns the number of days since 1 March of the year 0 in the proleptic Gregorian calendar.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  }
}
