private import FoundationEssentials
private import Glibc
package import Localization

/// A signer with an OpenPGP key. Like `git commit -S`, it uses the system's `gpg`.
///
/// The signature contains a given time, so that the same commit gets the same id when it is made again.
package struct GPGSigner: Sendable {
  /// The prefix of each status line that gpg writes for programs.
  private static let statusMark = "[GNUPG:] "
  private static let beginning = "-----BEGIN PGP PRIVATE KEY BLOCK-----"

  /// Returns whether this is an OpenPGP key, public or secret, and not another kind of key.
  static func isMeant(by key: Secret) -> Bool { key.reveal().contains("-----BEGIN PGP") }

  private let key: Secret
  private let gpg: String
  private let rings: String

  /// - Parameters:
  ///   - key: an unprotected secret key, in the format of `gpg --armor --export-secret-keys`.
  ///   - rings: the folder for key rings. It should be in memory, so that the key is never written to a disk.
  ///   - gpg: the path of the program; `nil` for the system's `gpg`.
  /// - Throws: `refused` if the text has no secret OpenPGP key, or if `gpg` is missing. A passphrase is detected only when the key signs.
  package init(key: Secret, rings: String = "/dev/shm", gpg: String? = nil) throws(SigningFault) {
    guard key.reveal().contains(Self.beginning) else {
      throw SigningFault(
        .refused, "this is not a secret key. Write one with `gpg --armor --export-secret-keys KEY > FILE`")
    }
    self.key = key
    self.rings = rings
    self.gpg = try SigningFault.preparing { () throws(SystemFault) in
      if let gpg { gpg } else { try SystemProgram.find("gpg", package: "gnupg") }
    }
  }

  /// Returns the armored signature, with a line break at its end. The call blocks while `gpg` and its agent run.
  /// - Parameter seconds: the time of the signature, in seconds since 1970.
  package func signature(of bytes: [UInt8], at seconds: Int64) throws(SigningFault) -> String {
    let home = try GPGHome(in: rings)
    defer { withExtendedLifetime(home) {} }
    let environment = ["LC_ALL=C", "PATH=\(SystemProgram.path)", "GNUPGHOME=\(home.path)"]
    let common = ["--no-options", "--batch", "--no-tty", "--quiet"]
    // gpg starts an agent, which has the secret keys and would continue to run after this process has ended.
    let control = try SigningFault.preparing { () throws(SystemFault) in
      try SystemProgram.find("gpgconf", package: "gnupg")
    }
    defer { _ = try? SigningProgram.run(control, ["--kill", "gpg-agent"], environment: environment, input: []) }
    let imported = try SigningProgram.run(
      gpg, common + ["--status-fd", "1", "--import"], environment: environment, input: Array(key.reveal().utf8))
    guard let fingerprint = Self.secretKey(in: imported.output) else {
      throw SigningFault(.refused, "gpg cannot read the secret key: \(imported.words.withVisibleControls)")
    }
    // gpg does not freeze its clock if the given time is the current second, so a slow gpg may sign one second later. The next attempt succeeds,
    // because the given time is then in the past and gpg freezes its clock.
    for _ in 1...3 {
      let made = try SigningProgram.run(
        gpg,
        common + [
          "--status-fd", "2", "--pinentry-mode", "error", "--faked-system-time", "\(seconds)!", "--digest-algo",
          "SHA256", "--armor", "--detach-sign", "--local-user", fingerprint,
        ], environment: environment, input: bytes)
      let lines = made.words.split(whereSeparator: \.isNewline)
      let status = lines.filter { $0.hasPrefix(Self.statusMark) }
      guard made.output.hasPrefix("-----BEGIN PGP SIGNATURE-----\n"),
        made.output.hasSuffix("-----END PGP SIGNATURE-----\n"), let time = Self.signatureTime(in: status)
      else {
        let words = lines.filter { !$0.hasPrefix(Self.statusMark) }.joined(separator: "\n")
        throw SigningFault(.refused, Self.advice(on: words))
      }
      if time == seconds { return made.output }
    }
    throw SigningFault(
      .noSignature, "gpg did not sign at the commit's time, \(seconds) s since 1970. Check that the clock runs steadily"
    )
  }

  /// Checks that the key can sign, and that its signatures are always the same for the same data.
  package func check() throws(SigningFault) {
    let now = Int64(Date().timeIntervalSince1970)
    let data = Array("test".utf8)
    guard try signature(of: data, at: now) == signature(of: data, at: now) else {
      throw SigningFault(
        .refused,
        "signatures of this key differ each time, so the same commit would get another id. Use an Ed25519 or RSA key")
    }
  }

  /// Returns the fingerprint of the first imported key that has a secret part. Returns `nil` if there is none. The status line of an imported key is
  /// `[GNUPG:] IMPORT_OK 17 FINGERPRINT`. Bit 4 of the number means that the secret part was imported.
  private static func secretKey(in status: String) -> String? {
    for line in status.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ")
      guard words.count >= 4, line.hasPrefix(statusMark), words[1] == "IMPORT_OK", let number = Int(words[2]),
        number & 16 != 0, words[3].utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) })
      else { continue }
      return String(words[3])
    }
    return nil
  }

  /// Returns the time at which gpg made the signature, in seconds since 1970; `nil` if gpg reports none. The status line of a signature is `[GNUPG:]
  /// SIG_CREATED TYPE KEY-ALGORITHM HASH-ALGORITHM CLASS SECONDS FINGERPRINT`.
  private static func signatureTime(in status: [Substring]) -> Int64? {
    for line in status {
      let words = line.split(separator: " ")
      if words.count >= 7, words[1] == "SIG_CREATED" { return Int64(words[6]) }
    }
    return nil
  }

  private static func advice(on words: String) -> String {
    let said = "gpg did not sign: \(words.withVisibleControls)"
    if words.contains("No passphrase given") || words.contains("No pinentry") {
      return "the secret key is protected by a passphrase. Use a key without one"
    }
    if words.contains("time warp") || words.contains("in the future") {
      return said + ". The key is newer than the commit: check the clock, and SOURCE_DATE_EPOCH"
    }
    return said
  }
}
