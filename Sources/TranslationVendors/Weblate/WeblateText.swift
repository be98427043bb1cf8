internal import Localization

/// Keys, texts and names as Weblate can keep them.
///
/// Weblate refuses control characters (it says “String contains control character”), and gettext has no empty key. Both are sent as private
/// characters of plane 15, which no text has, and restored when they come back.
enum WeblateText {
  private static let base: UInt32 = 0xF0000
  private static let emptyKey = "\u{F0100}"

  /// Characters that Weblate rejects (observed in version 2026.10.1): C0 controls except tab and line ends, and two noncharacters.
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

/// The component of a catalog.
struct WeblateComponent: Hashable, Sendable {
  /// Part of its address: the catalog's path in small letters and a digest, so that two catalogs never share one.
  let slug: String
  /// The display name. Weblate allows 100 characters.
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
