internal import CLibCrypto

/// SHA-256 of bytes (FIPS 180-4): the name under which something that was worked out from them is kept.
package struct ContentDigest {
  private var context = SHA256_CTX()

  package init() { SHA256_Init(&context) }

  /// The digest of some bytes, 32 bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finish()
  }

  /// The same in hexadecimal digits.
  /// - Parameter count: how many bytes of it are told.
  package static func hexadecimal(of bytes: some Sequence<UInt8>, bytes count: Int = 32) -> String {
    of(bytes).prefix(count).hexadecimal
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    let isAdded = bytes.withContiguousStorageIfAvailable { SHA256_Update(&context, $0.baseAddress, $0.count) } != nil
    if !isAdded { update(Array(bytes)) }
  }

  /// Text with its length before it, so that two texts in a row are not taken for one.
  package mutating func update(text: String) {
    update(number: text.utf8.count)
    update(text.utf8)
  }

  package mutating func update(number: Int) {
    withUnsafeBytes(of: Int64(number).littleEndian) { _ = SHA256_Update(&context, $0.baseAddress, $0.count) }
  }

  /// The 32 bytes; nothing can be added after it.
  package consuming func finish() -> [UInt8] {
    var context = context
    return [UInt8](unsafeUninitializedCapacity: 32) { bytes, count in
      SHA256_Final(bytes.baseAddress, &context)
      count = 32
    }
  }

  /// The same in 64 hexadecimal digits.
  package consuming func finishHexadecimal() -> String { finish().hexadecimal }
}

extension Collection<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
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
