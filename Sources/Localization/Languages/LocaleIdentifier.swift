/// The identifier of a language. Projects use Xcode's spelling, which is BCP 47 with hyphens: `de`, `pt-BR`, `zh-Hans` (xcode-formats.md I). Vendors
/// may use other spellings.
///
/// Identifiers keep their spelling, so two spellings of one language are two identifiers. Identifiers are compared and sorted by UTF-8 bytes.
package struct LocaleIdentifier: RawRepresentable, Hashable, Comparable, Sendable, Codable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  package let rawValue: String

  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ rawValue: String) { self.rawValue = rawValue }
  package init(stringLiteral value: String) { self.rawValue = value }

  package init(from decoder: any Decoder) throws {
    rawValue = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(rawValue)
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue.utf8.lexicographicallyPrecedes(b.rawValue.utf8) }

  package var description: String { rawValue }

  /// The language subtag in lower case: `pt` for `pt-BR`.
  package var language: String {
    String(rawValue.prefix { $0 != "-" && $0 != "_" }).lowercased()
  }

  /// The identifier with the letter case that BCP 47 recommends and Xcode uses: `zh-Hant-HK`, `pt-BR`.
  package var inUsualCase: LocaleIdentifier {
    let parts = rawValue.split(separator: "-", omittingEmptySubsequences: false)
    let usual = parts.enumerated().map { place, part in
      switch part.count {
      case 4 where place > 0 && part.allSatisfy(\.isLetter): part.prefix(1).uppercased() + part.dropFirst().lowercased()
      case 2 where place > 0: part.uppercased()
      default: part.lowercased()
      }
    }
    return LocaleIdentifier(usual.joined(separator: "-"))
  }

  /// Whether the identifier has the form of a BCP 47 tag: letters, digits and hyphens, subtags of one to eight characters, first subtag of two to
  /// eight letters, at most 35 bytes. Such an identifier is safe in file names.
  package var isWellFormed: Bool {
    let parts = rawValue.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = parts.first, (2...8).contains(first.count), rawValue.utf8.count <= 35 else { return false }
    let isLetter = { (byte: UInt8) in (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    return first.allSatisfy(isLetter)
      && parts.dropFirst().allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
  }
}
