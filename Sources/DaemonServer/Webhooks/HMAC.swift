internal import Localization

/// HMAC-SHA256 as webhooks use it.
enum HMAC {
  static func sha256(key: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    ContentDigest.authentication(of: Array(parts.joined()), key: key)
  }

  /// Compares two values of which one is secret, in a time that does not depend on where they differ. Both are compared as digests with a
  /// random key, so even an early end of the comparison would tell nothing about them, and neither does their length.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let key = (0..<32).map { _ in UInt8.random(in: 0...255) }
    return zip(sha256(key: key, a), sha256(key: key, b)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
