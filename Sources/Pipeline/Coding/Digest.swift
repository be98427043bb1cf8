internal import Crypto

/// The first bytes of the SHA-256 of some bytes, in lower-case hexadecimal.
package func hexadecimalDigest(of bytes: [UInt8], bytes count: Int = 32) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(count * 2)
  for byte in SHA256.hash(data: bytes).prefix(count) {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
