import ChildPrograms
import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

@Suite("A mirror of a repository over ssh", .enabled(if: networkReasonToSkip == nil), .serialized)
struct SSHTests {
  let repository: TemporaryRepository
  /// The path of the served repository.
  let bare: String

  init() throws {
    repository = try TemporaryRepository()
    try repository.commit(["a": "1", "b/c": "2"])
    try repository.git("branch", "topic")
    bare = repository.folder.file("ser'ved!.git")
    try repository.git("clone", "-q", "--bare", repository.path, bare)
  }

  private func mirror(
    _ url: String, _ server: SSHServer?, key: String?, as name: String = "mirror.git", knownHosts: String? = nil,
    stallLimit: Duration = .seconds(60), program: String? = nil, workers: GitWorkers = .shared
  ) throws -> GitMirror {
    try GitMirror(
      url: url, folder: repository.folder.file(name), credentials: { key.map { Secret($0) } },
      networkChild: GitNetworkChild(executable: networkProgram, deadline: .seconds(60), stallLimit: stallLimit),
      ssh: SSHSettings(knownHosts: knownHosts ?? server?.knownHosts, program: program), workers: workers)
  }

  private func error(_ body: () async throws -> Void) async -> GitError? {
    do { try await body() } catch { return error as? GitError }
    return nil
  }

  /// Returns the address of a repository whose path has characters that are special in a shell and a URL.
  private func url(_ server: SSHServer) -> String {
    server.repositoryURL(bare.replacing("'", with: "%27").replacing("!", with: "%21"))
  }

  @Test("branches are listed, fetched and pushed with every type of key", arguments: ["ed25519", "rsa", "ecdsa"])
  func life(_ type: String) async throws {
    guard let server = try await SSHServer.start(clientKey: type) else { return }
    let mirror = try mirror(url(server), server, key: server.key)
    #expect(try await mirror.remoteBranches().map(\.name).sorted() == ["main", "topic"])
    let heads = try await mirror.refresh()
    let main = try #require(heads.first { $0.name == "main" }).commit
    #expect(try await mirror.tree(of: main).read(TreePath("b/c")) == Array("2".utf8))

    let bot = CommitSignature(name: "Bot", email: "bot@example.com", seconds: 1_800_000_000)
    let made = try await mirror.makeCommit(
      TreeEdits([TreePath("a"): .write(Array("3".utf8))]), on: main, message: "Translate", author: bot, committer: bot)
    #expect(try await mirror.push(made, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try await mirror.push(made, to: "l10n/main", expecting: nil) == .upToDate)
    #expect(try await mirror.push(main, to: "l10n/main", expecting: main) == .leaseLost(remote: made))
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: bare) == made.rawValue)

    // The next poll finds commits that other clients push.
    let next = try repository.commit(["a": "4"])
    try repository.git("push", "-q", "file://" + bare, "main")
    #expect(try await mirror.refresh().first { $0.name == "main" }?.commit.rawValue == next)
  }

  @Test("a hook's refusal is reported with its message")
  func hook() async throws {
    guard let server = try await SSHServer.start() else { return }
    let hook = bare + "/hooks/pre-receive"
    try Data("#!/bin/sh\necho 'GH006: Protected branch update failed'\nexit 1\n".utf8)
      .write(to: URL(fileURLWithPath: hook))
    try run("chmod", ["+x", hook], in: bare)
    let mirror = try mirror(url(server), server, key: server.key)
    let main = try #require(try await mirror.refresh().first { $0.name == "main" }).commit
    guard case .refused(let words) = try await mirror.push(main, to: "new", expecting: nil) else {
      Issue.record("the hook refuses")
      return
    }
    #expect(words.contains("GH006: Protected branch update failed"))
  }

  @Test("an unknown host key, a changed host key, and a wrong account key are refused with the next step")
  func keys() async throws {
    guard let server = try await SSHServer.start() else { return }
    let folder = try TemporaryFolder()
    try folder.write("", to: "empty")
    try folder.write(server.otherHostKeyLine, to: "changed")
    let unknown = await error {
      _ = try await mirror(url(server), server, key: server.key, knownHosts: folder.file("empty")).remoteBranches()
    }
    #expect(unknown?.kind == .refused)
    #expect(unknown?.detail.contains("ssh-keyscan -p \(server.port) 127.0.0.1 >> \(folder.file("empty"))") == true)
    let changed = await error {
      _ = try await mirror(url(server), server, key: server.key, knownHosts: folder.file("changed")).remoteBranches()
    }
    #expect(changed?.kind == .refused && changed?.detail.contains("differs from the one in") == true)

    _ = try run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", folder.file("other")], in: folder.path)
    let stranger = try text(folder, "other")
    let wrong = await error { _ = try await mirror(url(server), server, key: stranger).remoteBranches() }
    #expect(
      wrong?.kind == .refused && wrong?.detail.contains("did not accept the credentials") == true, "\(wrong as Any)")
    #expect(wrong?.disposition == .askPerson)

    _ = try run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "pass", "-f", folder.file("locked")], in: folder.path)
    let locked = try text(folder, "locked")
    let secret = await error { _ = try await mirror(url(server), server, key: locked).remoteBranches() }
    #expect(secret?.detail.contains("protected by a passphrase") == true)
    let missing = await error {
      _ = try await mirror(url(server), server, key: server.key, knownHosts: folder.file("none")).remoteBranches()
    }
    #expect(missing?.detail.contains("cannot read the known_hosts file") == true)
  }

  @Test("a missing repository, server or program is reported as such")
  func missing() async throws {
    guard let server = try await SSHServer.start() else { return }
    let gone = await error {
      _ = try await mirror(server.repositoryURL("/nowhere/x.git"), server, key: server.key).remoteBranches()
    }
    #expect(gone?.kind == .noSuchRemote, "\(gone as Any)")
    #expect(gone?.detail.contains("does not appear to be a git repository") == true)
    let port = try LoopbackPort.free()
    let closed = await error {
      _ = try await mirror("ssh://git@127.0.0.1:\(port)/x.git", server, key: server.key).remoteBranches()
    }
    #expect(closed?.kind == .unreachable && closed?.disposition == .retry, "\(closed as Any)")
    let program = await error {
      _ = try await mirror(url(server), server, key: server.key, program: "/nowhere/ssh").remoteBranches()
    }
    #expect(program?.detail.contains("No such file") == true, "\(program as Any)")
  }

  private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
    String(decoding: try folder.read(name), as: UTF8.self)
  }

  /// Writes a program that is used in place of ssh and gets the same arguments.
  private func script(_ text: String) throws -> (path: String, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    try folder.write("#!/bin/sh\n" + text + "\n", to: "script")
    // A program that another test starts at this moment can inherit one of our open files, and a file that is open for writing cannot be executed.
    // Therefore another process writes this file.
    try run("install", ["-m", "755", folder.file("script"), folder.file("ssh")], in: folder.path)
    return (folder.file("ssh"), folder)
  }

  @Test("a peer that never responds is stopped at the limit, with all its processes")
  func silence() async throws {
    let (program, folder) = try script("echo $$ > \"$(dirname \"$0\")/pid\"; sleep 1000")
    let found = await error {
      _ = try await mirror("git@host:x.git", nil, key: nil, stallLimit: .seconds(2), program: program).remoteBranches()
    }
    #expect(found?.kind == .timedOut)
    let process = Int32(try text(folder, "pid").split(separator: "\n")[0]) ?? 0
    #expect(process > 1)
    // The kernel ends a killed process after a short time.
    #expect(await OtherProcess.wait { kill(process, 0) != 0 })
  }

  @Test(
    "error messages of forges and ssh are mapped to kinds of errors",
    arguments: [
      ("ERROR: Repository not found.", GitError.Kind.noSuchRemote),
      (
        "remote: The project you were looking for could not be found or you don't have permission to view it.",
        .noSuchRemote
      ),
      ("ERROR: Permission to a/b.git denied to deploy key", .refused),
      ("bash: line 1: git-upload-pack: command not found", .refused),
      ("ssh: Could not resolve hostname nowhere.example: Name or service not known", .unreachable),
      ("kex_exchange_identification: Connection closed by remote host", .unreachable),
    ])
  func words(_ words: String, _ kind: GitError.Kind) async throws {
    let (program, folder) = try script("echo '\(words.replacing("'", with: "'\\''"))' >&2; exit 128")
    let found = await error {
      _ = try await mirror("git@host:x.git", nil, key: nil, program: program).remoteBranches()
    }
    withExtendedLifetime(folder) {}
    #expect(found?.kind == kind, "\(found as Any)")
  }

  @Test("wrong and garbage responses of the server are errors", arguments: ["garbage", "ffff", "003b", "sha256"])
  func garbage(_ kind: String) async throws {
    let hash = String(repeating: "a", count: 64)
    let text =
      kind == "sha256"
      ? "printf '%s\\0%s\\n' '0078\(hash) HEAD' 'agent=git/2.40 object-format=sha256'; printf 0000"
      : "printf '\(kind)%0100d' 7"
    let (program, folder) = try script(text)
    let found = await error {
      _ = try await mirror("git@host:x.git", nil, key: nil, program: program).remoteBranches()
    }
    withExtendedLifetime(folder) {}
    #expect(found != nil)
    if kind == "sha256" { #expect(found?.kind == .unsupported, "\(found as Any)") }
  }

  @Test(
    "text that a shell prints in place of git's protocol is quoted, with the next step",
    arguments: ["\\nThis account is currently not available.\\n", "Hi\\n", "Welcome, Ann\\n0000"])
  func greeting(_ text: String) async throws {
    let (program, folder) = try script("printf '\(text)'; exit 1")
    let found = await error {
      _ = try await mirror("git@host:x.git", nil, key: nil, program: program).remoteBranches()
    }
    withExtendedLifetime(folder) {}
    let line = text.split(separator: "\\n").first.map(String.init) ?? ""
    #expect(found?.kind == .refused, "\(found as Any)")
    #expect(found?.detail.contains("the server said: \"\(line)\". Allow the account to run git") == true)
  }

  @Test("a shallow clone is reported as such")
  func shallow() async throws {
    try repository.commit(["a": "5"])
    let clone = repository.folder.file("shallow.git")
    try repository.git("clone", "-q", "--bare", "--depth", "1", "file://" + repository.path, clone)
    guard let server = try await SSHServer.start() else { return }
    let mirror = try mirror(server.repositoryURL(clone), server, key: server.key)
    let found = await error { _ = try await mirror.remoteBranches() }
    #expect(found?.kind == .unsupported && found?.detail.contains("is a shallow clone") == true, "\(found as Any)")
  }

  @Test("if the agent has no accepted key, the next step is about the agent")
  func agent() async throws {
    let (program, folder) = try script("echo 'git@host: Permission denied (publickey).' >&2; exit 255")
    for key in [nil, "a key"] {
      let refused = await error {
        _ = try await mirror("git@host:x.git", nil, key: key, program: program).remoteBranches()
      }
      #expect(refused?.kind == .refused, "\(refused as Any)")
      #expect(refused?.detail.contains("`ssh-add -l`") == (key == nil), "\(refused as Any)")
      #expect(refused?.detail.contains("`credentials` names") == (key != nil), "\(refused as Any)")
    }
    withExtendedLifetime(folder) {}
  }

  @Test("ssh runs with host key checking, and with the path as one quoted word")
  func arguments() async throws {
    let (program, folder) = try script(
      "for a in \"$@\"; do echo \"$a\"; done > \"$(dirname \"$0\")/arguments\"; exit 1")
    _ = await error {
      _ = try await mirror("ssh://git@[::1]:2222/~/it's/a b.git", nil, key: nil, program: program).remoteBranches()
    }
    let lines = try text(folder, "arguments").split(separator: "\n").map(String.init)
    #expect(lines.contains("StrictHostKeyChecking=yes") && lines.contains("BatchMode=yes"))
    #expect(lines.suffix(3) == ["--", "::1", "git-upload-pack '~/it'\\''s/a b.git'"])
    let port = try #require(lines.firstIndex(of: "-p"))
    #expect(lines[port + 1] == "2222")
  }
}
