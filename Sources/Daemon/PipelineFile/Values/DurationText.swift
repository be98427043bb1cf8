/// The notation of durations in pipeline files: `2m`, `10s`, `1h30m`, `500ms`, `0`. Larger units come first, and each unit occurs at most once.
enum DurationText {
  /// Returns the duration that a text specifies; `nil` if the text does not have this notation, or if the duration is longer than 366 days.
  static func duration(_ text: String) -> Duration? {
    guard text != "0" else { return .zero }
    var rest = text.utf8[...]
    var milliseconds = 0
    var largest = Int.max
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      let unit = rest.dropFirst(digits.count).prefix { !(0x30...0x39).contains($0) }
      rest = rest.dropFirst(digits.count + unit.count)
      guard digits.count <= 9, let number = Int(String(digits) ?? ""), let factor = factors[String(unit) ?? ""],
        factor < largest
      else { return nil }
      largest = factor
      milliseconds += number * factor
    }
    guard milliseconds <= 366 * 24 * 3_600_000 else { return nil }
    return .milliseconds(milliseconds)
  }

  /// The lengths of the units in milliseconds.
  private static let factors = ["h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1]
}
