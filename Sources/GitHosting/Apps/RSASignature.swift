internal import CLibCryptoRSA
internal import Localization

/// The reason why a key cannot sign. It never contains the key.
struct RSAFault: Error, Hashable, Sendable, CustomStringConvertible {
  let description: String
}

/// Signatures with RSA and SHA-256 (RSASSA-PKCS1-v1_5, the algorithm RS256 of JSON web tokens), made with libcrypto.
enum RSASignature {
  /// Returns the signature of bytes.
  /// - Parameter key: a private RSA key in PEM, PKCS #1 or PKCS #8, without a passphrase.
  static func make(of bytes: [UInt8], key: Secret) throws(RSAFault) -> [UInt8] {
    // `BIO_new_mem_buf` does not copy the text, so everything that reads it is inside the closure. Without a callback, libcrypto would ask
    // for the passphrase of an encrypted key at the terminal.
    let read = Array(key.reveal().utf8).withUnsafeBytes { text -> OpaquePointer? in
      guard let file = BIO_new_mem_buf(text.baseAddress, Int32(clamping: text.count)) else { return nil }
      defer { BIO_free(file) }
      return PEM_read_bio_PrivateKey(file, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let pair = read else {
      ERR_clear_error()
      throw RSAFault(description: "this is not a private key in PEM without a passphrase")
    }
    defer { EVP_PKEY_free(pair) }
    guard EVP_PKEY_get_base_id(pair) == NID_rsaEncryption else {
      throw RSAFault(description: "this is not an RSA key")
    }
    guard let context = EVP_MD_CTX_new() else { throw RSAFault(description: "libcrypto has no memory") }
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: max(0, Int(EVP_PKEY_get_size(pair))))
    var count = signature.count
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pair) == 1,
      EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
    else {
      ERR_clear_error()
      throw RSAFault(description: "the key cannot sign")
    }
    return Array(signature.prefix(count))
  }
}
