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

  /// Returns a key without the text before its first line, such as comments or a byte order mark, and without white space at the ends of its lines,
  /// because OpenSSH does not read such keys. Lines end with LF in the result.
  /// - Returns: `nil` if no line begins with `-----BEGIN `.
  static func normalized(_ text: String) -> String? {
    func isMargin(_ character: Character) -> Bool { character.isWhitespace || character == "\u{FEFF}" }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      (line: Substring) -> String in
      let start = line.drop(while: isMargin)
      return start.lastIndex { !isMargin($0) }.map { String(start[...$0]) } ?? ""
    }
    guard let first = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN ") }) else { return nil }
    return lines[first...].joined(separator: "\n")
  }

  /// Returns whether a text is a public key, as in a file with the extension `pub` or in PEM.
  static func isPublic(_ text: String) -> Bool {
    if text.contains("-----BEGIN PUBLIC KEY-----") || text.contains("-----BEGIN RSA PUBLIC KEY-----") { return true }
    let words = text.split(whereSeparator: \.isWhitespace)
    // A public key is the length of its type, which begins with three zero bytes, the type, and its numbers, in base64.
    guard words.count >= 2, words[1].hasPrefix("AAAA") else { return false }
    return ["ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-sha2-"].contains { words[0].hasPrefix($0) }
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
