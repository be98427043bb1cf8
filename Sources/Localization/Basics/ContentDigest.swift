internal import CLibCrypto

/// The computation of a SHA-256 digest (FIPS 180-4). For example, caches store values under the digest of the bytes from which they were computed.
package struct ContentDigest {
  private var context = SHA256_CTX()

  package init() { SHA256_Init(&context) }

  /// Returns the 32-byte digest of some bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finish()
  }

  /// Returns the first bytes of the digest in hexadecimal digits.
  /// - Parameter count: the number of bytes of the digest to return, at most 32.
  package static func hexadecimal(of bytes: some Sequence<UInt8>, bytes count: Int = 32) -> String {
    of(bytes).prefix(count).hexadecimal
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let isAdded = bytes.withContiguousStorageIfAvailable { SHA256_Update(&context, $0.baseAddress, $0.count) } != nil
    if !isAdded { update(Array(bytes)) }
  }

  /// Adds a text, preceded by its length, so that "ab" + "c" and "a" + "bc" have different digests.
  package mutating func update(text: String) {
    update(number: text.utf8.count)
    update(text.utf8)
  }

  package mutating func update(number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { _ = SHA256_Update(&context, $0.baseAddress, $0.count) }
  }

  /// Returns the digest's 32 bytes. No more bytes can be added afterwards.
  package consuming func finish() -> [UInt8] {
    var context = context
    return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      SHA256_Final(bytes.baseAddress, &context)
      count = 32
    }
  }

  /// Returns the digest as 64 hexadecimal digits. No more bytes can be added afterwards.
  package consuming func finishHexadecimal() -> String { finish().hexadecimal }
}

extension Collection<UInt8> {
  /// The bytes as text, with two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(unsafeUninitializedCapacity: count * 2) { text in
      var position = 0
      for byte in self {
        text[position] = digits[Int(byte >> 4)]
        text[position + 1] = digits[Int(byte & 15)]
        position += 2
      }
      return position
    }
  }
}
