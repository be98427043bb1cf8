internal import Localization

/// Functions that convert keys and texts to a form that Weblate can store, and back.
///
/// Weblate refuses control characters and noncharacters with the message “String contains control character”, and a key in a gettext file cannot be
/// empty. Therefore these characters and empty keys are replaced by private-use characters of plane 15, which are not expected in texts. The original
/// texts and keys are restored when strings are read.
enum WeblateText {
  private static let base: UInt32 = 0xF0000
  private static let emptyKey = "\u{F0100}"

  /// Returns whether Weblate rejects a character. Weblate rejects C0 controls except tab and line ends, and the noncharacters U+FFFE and U+FFFF
  /// (observed in version 2026.10.1).
  private static func isRefused(_ value: UInt32) -> Bool {
    value < 0x20 && ![9, 10, 13].contains(value) || value == 0xFFFE || value == 0xFFFF
  }

  static func encode(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isRefused($0.value) }) else { return text }
    return map(text) { isRefused($0) ? base + ($0 & 0xFF) : $0 }
  }

  static func decode(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { original($0.value) != nil }) else { return text }
    return map(text) { original($0) ?? $0 }
  }

  static func encode(key: String) -> String { key.isEmpty ? emptyKey : encode(key) }
  static func decode(key: String) -> String { key == emptyKey ? "" : decode(key) }

  private static func original(_ value: UInt32) -> UInt32? {
    guard (base...base + 0xFF).contains(value) else { return nil }
    let low = value - base
    return low < 0x20 ? low : low >= 0xFE ? 0xFF00 + low : nil
  }

  private static func map(_ text: String, _ change: (UInt32) -> UInt32) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(Unicode.Scalar(change(scalar.value)) ?? scalar) }
    return String(result)
  }
}

/// The names of the Weblate component of a catalog.
struct WeblateComponent: Hashable, Sendable {
  /// The component's name in addresses. The slug consists of the end of the catalog's path, in lower case, and a digest of the path, so different
  /// catalogs have different slugs.
  let slug: String
  /// The display name. Weblate allows at most 100 characters.
  let name: String

  init(of catalog: TreePath) {
    let digest = ContentDigest.hexadecimal(of: Array(catalog.text.utf8)).prefix(8)
    var words = ""
    for byte in catalog.text.lowercased().utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain {
        words.append(Character(Unicode.Scalar(byte)))
      } else if !words.isEmpty, !words.hasSuffix("-") {
        words.append("-")
      }
    }
    // The end of a path is more specific than its start.
    let end = words.suffix(80).drop { $0 == "-" }
    slug = end.isEmpty ? "catalog-\(digest)" : "\(end)-\(digest)"
    name = catalog.text.count <= 100 ? catalog.text : "…\(catalog.text.suffix(88)) \(digest)"
  }
}
