internal import CLibCrypto

extension ContentDigest {
  /// Returns the 16-byte MD5 digest (RFC 1321) of some bytes. Collisions can be constructed, so use MD5 only where an external protocol
  /// requires it.
  package static func md5(of bytes: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
      MD5(bytes, bytes.count, digest.baseAddress)
      count = 16
    }
  }
}
