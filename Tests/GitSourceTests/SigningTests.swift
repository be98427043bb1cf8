import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// Commits that are signed with SSH keys, verified by git.
struct SigningTests {
  private let folder: TemporaryFolder
  private let repository: TemporaryRepository

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
  }

  /// Makes a key.
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

  private func mirror(_ key: String) throws -> GitMirror {
    try GitMirror(url: repository.path, folder: folder.file("mirror.git"), signingKey: { Secret(key) })
  }

  /// `G` for a good signature of a known signer.
  private func verdict(_ commit: CommitID) throws -> String {
    try TemporaryRepository.git(
      ["-c", "gpg.ssh.allowedSignersFile=\(folder.file("signers"))", "log", "-1", "--format=%G? %GS", commit.rawValue],
      in: folder.file("mirror.git"))
  }

  @Test("git verifies commits and merges, and the same commit has the same id", arguments: ["ed25519", "rsa"])
  func signed(_ type: String) async throws {
    let mirror = try mirror(try key("-t", type))
    let head = try #require(try await mirror.refresh().first).commit
    let message = "Übersetzungen\n\nL10n-Source: \(head)\nL10n-Units: 1\n"
    let make = { (text: String) in
      try await mirror.makeCommit(
        TreeEdits(["b": .write(Array(text.utf8))]), on: head, message: message, author: signature,
        committer: signature)
    }
    let (one, again, other) = (try await make("1"), try await make("1"), try await make("2"))
    #expect(one == again && one != other)
    #expect(try verdict(one) == "G dragoman@example.com")
    let info = try await mirror.commit(one)
    #expect(info.message == message && info.author == signature && info.isOurs)
    #expect(try TemporaryRepository.git(["fsck", "--full", "--strict"], in: mirror.folder).contains("error") == false)
    let merge = try await mirror.makeMerge(
      of: one, and: head, resolving: [:], message: message, author: signature, committer: signature)
    guard case .merged(let merged) = merge else { return #expect(Bool(false), "\(merge)") }
    #expect(try verdict(merged) == "G dragoman@example.com")
    #expect(try await mirror.checkSigning())
    // It is the key that counts, not that there is a signature.
    _ = try key("-t", "ed25519")
    #expect(try verdict(one).hasPrefix("G") == false)
  }

  @Test(
    "keys that cannot sign are refused with what to do",
    arguments: [
      (["-t", "ecdsa"], "", "the type ecdsa-sha2-nistp256 cannot sign"),
      (["-t", "ed25519"], "secret", "protected by a passphrase"),
      (["-t", "rsa", "-m", "PEM"], "", "not a private key in OpenSSH's format"),
    ])
  func refused(_ options: [String], _ passphrase: String, _ wanted: String) async throws {
    let name = folder.file("key")
    let end = try ProgramEnd.of("ssh-keygen", ["-q", "-N", passphrase, "-f", name] + options)
    #expect(end.status == 0, "\(end.errors)")
    let mirror = try mirror(String(decoding: try folder.read("key"), as: UTF8.self))
    _ = try await mirror.refresh()
    let error = await #expect(throws: GitError.self) { try await mirror.checkSigning() }
    #expect(error?.description.contains(wanted) == true, "\(String(describing: error))")
    #expect(error?.disposition == .askPerson)
  }

  @Test("refuses an invalid key without showing it")
  func garbage() async throws {
    let body = Data(Array("openssh-key-v1\0".utf8) + [0xFF, 0xFF, 0xFF, 0xFF]).base64EncodedString()
    for text in ["hunter2", "-----BEGIN OPENSSH PRIVATE KEY-----\n\(body)\n-----END OPENSSH PRIVATE KEY-----"] {
      let mirror = try mirror(text)
      let error = await #expect(throws: GitError.self) { try await mirror.checkSigning() }
      #expect(error?.description.contains(text) == false)
    }
    let windows = "\n" + (try key("-t", "ed25519")).replacing("\n", with: "\r\n")
    #expect(try await mirror(windows).checkSigning(), "line ends make no difference")
    let cut = try key("-t", "ed25519").split(separator: "\n").prefix(3).joined(separator: "\n")
    let error = await #expect(throws: GitError.self) { try await mirror(cut).checkSigning() }
    #expect(error?.description.contains("ssh-keygen did not sign") == true, "\(String(describing: error))")
  }
}
