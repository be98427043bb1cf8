/// SHA-256 of bytes (FIPS 180-4): the name under which something that was worked out from them is kept.
///
/// Written out here, since the modules that extract build without a library for cryptography, and no secret is involved: what counts
/// is that a hostile repository cannot give two different things one name.
package struct ContentDigest {
  private var state = SIMD8<UInt32>(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)
  /// Bytes of a block that is not full yet.
  private var pending: [UInt8] = []
  private var count: UInt64 = 0

  package init() { pending.reserveCapacity(64) }

  /// The digest of some bytes, 32 bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var digest = ContentDigest()
    digest.update(bytes)
    return digest.finish()
  }

  package mutating func update(_ bytes: some Sequence<UInt8>) {
    if bytes.withContiguousStorageIfAvailable({ update($0) }) == nil { update(Array(bytes)) }
  }

  /// Text with its length before it, so that two texts in a row are not taken for one.
  package mutating func update(text: String) {
    update(number: text.utf8.count)
    update(text.utf8)
  }

  package mutating func update(number: Int) {
    update((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  private mutating func update(_ bytes: UnsafeBufferPointer<UInt8>) {
    count &+= UInt64(bytes.count)
    var position = 0
    if !pending.isEmpty {
      position = min(64 - pending.count, bytes.count)
      pending.append(contentsOf: bytes[..<position])
      guard pending.count == 64 else { return }
      let block = pending
      block.withUnsafeBufferPointer { compress($0) }
      pending.removeAll(keepingCapacity: true)
    }
    while bytes.count - position >= 64 {
      compress(UnsafeBufferPointer(rebasing: bytes[position..<(position + 64)]))
      position += 64
    }
    pending.append(contentsOf: bytes[position...])
  }

  /// The 32 bytes; nothing can be added after it.
  package consuming func finish() -> [UInt8] {
    let bits = count &* 8
    var padding: [UInt8] = [0x80]
    while (pending.count + padding.count) % 64 != 56 { padding.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      padding.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    update(padding)
    return (0..<32).map { UInt8(truncatingIfNeeded: state[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
  }

  /// The same in 64 hexadecimal digits.
  package consuming func finishHexadecimal() -> String {
    finish().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private mutating func compress(_ block: UnsafeBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
      for index in 0..<16 {
        let at = index * 4
        words[index] =
          UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8 | UInt32(block[at + 3])
      }
      for index in 16..<64 {
        let a = words[index - 15]
        let b = words[index - 2]
        let first = Self.turned(a, 7) ^ Self.turned(a, 18) ^ a >> 3
        let second = Self.turned(b, 17) ^ Self.turned(b, 19) ^ b >> 10
        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      }
      var (a, b, c, d) = (state[0], state[1], state[2], state[3])
      var (e, f, g, h) = (state[4], state[5], state[6], state[7])
      Self.constants.withUnsafeBufferPointer { constants in
        for index in 0..<64 {
          let sum = Self.turned(e, 6) ^ Self.turned(e, 11) ^ Self.turned(e, 25)
          let choice = e & f ^ ~e & g
          let first = h &+ sum &+ choice &+ constants[index] &+ words[index]
          let other = Self.turned(a, 2) ^ Self.turned(a, 13) ^ Self.turned(a, 22)
          let second = other &+ (a & b ^ a & c ^ b & c)
          (h, g, f, e) = (g, f, e, d &+ first)
          (d, c, b, a) = (c, b, a, first &+ second)
        }
      }
      state &+= SIMD8(a, b, c, d, e, f, g, h)
    }
  }

  private static func turned(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
