import Localization

/// A value that code passes for one argument of a text.
package enum FormatArgument: Hashable, Sendable {
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  /// A number as it is printed, such as `1.50`, with `.` as the decimal separator. Its plural category depends on the visible digits (CLDR's
  /// operands). The category of a `real` depends on the fewest digits that identify the number.
  case decimal(String)
  /// A string or the description of an object.
  case text(String)
}

extension FormatArgument {
  /// The operands of CLDR's plural rules for the number; `nil` for text and for numbers that the rules cannot represent: infinity, NaN, and numbers
  /// with more digits than fit into 64 bits.
  ///
  /// A `real` has the fewest digits that identify it, such as `1` for 1.0. Foundation uses ICU, which writes the same digits.
  var pluralOperands: PluralOperands? {
    switch self {
    case .integer(let value): PluralOperands(shown: String(value))
    case .unsigned(let value): PluralOperands(shown: String(value))
    case .real(let value): DecimalDigits(value.description).flatMap { PluralOperands(shown: $0.plain) }
    case .decimal(let text): PluralOperands(shown: text)
    case .text: nil
    }
  }

  /// Whether the argument is zero. In every language, the form `zero` is shown for zero if it exists (xcode-formats.md H).
  var isZero: Bool { pluralOperands.map { $0.i == 0 && $0.t == 0 } ?? false }
}
