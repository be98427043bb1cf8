/// What code passes for one argument of a text.
package enum FormatArgument: Hashable, Sendable {
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  /// A number as it stands in print, with `.` before its fraction: `1.50`. Its plural category goes by the digits that
  /// are shown (CLDR's operands), where `real` has those that it needs.
  case decimal(String)
  /// Words: a string, or what an object says of itself.
  case text(String)
}

extension FormatArgument {
  /// The number as CLDR's plural rules see it; `nil` for words, and for what no rule knows: infinity, and more digits
  /// than 64 bits hold.
  ///
  /// A `real` has the digits that tell it from its neighbours, `1` for 1.0, as ICU takes a double: Foundation asks ICU.
  var pluralOperands: PluralOperands? {
    switch self {
    case .integer(let value): PluralOperands(shown: String(value))
    case .unsigned(let value): PluralOperands(shown: String(value))
    case .real(let value): DecimalDigits(value.description).flatMap { PluralOperands(shown: $0.plain) }
    case .decimal(let text): PluralOperands(shown: text)
    case .text: nil
    }
  }

  /// Whether the argument is the number zero, which the form `zero` is for in every language (xcode-formats.md H).
  var isZero: Bool { pluralOperands.map { $0.i == 0 && $0.t == 0 } ?? false }
}
