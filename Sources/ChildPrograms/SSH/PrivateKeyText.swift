private import FoundationEssentials

/// What a private key says about itself.
enum PrivateKeyText {
  /// Whether a passphrase protects it. Without a way to ask for the passphrase, ssh ignores such a key silently.
  static func isEncrypted(_ text: String) -> Bool {
    if text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED") { return true }
    let body = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-") }.joined()
    let magic = Array("openssh-key-v1\0".utf8)
    guard let bytes = Data(base64Encoded: body).map(Array.init), bytes.starts(with: magic) else { return false }
    // The name of the cipher follows: its length in four bytes, then its characters.
    let name = bytes.dropFirst(magic.count)
    guard name.count >= 4 else { return false }
    let length = name.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    return !name.dropFirst(4).prefix(length).elementsEqual("none".utf8)
  }
}
