import ChildPrograms
import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// Commits that are signed with OpenPGP keys and verified by git.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/gpg"), "gpg is missing; `make test` installs it"))
struct GPGSigningTests {
  private let bench: SigningBench
  private var folder: TemporaryFolder { bench.folder }

  init() throws { bench = try SigningBench() }

  /// Runs a program with the test's key ring.
  private func run(_ arguments: String...) throws -> ProgramEnd {
    let home = folder.file("ring")
    try FileManager.default.createDirectory(
      atPath: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    return try ProgramEnd.of("env", ["GNUPGHOME=\(home)"] + arguments)
  }

  /// Creates a key in the test's ring.
  /// - Returns: the secret key.
  private func key(_ algorithm: String, passphrase: String = "") throws -> String {
    let made = try run(
      "gpg", "--batch", "--quiet", "--pinentry-mode", "loopback", "--passphrase", passphrase, "--quick-generate-key",
      "Dragoman \(algorithm) <dragoman@example.com>", algorithm, "sign", "never")
    #expect(made.status == 0, "\(made.errors)")
    let exported = try run(
      "gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", passphrase, "--armor", "--export-secret-keys",
      "=Dragoman \(algorithm) <dragoman@example.com>")
    #expect(exported.status == 0, "\(exported.errors)")
    _ = try run("gpgconf", "--kill", "gpg-agent")
    return exported.output
  }

  @Test("git verifies commits and merges, and the same commit has the same id", arguments: ["ed25519", "rsa2048"])
  func signed(_ algorithm: String) async throws {
    let mirror = try bench.mirror(try key(algorithm))
    // The time is after the key was created.
    let author = CommitSignature(
      name: "Dragoman", email: "dragoman@example.com", seconds: Int64(Date().timeIntervalSince1970) + 100)
    for commit in try await bench.commits(mirror, by: author) {
      let verified = try run("git", "-C", mirror.folder, "verify-commit", "--raw", commit.rawValue)
      #expect(verified.status == 0 && verified.errors.contains("GOODSIG"), "\(verified.errors)")
      #expect(verified.errors.contains(" \(author.seconds) "), "the time of the signature is the commit's")
    }
  }

  @Test("a commit that is older than the key, a key with a passphrase, and a key without its secret part are refused")
  func refused() async throws {
    let mirror = try bench.mirror(try key("ed25519"))
    let head = try #require(try await mirror.refresh().first).commit
    let old = CommitSignature(name: "A", email: "a@example.com", seconds: 1_000_000_000)
    let error = await #expect(throws: GitError.self) {
      _ = try await mirror.makeCommit(
        TreeEdits(["b": .write([1])]), on: head, message: "m", author: old, committer: old)
    }
    #expect(error?.description.contains("gpg did not sign") == true, "\(String(describing: error))")
    #expect(error?.disposition == .askPerson)
    let guarded = try bench.mirror(try key("rsa2048", passphrase: "secret"))
    let second = await #expect(throws: GitError.self) { try await guarded.checkSigning() }
    #expect(second?.description.contains("protected by a passphrase") == true, "\(String(describing: second))")
    let open = try run("gpg", "--batch", "--armor", "--export").output
    let third = await #expect(throws: GitError.self) { try await bench.mirror(open).checkSigning() }
    #expect(third?.description.contains("not a secret key") == true, "\(String(describing: third))")
  }

  @Test("signing is repeated if gpg's time differs from the commit's by a second, and fails if it always differs")
  func time() throws {
    // gpg may sign with a time that is later than the given second. This script signs one second too late as many times as the file `count` says.
    let count = folder.file("count")
    let late = folder.file("gpg")
    try folder.write(
      """
      #!/bin/bash
      left=$(cat '\(count)')
      if [[ "$*" == *--detach-sign* && $left -gt 0 ]]; then
        echo $((left - 1)) > '\(count)'
        exec gpg "${@/%1900000000!/1900000001!}"
      fi
      exec gpg "$@"
      """, to: "gpg")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: late)
    let signer = try GPGSigner(key: Secret(key("ed25519")), gpg: late)
    func signature(lateTimes: Int) throws -> String {
      try folder.write("\(lateTimes)", to: "count")
      return try signer.signature(of: [1], at: 1_900_000_000)
    }
    #expect(try signature(lateTimes: 2) == signature(lateTimes: 0))
    let error = #expect(throws: SigningFault.self) { try signature(lateTimes: 3) }
    #expect(error?.detail.contains("did not sign at the commit's time") == true, "\(String(describing: error))")
  }

  @Test("a damaged key is refused without being shown")
  func garbage() async throws {
    let text = "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nhunter2\n-----END PGP PRIVATE KEY BLOCK-----\n"
    let error = await #expect(throws: GitError.self) { try await bench.mirror(text).checkSigning() }
    #expect(error?.description.contains("gpg cannot read the secret key") == true, "\(String(describing: error))")
    #expect(error?.description.contains("hunter2") == false)
  }

  @Test("the signature is a header of the commit, in git's format")
  func header() async throws {
    let mirror = try bench.mirror(try key("ed25519"))
    let head = try #require(try await mirror.refresh().first).commit
    let author = CommitSignature(
      name: "Dragoman", email: "dragoman@example.com", seconds: Int64(Date().timeIntervalSince1970) + 100)
    let ours = try await mirror.makeCommit(
      TreeEdits(["b": .write([1])]), on: head, message: "m\n", author: author, committer: author)
    let made = try run(
      "git", "-C", mirror.folder, "-c", "user.name=Dragoman", "-c", "user.email=dragoman@example.com", "-c",
      "user.signingkey=dragoman@example.com", "commit-tree",
      "-S", "-p", head.rawValue, "-m", "m", "\(ours.rawValue)^{tree}")
    #expect(made.status == 0, "\(made.errors)")
    let theirs = made.output.trimmingCharacters(in: .whitespacesAndNewlines)
    func header(_ commit: String) throws -> [String] {
      let lines = try run("git", "-C", mirror.folder, "cat-file", "commit", commit).output.split(
        separator: "\n", omittingEmptySubsequences: false)
      let start = try #require(lines.firstIndex { $0.hasPrefix("gpgsig ") })
      let end = try #require(lines[start...].firstIndex(of: ""))
      // The Base64 texts differ because the times differ.
      return lines[start..<end].map { $0.contains("-----") || $0 == " " ? String($0) : "text" }
        + lines[end...].map(String.init)
    }
    #expect(try header(ours.rawValue) == header(theirs))
    #expect(try header(ours.rawValue)[1] == " ", "the armor has an empty line")
  }

  @Test("signing leaves no key ring behind, and removes those of killed processes")
  func rings() throws {
    // The path is short like /dev/shm, because the path of a socket has at most 107 bytes.
    let rings = "/tmp/rings-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: rings) }
    let (old, young, used) = ("\(rings)/dragoman-gpg-old", "\(rings)/dragoman-gpg-young", "\(rings)/dragoman-gpg-used")
    for path in [old, young, used] {
      try FileManager.default.createDirectory(atPath: path + "/private-keys-v1.d", withIntermediateDirectories: true)
    }
    let lock = open(used, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    for path in [old, used] {
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -3600)], ofItemAtPath: path)
    }
    let signer = try GPGSigner(key: Secret(key("ed25519")), rings: rings)
    #expect(try signer.signature(of: [1], at: Int64(Date().timeIntervalSince1970)).contains("PGP SIGNATURE"))
    let left = try FileManager.default.contentsOfDirectory(atPath: rings).sorted()
    #expect(left == ["dragoman-gpg-used", "dragoman-gpg-young"])
  }
}
