/// A name as 32 bits. Two names of one hash only make more work: what hangs on names takes them for one.
///
/// The linker compares names by canonical equivalence, so all names outside of ASCII share one hash.
enum NameHash {
  /// No name: of what has no owner.
  static let none: UInt32 = 0
  private static let beyondASCII: UInt32 = 1

  static func of(_ name: String) -> UInt32 {
    var name = name
    return name.withUTF8 { of($0[...]) }
  }

  static func of(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    for byte in bytes {
      guard byte < 0x80 else { return beyondASCII }
      hash = (hash ^ UInt32(byte)) &* 0x0100_0193
    }
    // The low bits are what tables go by.
    hash ^= hash >> 15
    hash = hash &* 0x2C1B_3C6D
    hash ^= hash >> 13
    return hash < 2 ? hash + 2 : hash
  }
}
