extension ContentDigest {
  /// Returns the 32-byte HMAC with SHA-256 (RFC 2104) of the concatenated parts.
  package static func authentication(of parts: [UInt8]..., key: [UInt8]) -> [UInt8] {
    let length = 64
    let short = key.count > length ? of(key) : key
    let block = short + [UInt8](repeating: 0, count: length - short.count)
    var inner = ContentDigest()
    inner.update(block.map { $0 ^ 0x36 })
    for part in parts { inner.update(part) }
    return of(block.map { $0 ^ 0x5C } + inner.finish())
  }
}
