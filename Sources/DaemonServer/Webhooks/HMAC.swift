internal import Localization

/// Functions for HMAC-SHA256, which authenticates webhooks and forms, and for the comparison of secrets.
enum HMAC {
  static func sha256(key: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    ContentDigest.authentication(of: Array(parts.joined()), key: key)
  }

  /// Compares a value with a secret value, in a time that does not depend on where they differ. The keyed digests of both are compared, so the time
  /// reveals neither the content nor the length of the secret.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let key = (0..<32).map { _ in UInt8.random(in: 0...255) }
    return zip(sha256(key: key, a), sha256(key: key, b)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
