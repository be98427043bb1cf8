internal import Localization

/// HMAC-SHA256 (RFC 2104).
enum HMAC {
  private static let block = 64

  static func sha256(key: [UInt8], _ parts: [UInt8]...) -> [UInt8] {
    var key = key.count > block ? ContentDigest.of(key) : key
    key += [UInt8](repeating: 0, count: block - key.count)
    var inner = ContentDigest()
    inner.update(key.map { $0 ^ 0x36 })
    for part in parts { inner.update(part) }
    var outer = ContentDigest()
    outer.update(key.map { $0 ^ 0x5C })
    outer.update(inner.finish())
    return outer.finish()
  }

  /// Compares two values of which one is secret, in a time that does not depend on where they differ. Both are compared as digests with a
  /// random key, so even an early end of the comparison would tell nothing about them, and neither does their length.
  static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let key = (0..<32).map { _ in UInt8.random(in: 0...255) }
    return zip(sha256(key: key, a), sha256(key: key, b)).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
