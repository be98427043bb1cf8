/// The person who made a translation, as reported by a vendor. The initializer checks every part, because names and addresses come from the
/// vendors' users and may contain any characters.
package struct Translator: Hashable, Sendable, Codable {
  /// The name: one line of at most 100 Unicode scalars, without `<`, `>`, control and formatting characters. Never empty.
  package let name: String
  /// The name of the person's account at the vendor, with the same limits; `nil` if the vendor reports none.
  package let account: String?
  /// The e-mail address, `local@domain` in ASCII; `nil` if the vendor reports no valid address.
  package let address: String?

  /// The maximum length of a name in Unicode scalars.
  package static let longestName = 100

  /// Creates a translator from a vendor's data. Invalid parts count as missing. Without a name, the account is the name, or else the part of the
  /// address before the `@`.
  /// - Returns: `nil` if the name, the account and the address are all missing.
  package init?(name: String?, account: String? = nil, address: String? = nil) {
    let account = account.flatMap(Self.line)
    let address = address.flatMap(Self.address)
    let local = address.map { String($0.prefix { $0 != "@" }) }
    guard let name = name.flatMap(Self.line) ?? account ?? local.flatMap(Self.line) else { return nil }
    self.name = name
    self.account = account
    self.address = address
  }

  /// Returns a text as one line that git stores as a name unchanged; `nil` if nothing remains of the text.
  private static func line(_ text: String) -> String? {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(1000) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator: clean.append(" ")
      // These characters have no glyph, and some change the direction of the following text.
      case .format, .surrogate, .privateUse, .unassigned: continue
      default: if scalar != "<", scalar != ">" { clean.append(scalar) }
      }
    }
    let words = String(clean).split(separator: " ").joined(separator: " ")
    // Git removes these characters at both ends of a name.
    let crud: Set<Character> = [".", ",", ":", ";", "\"", "\\", "'", " "]
    func trimmed(_ text: Substring) -> Substring {
      guard let last = text.lastIndex(where: { !crud.contains($0) }) else { return "" }
      return text[...last].drop { crud.contains($0) }
    }
    let cut = trimmed(words[...]).unicodeScalars.prefix(longestName)
    let name = trimmed(Substring(cut))
    return name.isEmpty ? nil : String(name)
  }

  /// Returns a text if it is a valid e-mail address that git stores unchanged; otherwise `nil`.
  package static func address(_ text: String) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, text.utf8.count <= 254 else { return nil }
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
    let hyphen = UInt8(ascii: "-")
    let isLocal = parts[0].allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~.".utf8.contains($0) }
    let labels = parts[1].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isDomain = labels.allSatisfy { label in
      guard let first = label.first, first != hyphen else { return false }
      return label.allSatisfy { isAlphanumeric($0) || $0 == hyphen }
    }
    // Git removes these characters at both ends of an address.
    let isStable = ![".", "'"].contains { text.hasPrefix($0) || parts[0].last == $0.utf8.first }
    return isLocal && isDomain && isStable ? text : nil
  }
}
