package import Localization

/// A signer with an SSH key. Like `git commit -S` with `gpg.format=ssh`, it uses the system's `ssh-keygen`.
///
/// Only keys that always produce the same signature for the same data are accepted, because a commit must get the same id when it is made again.
package struct SSHSigner: Sendable {
  /// The key types that always produce the same signature: Ed25519 (RFC 8032) and RSA (PKCS#1 v1.5). ECDSA signatures contain a random number, and
  /// signatures of a security key contain a counter.
  private static let types: Set = ["ssh-ed25519", "ssh-rsa"]

  private let key: Secret
  private let executable: String

  /// - Parameter key: an unencrypted Ed25519 or RSA private key in OpenSSH's own format.
  /// - Throws: `refused` for any other key, or if `ssh-keygen` is missing.
  package init(key: Secret) throws(SigningFault) {
    // ssh-keygen rejects Windows line ends and a blank first line, and its message does not mention the cause.
    let lines = (PrivateKeyText.normalized(key.reveal()) ?? key.reveal())
      .split(whereSeparator: \.isNewline).joined(separator: "\n")
    guard let text = PrivateKeyText(lines) else {
      throw SigningFault(
        .refused,
        "this is not a private key in OpenSSH's format. Convert one with `ssh-keygen -p -f FILE`, or make one with "
          + "`ssh-keygen -t ed25519 -N '' -f FILE`")
    }
    guard !text.isEncrypted else {
      throw SigningFault(.refused, "the private key is protected by a passphrase. Use a key without one")
    }
    guard Self.types.contains(text.type) else {
      throw SigningFault(
        .refused,
        "keys of the type \(text.type) cannot sign commits, because their signatures differ each time. Use an Ed25519 or "
          + "RSA key")
    }
    self.key = Secret(lines)
    executable = try SigningFault.preparing { () throws(SystemFault) in
      try SystemProgram.find("ssh-keygen", package: "openssh-client")
    }
  }

  /// Returns the armored signature, with a line break at its end. The call blocks while `ssh-keygen` runs.
  /// - Parameter namespace: the purpose of the signature; `git` for commits.
  package func signature(of bytes: [UInt8], namespace: String = "git") throws(SigningFault) -> String {
    let file = try SigningFault.preparing { () throws(SystemFault) in try SecretFile(Secret(key.reveal() + "\n")) }
    defer { withExtendedLifetime(file) {} }
    // SSH_AUTH_SOCK is not set, so that no agent is used.
    let made = try SigningProgram.run(
      executable, ["-q", "-Y", "sign", "-n", namespace, "-f", file.path],
      environment: ["LC_ALL=C", "PATH=\(SystemProgram.path)"], input: bytes)
    let text = made.output
    guard text.hasPrefix("-----BEGIN SSH SIGNATURE-----\n"), text.hasSuffix("-----END SSH SIGNATURE-----\n") else {
      throw SigningFault(.refused, "ssh-keygen did not sign: \(made.words.withVisibleControls)")
    }
    return text
  }
}
