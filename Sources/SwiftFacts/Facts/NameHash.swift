/// A name as a hash of 32 bits. If two names share a hash, they are treated as one name, which only causes more work.
///
/// The linker compares names by canonical equivalence. All names with characters outside ASCII therefore share one hash, except those that
/// are equivalent to a name in ASCII.
package enum NameHash {
  /// The hash for declarations without an owner.
  @inlinable
  package static var none: UInt32 { 0 }
  private static let beyondASCII: UInt32 = 1

  package static func of(_ name: String) -> UInt32 {
    var name = name
    return name.withUTF8 { of($0[...]) }
  }

  /// The characters that are canonically equivalent to an ASCII character (UnicodeData.txt, singleton decompositions): Greek question mark, Greek
  /// varia, Kelvin sign.
  private static let equivalents: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{37E}": ";", "\u{1FEF}": "`", "\u{212A}": "K",
  ]

  private static func ofEquivalent(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    var name = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let plain = equivalents[scalar] ?? scalar
      guard plain.isASCII else { return beyondASCII }
      name.unicodeScalars.append(plain)
    }
    return of(name)
  }

  package static func of(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes {
      guard byte < 0x80 else { return ofEquivalent(bytes) }
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    // Mix the high bits into the low bits, because hash tables use the low bits.
    hash ^= hash >> 15
    hash = hash &* 0x2C1B_3C6D
    hash ^= hash >> 13
    return hash < 2 ? hash + 2 : hash
  }
}
