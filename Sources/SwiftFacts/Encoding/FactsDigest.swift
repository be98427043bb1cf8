import Localization

/// A digest of a part of a file's facts: the first 16 bytes of a SHA-256. Only equal parts have the same digest.
package struct FactsDigest: Hashable, Sendable {
  /// The first and the last eight bytes, as big-endian numbers.
  package let high: UInt64
  package let low: UInt64

  package static let byteCount = 16

  /// The value for a file without facts. No file has this digest.
  package static let absent = FactsDigest(high: 0, low: 0)

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Returns the digest of two parts, one after the other.
  package static func of(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> FactsDigest {
    var digest = ContentDigest()
    digest.update(first)
    digest.update(second)
    return digest.finish().withUnsafeBufferPointer { FactsDigest($0) }
  }

  /// - Parameter bytes: the bytes that begin with the digest. There must be at least `byteCount`.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count >= Self.byteCount)
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
  }

  // Half of the digest suffices, because its bits are evenly distributed.
  package func hash(into hasher: inout Hasher) { hasher.combine(low) }

  package func append(to bytes: inout [UInt8]) {
    for word in [high, low] {
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
  }
}
