package import Localization

/// The digest of a source pin: the first 16 bytes of SHA-256 in hexadecimal.
package struct PinDigest: RawRepresentable, Hashable, Sendable, Codable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }
  package init(_ pin: SourcePin) { rawValue = ContentDigest.hexadecimal(of: Array(pin.canonical.utf8), bytes: 16) }
}

extension Catalog {
  /// Returns the digest of an entry's source pin; `nil` if there is no such entry.
  func pin(of key: UnitKey) -> PinDigest? {
    entries[key].map { PinDigest(SourcePin(key: key, entry: $0, sourceLanguage: sourceLanguage)) }
  }
}
