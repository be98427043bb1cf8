/// Finds control characters and U+FFFD to U+FFFF. They do not belong in a translation, and XML does not allow many of them.
package enum ControlCharacters {
  /// Returns the code of the first of these characters that a text has and its source text does not have, for example `U+7`; `nil` if there is none.
  /// Line feeds, tabs and carriage returns are ignored.
  package static func first(in text: String, notIn source: String) -> String? {
    guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 || $0 == 0xEF }) else { return nil }
    let found = text.unicodeScalars.first { isControl($0) && !source.unicodeScalars.contains($0) }
    return found.map { "U+" + String($0.value, radix: 16, uppercase: true) }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0x00...0x1F, 0x7F...0x9F, 0xFFFD...0xFFFF: true
    default: false
    }
  }
}
