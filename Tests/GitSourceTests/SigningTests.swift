import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// Commits that are signed with SSH keys and verified by git.
struct SigningTests {
  private let bench: SigningBench
  private var folder: TemporaryFolder { bench.folder }

  init() throws { bench = try SigningBench() }

  /// Creates a key, and makes it the only key that git accepts.
  /// - Returns: the private key.
  private func key(_ options: String..., passphrase: String = "") throws -> String {
    let name = UUID().uuidString
    let end = try ProgramEnd.of("ssh-keygen", ["-q", "-N", passphrase, "-f", folder.file(name)] + options)
    #expect(end.status == 0, "\(end.errors)")
    let publicKey = String(decoding: try folder.read(name + ".pub"), as: UTF8.self)
    try folder.write("dragoman@example.com \(publicKey)", to: "signers")
    try FileManager.default.removeItem(atPath: folder.file(name + ".pub"))
    return String(decoding: try folder.read(name), as: UTF8.self)
  }

  /// Returns git's verdict on a commit's signature, which begins with `G` for a good signature of a known signer.
  private func verdict(_ commit: CommitID) throws -> String {
    try TemporaryRepository.git(
      ["-c", "gpg.ssh.allowedSignersFile=\(folder.file("signers"))", "log", "-1", "--format=%G? %GS", commit.rawValue],
      in: folder.file("mirror.git"))
  }

  @Test("git verifies commits and merges, and the same commit has the same id", arguments: ["ed25519", "rsa"])
  func signed(_ type: String) async throws {
    let mirror = try bench.mirror(try key("-t", type))
    let made = try await bench.commits(mirror, by: signature)
    for commit in made { #expect(try verdict(commit) == "G dragoman@example.com") }
    #expect(try TemporaryRepository.git(["fsck", "--full", "--strict"], in: mirror.folder).contains("error") == false)
    // The signature is not accepted with another key.
    _ = try key("-t", "ed25519")
    #expect(try verdict(made[0]).hasPrefix("G") == false)
  }

  @Test(
    "keys that cannot sign are refused with the next step",
    arguments: [
      (["-t", "ecdsa"], "", "the type ecdsa-sha2-nistp256 cannot sign"),
      (["-t", "ed25519"], "secret", "protected by a passphrase"),
      (["-t", "rsa", "-m", "PEM"], "", "not a private key in OpenSSH's format"),
    ])
  func refused(_ options: [String], _ passphrase: String, _ wanted: String) async throws {
    let name = folder.file("key")
    let end = try ProgramEnd.of("ssh-keygen", ["-q", "-N", passphrase, "-f", name] + options)
    #expect(end.status == 0, "\(end.errors)")
    let mirror = try bench.mirror(String(decoding: try folder.read("key"), as: UTF8.self))
    _ = try await mirror.refresh()
    let error = await #expect(throws: GitError.self) { try await mirror.checkSigning() }
    #expect(error?.description.contains(wanted) == true, "\(String(describing: error))")
    #expect(error?.disposition == .askPerson)
  }

  @Test("an invalid key is refused without being shown")
  func garbage() async throws {
    let body = Data(Array("openssh-key-v1\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]).base64EncodedString()
    for text in ["hunter2", "-----BEGIN OPENSSH PRIVATE KEY-----\n\(body)\n-----END OPENSSH PRIVATE KEY-----"] {
      let mirror = try bench.mirror(text)
      let error = await #expect(throws: GitError.self) { try await mirror.checkSigning() }
      #expect(error?.description.contains(text) == false)
    }
    let windows = "\n" + (try key("-t", "ed25519")).replacing("\n", with: "\r\n")
    #expect(try await bench.mirror(windows).checkSigning(), "line endings make no difference")
    let cut = try key("-t", "ed25519").split(separator: "\n").prefix(3).joined(separator: "\n")
    let error = await #expect(throws: GitError.self) { try await bench.mirror(cut).checkSigning() }
    #expect(error?.description.contains("ssh-keygen did not sign") == true, "\(String(describing: error))")
  }
}
