import Localization

/// Names of references as bytes. Git allows any bytes; Dragoman reads UTF-8, because it writes names into messages, files and addresses.
enum ReferenceName {
  /// A name that is not UTF-8, for messages: ASCII as it is, other bytes as `\xE9`.
  static func escaped(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { byte in
      if byte >= 0x20 && byte < 0x7F { return String(UnicodeScalar(byte)) }
      return "\\x" + [byte].hexadecimal.uppercased()
    }.joined()
  }
}
