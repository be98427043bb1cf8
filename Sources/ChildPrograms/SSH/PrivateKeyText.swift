private import FoundationEssentials

/// The public parts of a private key in OpenSSH's own format (PROTOCOL.key of OpenSSH).
struct PrivateKeyText {
  let isEncrypted: Bool
  /// The type of the key, such as `ssh-ed25519`.
  let type: String

  private static let magic = Array("openssh-key-v1\0".utf8)

  /// - Returns: `nil` if the text is not in this format or does not have exactly one key.
  init?(_ text: String) {
    let body = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-") }.joined()
    guard let data = Data(base64Encoded: body), data.starts(with: Self.magic) else { return nil }
    var rest = Array(data)[Self.magic.count...]
    // The fields are the cipher, the key derivation function and its options, the number of keys, and the first public key, which begins with its
    // type.
    guard let cipher = Self.string(&rest), Self.string(&rest) != nil, Self.string(&rest) != nil,
      Self.number(&rest) == 1, var key = Self.string(&rest), let type = Self.string(&key)
    else { return nil }
    isEncrypted = !cipher.elementsEqual("none".utf8)
    self.type = String(decoding: type, as: UTF8.self)
  }

  /// Returns whether a passphrase protects a private key in PEM or in OpenSSH's own format. Returns false for text in any other format. Without a way
  /// to ask for the passphrase, ssh ignores such a key silently.
  static func isEncrypted(_ text: String) -> Bool {
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") { return true }
    return PrivateKeyText(text)?.isEncrypted ?? false
  }

  private static func number(_ bytes: inout ArraySlice<UInt8>) -> Int? {
    guard bytes.count >= 4 else { return nil }
    defer { bytes = bytes.dropFirst(4) }
    return bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  /// Removes a length of four bytes and a string of this length from the beginning of `bytes`.
  /// - Returns: the string; `nil` if bytes are missing.
  private static func string(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let length = number(&bytes), bytes.count >= length else { return nil }
    defer { bytes = bytes.dropFirst(length) }
    return bytes.prefix(length)
  }
}
