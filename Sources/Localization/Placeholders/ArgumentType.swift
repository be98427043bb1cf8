/// The type of the argument that a format specifier uses. Specifiers of the same type are compatible.
///
/// Signed and unsigned specifiers have the same type. The same applies to decimal and hexadecimal specifiers, and to `%f` and `%e`. A translation may
/// use any specifier with the type of the source's specifier.
package enum ArgumentType: String, Hashable, Sendable, Codable {
  /// `%@`
  case object
  /// `%d`, `%u`, `%x`, `%c` and similar conversions, without a length or with `h` or `hh`.
  case int32
  /// The conversions of `int32` except `%c`, with `l`, `ll`, `q`, `j`, `z` or `t`; Apple's `long` has 64 bits.
  case int64
  /// `%f`, `%e`, `%g`, `%a`, also with the length `l`, which has no effect.
  case double
  /// The conversions of `double` with `L`.
  case longDouble
  /// `%s`
  case cString
  /// `%S` and `%ls`
  case unicharString
  /// `%p`
  case pointer
  /// `%n` writes through its argument, so no translation may add it.
  case written

  /// Determines the type of a conversion with its length modifier, which may be empty. Returns `nil` for an unknown conversion.
  package init?(conversion: UInt8, length: String) {
    switch conversion {
    case UInt8(ascii: "@"): self = .object
    case UInt8(ascii: "d"), UInt8(ascii: "i"), UInt8(ascii: "u"), UInt8(ascii: "o"), UInt8(ascii: "x"),
      UInt8(ascii: "X"), UInt8(ascii: "D"), UInt8(ascii: "U"), UInt8(ascii: "O"):
      self = ["l", "ll", "q", "j", "z", "t"].contains(length) ? .int64 : .int32
    case UInt8(ascii: "c"), UInt8(ascii: "C"): self = .int32
    case UInt8(ascii: "f"), UInt8(ascii: "F"), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "g"),
      UInt8(ascii: "G"), UInt8(ascii: "a"), UInt8(ascii: "A"):
      self = length == "L" ? .longDouble : .double
    case UInt8(ascii: "s"): self = length == "l" ? .unicharString : .cString
    case UInt8(ascii: "S"): self = .unicharString
    case UInt8(ascii: "p"): self = .pointer
    case UInt8(ascii: "n"): self = .written
    default: return nil
    }
  }

  /// Determines the type of a specifier with or without its `%`: `lld` → `int64` (154 of 4,272 `.stringsdict` files write the `%`;
  /// xcode-formats.md F). Returns `nil` for any other text.
  package init?(specifier: String) {
    let format = FormatString(specifier.utf8.first == UInt8(ascii: "%") ? specifier : "%" + specifier)
    guard let only = format.arguments.first, format.arguments.count == 1, !format.hasStrayPercent else { return nil }
    self = only.type
  }

  var isInteger: Bool { self == .int32 || self == .int64 }

  package var isNumber: Bool {
    switch self {
    case .int32, .int64, .double, .longDouble: true
    default: false
    }
  }
}
