import Localization

/// A value that code passes for one argument of a text.
package enum FormatArgument: Hashable, Sendable {
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  /// A number as printed, with `.` as the decimal separator: `1.50`. Its plural category depends on the visible digits (CLDR's operands);
  /// that of `real` on the digits it needs.
  case decimal(String)
  /// A string, or the description of an object.
  case text(String)
}

extension FormatArgument {
  /// The number as CLDR's plural rules see it; `nil` for text and for numbers outside the rules: infinity, and numbers with more digits
  /// than fit into 64 bits.
  ///
  /// A `real` has the fewest digits that identify it, `1` for 1.0, as in ICU, which Foundation uses.
  var pluralOperands: PluralOperands? {
    switch self {
    case .integer(let value): PluralOperands(shown: String(value))
    case .unsigned(let value): PluralOperands(shown: String(value))
    case .real(let value): DecimalDigits(value.description).flatMap { PluralOperands(shown: $0.plain) }
    case .decimal(let text): PluralOperands(shown: text)
    case .text: nil
    }
  }

  /// Whether the argument is zero. The form `zero` is shown for it in every language (xcode-formats.md H).
  var isZero: Bool { pluralOperands.map { $0.i == 0 && $0.t == 0 } ?? false }
}
