package import Localization

/// A signer of commits with an SSH or OpenPGP key.
package enum CommitSigner: Sendable {
  case ssh(SSHSigner)
  case openPGP(GPGSigner)

  /// - Parameter key: an unencrypted private key.
  /// - Throws: an error if the key or the program for it cannot be used.
  package init(key: Secret) throws(SigningFault) {
    self = GPGSigner.isMeant(by: key) ? .openPGP(try GPGSigner(key: key)) : .ssh(try SSHSigner(key: key))
  }

  /// Returns the armored signature, with a line break at its end. The call blocks while the program runs.
  /// - Parameter seconds: the time of the commit, in seconds since 1970, which an OpenPGP signature contains.
  package func signature(of bytes: [UInt8], at seconds: Int64) throws(SigningFault) -> String {
    switch self {
    case .ssh(let signer): try signer.signature(of: bytes)
    case .openPGP(let signer): try signer.signature(of: bytes, at: seconds)
    }
  }

  /// Checks that the key can sign, and that an OpenPGP key makes the same signature each time for the same data. For SSH keys, `init` ensures this.
  package func check() throws(SigningFault) {
    switch self {
    case .ssh(let signer): _ = try signer.signature(of: Array("test".utf8))
    case .openPGP(let signer): try signer.check()
    }
  }
}
