import ChildPrograms
import Foundation
import HTTPTransport
import Localization
import TestSupport
import Testing
import TranslationVendors

@Suite(.timeLimit(.minutes(10))) struct SFTPTests {
  private func refusal(_ storage: SFTPStorage) async throws -> String {
    let error = try await #require(throws: VendorError.self) { try await storage.list(.root) }
    #expect(error.kind == .refused && error.disposition == .askPerson)
    return "\(error)"
  }

  /// Writes a program in a child process, because a file that this process still has open for writing cannot be executed.
  private func program(_ script: String, at path: String) throws {
    try run("/bin/sh", ["-c", "printf %s \"$1\" >\"$2\" && chmod 700 \"$2\"", "sh", script, path])
  }

  @Test("an unknown host key is refused, and the message explains how to add it")
  func unknownHost() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    try folder.write("", to: "known hosts")
    let words = try await refusal(try server.storage(knownHosts: folder.file("known hosts")))
    #expect(words.contains("host key is not in \(folder.file("known hosts"))"))
    #expect(words.contains("ssh-keyscan -p \(server.port) 127.0.0.1") && words.contains("fingerprint"))
    // No host key was added automatically.
    #expect(try folder.read("known hosts").isEmpty)
    let missing = try server.storage(knownHosts: folder.file("none"))
    let error = try await #require(throws: VendorError.self) { try await missing.list(.root) }
    #expect(error.kind == .configuration && "\(error)".contains("correct `known_hosts`"))
  }

  @Test("a changed host key is refused, and the message explains the possible causes")
  func changedHost() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    try folder.write(server.otherHostKeyLine, to: "known_hosts")
    let words = try await refusal(try server.storage(knownHosts: folder.file("known_hosts")))
    #expect(words.contains("another server responds in its place"))
    #expect(words.contains("ssh-keygen -R '[127.0.0.1]:\(server.port)' -f \(folder.file("known_hosts"))"))
    #expect(try folder.read("known_hosts") == Array(server.otherHostKeyLine.utf8))
  }

  @Test("a revoked host key is refused")
  func revokedHost() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    let known = try String(contentsOfFile: server.knownHosts, encoding: .utf8)
    try folder.write(known + "@revoked " + known, to: "known_hosts")
    #expect(try await refusal(try server.storage(knownHosts: folder.file("known_hosts"))).contains("revoked"))
  }

  @Test("a wrong key, an invalid key and a key with a passphrase give different messages")
  func wrongKeys() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    func key(_ name: String, passphrase: String) throws -> SSHCredentials {
      try run("/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", passphrase, "-f", folder.file(name)])
      return SSHCredentials(Secret(String(decoding: try folder.read(name), as: UTF8.self)))
    }
    let other = try await refusal(try server.storage(credentials: try key("other", passphrase: "")))
    #expect(other.contains("did not accept the credentials") && other.contains("Permission denied"))
    let locked = try await refusal(try server.storage(credentials: try key("locked", passphrase: "secret")))
    #expect(locked.contains("passphrase"))
    let broken = SSHCredentials(Secret("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----"))
    #expect(try await refusal(try server.storage(credentials: broken)).contains("cannot read the private key"))
    let shared = SSHCredentials(Secret(String(decoding: try folder.read("other.pub"), as: UTF8.self)))
    #expect(try await refusal(try server.storage(credentials: shared)).contains("this is a public key"))
  }

  @Test(
    "a key with Windows line ends, or with text before its first line, is read",
    arguments: ["\n", " ", "\u{FEFF}", "# the key of the bot\n"])
  func keyText(before: String) async throws {
    let password = Secret("pass -----BEGIN word")
    #expect(SSHCredentials(password) == .password(password))
    guard let server = try await SSHServer.start() else { return }
    let text = before + server.key.replacing("\n", with: " \r\n")
    #expect(try await server.storage(credentials: SSHCredentials(Secret(text))).list(.root)?.entries == [])
  }

  @Test("a password is passed unchanged, and a wrong password is reported to a person without being shown")
  func passwords() async throws {
    guard let server = try await PasswordSFTPServer.start() else { return }
    try await server.storage().create("a", with: [7])
    #expect(try server.folder.read("a") == [7])
    let words = try await refusal(try server.storage(password: "not-the-one"))
    #expect(words.contains("did not accept the credentials") && !words.contains("not-the-one"))
  }

  @Test("the secret never appears on disk, in arguments or in the environment")
  func secrets() async throws {
    guard let server = try await PasswordSFTPServer.start() else { return }
    let folder = try TemporaryFolder()
    let script = """
      #!/bin/sh
      { tr '\\0' '\\n' </proc/$$/environ; echo "$@"; ls -l "$SSH_ASKPASS"; cat "$SSH_ASKPASS"; } >>\(folder.file("seen"))
      exec /usr/bin/ssh "$@"
      """
    try program(script, at: folder.file("ssh"))
    let storage = try SFTPStorage(
      address: server.url, credentials: { .password(Secret(PasswordSFTPServer.password)) },
      settings: SSHSettings(knownHosts: server.knownHosts, program: folder.file("ssh")),
      deadlines: patience)
    #expect(try await storage.list(.root)?.entries == [])
    let seen = String(decoding: try folder.read("seen"), as: UTF8.self)
    #expect(seen.contains("StrictHostKeyChecking=yes") && seen.contains("DRAGOMAN_SECRET=/proc/"))
    #expect(!seen.contains(PasswordSFTPServer.password))
    let askPass = try #require(seen.split(separator: "\n").first { $0.hasPrefix("SSH_ASKPASS=") }).dropFirst(12)
    #expect(!FileManager.default.fileExists(atPath: String(askPass)))
  }

  @Test("files are also replaced on a server without posix-rename")
  func withoutExtension() async throws {
    guard let server = try await SSHServer.start(denying: ["posix-rename", "fsync", "hardlink"]) else { return }
    let storage = try server.storage()
    try await storage.create("a", with: [1])
    try await storage.replace("a", with: [2])
    try await storage.replace("b", with: [3])
    #expect(server.folder.names() == ["a", "b"])
    #expect(try server.folder.read("a") == [2])
  }

  @Test(
    "a new file that the server refuses to write or rename is removed, and the refusal is reported",
    arguments: ["write", "rename"])
  func refusedFile(_ request: String) async throws {
    guard let server = try await SSHServer.start(denying: [request]) else { return }
    let storage = try server.storage()
    var attempts: [@Sendable () async throws -> Void] = [
      { try await storage.create("long", with: [UInt8](repeating: 7, count: 100_000)) },
      { try await storage.createFirst("first", with: [7]) },
    ]
    if request == "write" {
      attempts += [{ try await storage.create("short", with: [7]) }, { try await storage.replace("old", with: [7]) }]
    }
    for attempt in attempts {
      let error = try await #require(throws: (any Error).self) { try await attempt() }
      #expect((error as? VendorError)?.kind != .exists, "\(error)")
      #expect(server.folder.names() == [], "\(error)")
    }
  }

  @Test("links below the folder are never followed for reading, writing, moving or removing")
  func links() async throws {
    guard let server = try await SSHServer.start() else { return }
    let storage = try server.storage()
    let outside = try TemporaryFolder()
    try outside.write("secret", to: "secret.xliff")
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: server.folder.file("a.xliff"), withDestinationPath: outside.file("secret.xliff"))
    try manager.createSymbolicLink(atPath: server.folder.file("folder"), withDestinationPath: outside.path)
    #expect(try await storage.list(.root)?.entries.map(\.kind) == [.other, .other])
    for attempt in [
      { _ = try await storage.read("a.xliff", limit: 99) },
      { _ = try await storage.read("folder/secret.xliff", limit: 99) },
      { _ = try await storage.list("folder") }, { try await storage.create("folder/b", with: [1]) },
      { try await storage.makeFolder("folder/c") }, { try await storage.remove("folder/secret.xliff") },
    ] as [@Sendable () async throws -> Void] {
      let error = try await #require(throws: VendorError.self) { try await attempt() }
      #expect(error.kind == .notAFile)
    }
    try await storage.move("folder", to: "moved")
    try await storage.remove("moved")
    #expect(outside.names() == ["secret.xliff"])
  }

  @Test("files whose names are not UTF-8 are reported and not changed")
  func unreadableNames() async throws {
    guard let server = try await SSHServer.start() else { return }
    let name: [CChar] = Array((server.folder.path + "/bad").utf8CString.dropLast()) + [-1, 0]
    close(open(name, O_WRONLY | O_CREAT, 0o644))
    let listing = try #require(try await server.storage().list(.root))
    #expect(listing.entries.isEmpty && listing.unreadableNames == ["bad\\xFF"])
  }

  @Test("a server that exits, is silent or sends garbage is reported with the reason")
  func broken() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    func storage(_ script: String, stall: Duration = .seconds(240)) throws -> SFTPStorage {
      let path = folder.file(String(script.hashValue))
      try program("#!/bin/sh\n" + script, at: path)
      return try SFTPStorage(
        address: server.url, settings: SSHSettings(knownHosts: server.knownHosts, program: path),
        deadlines: Deadlines(connect: stall, stall: stall))
    }
    let ended = try storage("echo 'kex_exchange_identification: read: Connection reset' >&2; exit 255")
    let lost = try await #require(throws: TransportError.self) { try await ended.list(.root) }
    #expect(lost.kind == .connectionLost && lost.disposition == .retry && lost.detail.contains("Connection reset"))
    let silent = try storage("exec cat >/dev/null", stall: .milliseconds(50))
    let late = try await #require(throws: TransportError.self) { try await silent.list(.root) }
    #expect(late.kind == .connectTimedOut)
    let nonsense = try storage("echo 'Welcome to this server'; exec cat >/dev/null")
    let fault = try await #require(throws: VendorError.self) { try await nonsense.list(.root) }
    #expect(fault.kind == .protocolFault && fault.detail.contains("shell prints text"))
    let short = try storage(
      "printf '\\000\\000\\000\\012\\002\\000\\000\\000\\003\\000\\000\\000\\002e'; exec cat >/dev/null")
    #expect(try await #require(throws: VendorError.self) { try await short.list(.root) }.kind == .protocolFault)
    let down = try SFTPStorage(
      address: "sftp://127.0.0.1:\(try LoopbackPort.free())/x", settings: SSHSettings(knownHosts: server.knownHosts))
    let unreachable = try await #require(throws: TransportError.self) { try await down.list(.root) }
    #expect(unreachable.kind == .connectionFailed && unreachable.isUnreachable)
  }

  @Test(
    "a listing that is too large is refused with the limit that it exceeds",
    arguments: [(1, 20_000, "more than 200000 entries"), (200_000, 1, "names of its entries have more than 32 MiB")])
  func endless(_ length: Int, _ count: Int, _ limit: String) async throws {
    let folder = try TemporaryFolder()
    // A server whose folder has no end.
    let script = """
      #!/usr/bin/python3
      import struct, sys
      def number(value): return struct.pack(">I", value)
      entry = number(\(length)) + b"x" * \(length) + number(0) * 2
      while head := sys.stdin.buffer.read(4):
          packet = sys.stdin.buffer.read(struct.unpack(">I", head)[0])
          kind, request = packet[0], packet[1:5]
          if kind == 1: reply = b"\\x02" + number(3)
          elif kind == 11: reply = b"\\x66" + request + number(1) + b"h"
          elif kind == 12: reply = b"\\x68" + request + number(\(count)) + entry * \(count)
          else: reply = b"\\x65" + request + number(0)
          sys.stdout.buffer.write(number(len(reply)) + reply)
          sys.stdout.buffer.flush()

      """
    try program(script, at: folder.file("ssh"))
    let storage = try SFTPStorage(
      address: "sftp://drop.example.com/x", settings: SSHSettings(program: folder.file("ssh")), deadlines: patience)
    let error = try await #require(throws: VendorError.self) { try await storage.list(.root) }
    #expect(error.kind == .tooLarge && error.detail.contains(limit), "\(error)")
  }

  @Test("a lost connection is reopened with the current secret")
  func reconnects() async throws {
    guard let server = try await SSHServer.start() else { return }
    let storage = try SFTPStorage(
      address: server.url, credentials: { .privateKey(Secret(server.key)) },
      settings: SSHSettings(knownHosts: server.knownHosts), deadlines: patience, idleLimit: .zero)
    for number in 0..<5 { try await storage.create(TreePath(trusted: "\(number)"), with: [1]) }
    #expect(server.folder.names() == ["0", "1", "2", "3", "4"])
  }

  @Test("a cancelled task ends, and the next task opens a new connection")
  func cancelled() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    let script =
      "[ -e \(folder.file("go")) ] && exec /usr/bin/ssh \"$@\"\necho >\(folder.file("on"))\nexec cat >/dev/null\n"
    try program("#!/bin/sh\n" + script, at: folder.file("ssh"))
    let storage = try SFTPStorage(
      address: server.url, credentials: { .privateKey(Secret(server.key)) },
      settings: SSHSettings(knownHosts: server.knownHosts, program: folder.file("ssh")),
      deadlines: patience)
    let task = Task { try await storage.list(.root) }
    #expect(await OtherProcess.wait { FileManager.default.fileExists(atPath: folder.file("on")) })
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try folder.write("", to: "go")
    #expect(try await storage.list(.root)?.entries == [])
  }

  @Test(
    "addresses are parsed and normalized",
    arguments: [
      ("sftp://Bot@Drop.Example.com:22//a/./b/", "sftp://Bot@drop.example.com/a/b"),
      ("SFTP://drop.example.com:2222", "sftp://drop.example.com:2222"),
      ("sftp://a%40b@[::1]:2200/~/x%20y", "sftp://a%40b@[::1]:2200/~/x%20y"),
    ])
  func addresses(_ given: String, _ wanted: String) throws {
    #expect(try SFTPStorage(address: given).place == wanted)
  }

  @Test(
    "invalid addresses, and addresses that ssh could read as options, are refused",
    arguments: [
      "sftp://-oProxyCommand=x/a", "sftp://-lroot@host/a", "sftp://u:password@host/a", "sftp:///a", "sftp://host:0/a",
      "sftp://host:x/a", "sftp://host/a/../b", "sftp://host/a%0Ab", "sftp://a b@host/", "ssh://host/a",
      "sftp://ho st/a", "sftp://[::1]x22/a", "sftp://[::1/a",
    ])
  func badAddresses(_ text: String) throws {
    let error = try #require(throws: VendorError.self) { try SFTPStorage(address: text) }
    #expect(error.kind == .configuration && !"\(error)".contains("u:password"))
  }
}
