/// The placeholders of a text.
///
/// A `%` begins one of: `%%`; `%arg` (the argument of a substitution); `%#@name@` and `%2$#@name@`; a specifier
/// `%[n$][flags][width][.precision][length]conversion` with flags `-+0#'`, width and precision as digits, `*` or `*n$`. Any other `%` is
/// *stray*. The space flag is not supported, because it would make `% o` in "50% off" an octal number, and no localized text uses it. A
/// bare specifier between a digit and a letter ("100%ige") does not count as a specifier either. `${name}` is a parameter of an intent.
/// Arguments without a number are numbered from 1, as in `printf`. Each `*` is an argument too.
package struct FormatString: Hashable, Sendable {
  /// One argument that the text uses.
  package struct Argument: Hashable, Sendable {
    /// The number of the argument, counted from 1.
    package var number: Int
    package var type: ArgumentType
    /// Whether the argument is certainly a specifier: it has a number or a length, or is `%@`, `%s`, `%S` or `%n`, or the `*` of a width or
    /// precision.
    package var isDeliberate: Bool
    /// The argument as written.
    package var text: String
  }

  /// One reference to a substitution: `%2$#@birds@`.
  package struct Reference: Hashable, Sendable {
    package var name: String
    /// The number of the reference's argument, as written or as counted.
    package var number: Int
    /// Whether the reference contains its argument's number.
    package var isNumbered: Bool
  }

  package private(set) var arguments: [Argument] = []
  package private(set) var references: [Reference] = []
  /// The number of occurrences of `%arg`.
  package private(set) var substitutionArguments = 0
  /// The names of all parameters `${name}`, in order.
  package private(set) var names: [String] = []
  /// Whether the text has a stray `%`. A source text with a stray `%` was not written as a format.
  package private(set) var hasStrayPercent = false
  /// The maximum number of digits of a width or precision. `%999999999d` would print a gigabyte of spaces.
  static let mostDigits = 3
  /// The specifiers whose width or precision has more than `mostDigits` digits.
  package private(set) var oversized: [String] = []
  /// Whether the text contains `%%`.
  package private(set) var hasEscapedPercent = false
  /// The text, split into literal text and placeholders.
  package var parts: [Part] { isPlain ? (text.isEmpty ? [] : [.literal(text)]) : cut }
  private var cut: [Part] = []
  /// Whether the text has neither a `%` nor a `$`. Most texts have neither; for these, only the text is stored.
  package let isPlain: Bool

  package enum Part: Hashable, Sendable {
    case literal(String)
    case escapedPercent
    case substitutionArgument
    case reference(Reference)
    /// A specifier, with its text after the `%` and the argument number: `lld` of `%1$lld`.
    case specifier(Argument, rest: String)
    case name(String)
  }

  /// The whole text.
  package let text: String

  package init(_ text: String) {
    self.text = text
    isPlain = !text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "$") })
    guard !isPlain else { return }
    var reader = FormatReader(text)
    while let part = reader.next() {
      switch part {
      case .literal, .name: if case .name(let name) = part { names.append(name) }
      case .escapedPercent: hasEscapedPercent = true
      case .substitutionArgument: substitutionArguments += 1
      case .reference(let reference): references.append(reference)
      case .specifier(let argument, _): arguments.append(argument)
      }
      cut.append(part)
    }
    arguments += reader.starArguments
    hasStrayPercent = reader.sawStrayPercent
    oversized = reader.oversized
  }

  /// The text with every argument numbered, as Xcode writes the source text of a key with two or more arguments (xcode-formats.md E4). `nil` if the
  /// text has fewer than two arguments, a reference to a substitution or a size `*`, or if an argument already has a number.
  package var numbered: String? {
    guard arguments.count >= 2, references.isEmpty, !parts.contains(where: \.isNumbered), !hasStar else { return nil }
    return parts.map { part in
      if case .specifier(let argument, let rest) = part { "%\(argument.number)$\(rest)" } else { part.text }
    }.joined()
  }

  /// The text without argument numbers, if these are sequential and no size is a `*`: `%1$@ of %2$lld` → `%@ of %lld`. Any other text is
  /// unchanged. Two source texts that differ only in such numbers count as the same text.
  package var unnumbered: String {
    guard references.contains(where: \.isNumbered) || parts.contains(where: \.isNumbered) else { return text }
    var count = 0
    var isCounting = !hasStar
    for part in parts {
      switch part {
      case .specifier(let argument, _):
        count += 1
        if argument.number != count { isCounting = false }
      case .reference(let reference):
        count += 1
        if reference.number != count { isCounting = false }
      default: break
      }
    }
    return parts.map { part in
      switch part {
      case .specifier(_, let rest) where isCounting: "%\(rest)"
      case .reference(let reference) where isCounting: "%#@\(reference.name)@"
      default: part.text
      }
    }.joined()
  }

  private var hasStar: Bool { parts.contains { $0.text.utf8.contains(UInt8(ascii: "*")) && $0.isSpecifier } }
}

extension FormatString.Part {
  /// The part as written in the text.
  package var text: String {
    switch self {
    case .literal(let text): text
    case .escapedPercent: "%%"
    case .substitutionArgument: "%arg"
    case .reference(let reference):
      reference.isNumbered ? "%\(reference.number)$#@\(reference.name)@" : "%#@\(reference.name)@"
    case .specifier(let argument, _): argument.text
    case .name(let name): "${\(name)}"
    }
  }

  fileprivate var isSpecifier: Bool { if case .specifier = self { true } else { false } }

  /// Whether a specifier contains the number of its argument, such as `%2$@`.
  package var isNumbered: Bool {
    if case .specifier(let argument, let rest) = self { argument.text != "%" + rest } else { false }
  }
}
