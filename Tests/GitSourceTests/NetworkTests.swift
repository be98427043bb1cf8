import Foundation
import GitSource
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

/// The program that runs network operations: `dragoman`, which is built into the folder of the test bundle.
let networkProgram: String = {
  let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  return own.deletingLastPathComponent().appendingPathComponent("dragoman").path
}()

let networkReasonToSkip: String? = {
  let reason =
    GitHTTPServer.reasonToSkip
    ?? (FileManager.default.isExecutableFile(atPath: networkProgram) ? nil : "\(networkProgram) is not built")
  if let reason { print("GitSource's network tests are skipped: \(reason)") }
  return reason
}()

private let right = Secret("\(GitHTTPServer.user):\(GitHTTPServer.password)\n")

@Suite("A mirror of a repository over HTTP", .enabled(if: networkReasonToSkip == nil), .serialized)
struct NetworkTests {
  let server: GitHTTPServer
  let repository: TemporaryRepository
  let served: String

  init() throws {
    server = try GitHTTPServer()
    repository = try TemporaryRepository()
    try repository.commit(["a": "1", "b/c": "2"])
    try repository.git("branch", "topic")
    served = try server.serve(repository, as: "app")
  }

  private func mirror(
    _ path: String, as name: String = "mirror.git", credentials: Secret? = right,
    deadline: Duration = .seconds(60),
    stallLimit: Duration = .seconds(60), program: String = networkProgram
  ) throws -> GitMirror {
    try GitMirror(
      url: path.hasPrefix("http") ? path : server.url + path, folder: repository.folder.file(name),
      credentials: { credentials },
      networkChild: GitNetworkChild(executable: program, deadline: deadline, stallLimit: stallLimit))
  }

  private func error(_ body: () async throws -> Void) async -> GitError? {
    do { try await body() } catch { return error as? GitError }
    return nil
  }

  /// Commits files in the work tree and pushes the commit to the server.
  private func commit(_ files: [String: String]) throws -> CommitID {
    let id = try repository.commit(files)
    try repository.git("push", "-q", "-f", "--all", "--prune", "file://" + served)
    try run("chmod", ["-R", "a+rwX", served], in: repository.path)
    return CommitID(rawValue: id)
  }

  @Test(
    "refresh fetches all branches with credentials, updates them, and drops deleted ones",
    arguments: ["git", "open", "moved"])
  func refresh(place: String) async throws {
    let mirror = try mirror("/\(place)/app.git", credentials: place == "open" ? nil : right)
    #expect(try await mirror.refresh().map(\.name) == ["main", "topic"])
    #expect(try await mirror.defaultBranch() == "main")
    try repository.git("branch", "-D", "topic")
    let next = try commit(["a": "2"])
    #expect(try await mirror.remoteBranches() == [BranchHead(name: "main", commit: next)])
    #expect(try await mirror.refresh() == [BranchHead(name: "main", commit: next)])
    #expect(try await mirror.refresh() == mirror.branches())
    #expect(try await mirror.tree(of: next).read("b/c") == [0x32])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test("a push checks its lease on its own connection, and moves the branch")
  func push() async throws {
    let mirror = try mirror("/git/app.git")
    let head = try #require(try await mirror.refresh().first).commit
    func make(_ text: String, on parent: CommitID) async throws -> CommitID {
      try await mirror.makeCommit(
        TreeEdits(["t": .write(Array(text.utf8))]), on: parent, message: "m", author: signature, committer: signature)
    }
    let first = try await make("one", on: head)
    #expect(try await mirror.push(first, to: "l10n/main", expecting: head) == .leaseLost(remote: nil))
    #expect(try await mirror.push(first, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try await mirror.push(first, to: "l10n/main", expecting: nil) == .upToDate)
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: served) == first.rawValue)
    let rebuilt = try await make("other", on: head)
    #expect(try await mirror.push(rebuilt, to: "l10n/main", expecting: nil) == .leaseLost(remote: first))
    #expect(try await mirror.push(rebuilt, to: "l10n/main", expecting: first) == .pushed)
    #expect(try TemporaryRepository.git(["show", "l10n/main:t"], in: served) == "other")
  }

  @Test("a hook's refusal is reported with its message")
  func hook() async throws {
    let path = try server.serve(repository, as: "guarded", preReceive: "echo no >&2; exit 1")
    let mirror = try mirror("/git/guarded.git")
    let head = try #require(try await mirror.refresh().first).commit
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    #expect(
      try await mirror.push(made, to: "l10n/main", expecting: nil)
        == .refused("pre-receive hook declined; the server said: \"no\""))
    #expect(throws: CommandFailure.self) {
      try TemporaryRepository.git(["rev-parse", "-q", "--verify", "l10n/main"], in: path)
    }
  }

  @Test("wrong and missing credentials fail at once, and no message contains them")
  func credentials() async throws {
    let wrong = Secret("hunter2-token")
    #expect(GitCredentials(wrong).user == "x-access-token")
    #expect("\(wrong)".contains("hunter2") == false)
    for credentials in [wrong, nil] {
      let mirror = try mirror("/git/app.git", credentials: credentials)
      let fault = await error { _ = try await mirror.refresh() }
      #expect(fault?.kind == .unauthorized, "\(fault?.description ?? "nothing")")
      #expect(fault?.disposition == .askPerson)
      #expect(fault?.description.contains("hunter2") == false)
    }
  }

  @Test("different server responses are mapped to distinct errors")
  func answers() async throws {
    let kinds: [(String, GitError.Kind)] = [
      ("/git/absent.git", .noSuchRemote), ("/down/app.git", .unreachable), ("/forbidden/app.git", .refused),
      ("/elsewhere/app.git", .refused), ("http://127.0.0.1:1/app.git", .unreachable),
    ]
    for (path, kind) in kinds {
      let mirror = try mirror(path)
      let fault = await error { _ = try await mirror.refresh() }
      #expect(fault?.kind == kind, "\(path): \(fault?.description ?? "nothing")")
    }
  }

  @Test("an operation on a silent server fails at the deadline, or after too long without received data")
  func silence() async throws {
    let byDeadline = try mirror(server.silentURL, deadline: .milliseconds(300))
    let late = await error { _ = try await byDeadline.refresh() }
    #expect(late?.kind == .timedOut)
    #expect(late?.detail == "it took longer than 0.3 seconds")
    #expect(late?.disposition == .retry)
    let byStall = try mirror(server.silentURL, stallLimit: .milliseconds(300))
    let stalled = await error { _ = try await byStall.remoteBranches() }
    #expect(stalled?.kind == .timedOut)
    #expect(stalled?.detail == "the server sent nothing for 0.3 seconds")
  }

  @Test("cancelling the task ends the operation")
  func cancellation() async throws {
    let mirror = try mirror(server.silentURL)
    let fault = await withTaskGroup(of: GitError?.self) { group in
      group.addTask { await error { _ = try await mirror.refresh() } }
      group.cancelAll()
      return await group.next() ?? nil
    }
    #expect(fault?.kind == .cancelled)
  }

  @Test("a missing or foreign helper program is an internal error and does not hang")
  func wrongProgram() async throws {
    for program in ["/bin/true", "/bin/cat", "/absent/program"] {
      let mirror = try mirror("/git/app.git", program: program)
      let fault = await error { _ = try await mirror.refresh() }
      #expect(fault?.kind == .failed, "\(program): \(fault?.description ?? "nothing")")
    }
  }

  @Test("a child process does not outlive its parent")
  func orphan() throws {
    // The child's input ends when its parent ends.
    let request = #"{"url":"\#(server.silentURL)","operation":{"list":{}}}"#
    #expect(throws: CommandFailure.self) {
      try run(networkProgram, [GitNetworkChild.argument], in: repository.path, input: request + "\n")
    }
  }

  @Test("an empty repository has no branches and accepts the first push")
  func empty() async throws {
    let empty = try TemporaryRepository()
    let path = try server.serve(empty, as: "empty")
    let mirror = try mirror("/git/empty.git")
    #expect(try await mirror.refresh() == [])
    #expect(try await mirror.defaultBranch() == nil)
    #expect(try TemporaryRepository.git(["for-each-ref"], in: path) == "")
  }

  @Test("a fetch that the server cannot complete is reported with the server's message")
  func serverWords() async throws {
    let blob = try TemporaryRepository.git(["rev-parse", "main:b/c"], in: served)
    try FileManager.default.removeItem(atPath: served + "/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    let mirror = try mirror("/git/app.git")
    let fault = await error { _ = try await mirror.refresh() }
    #expect(
      fault?.detail.hasPrefix("the transfer failed; the server said: \"") == true, "\(fault?.description ?? "nothing")")
    #expect(fault?.detail.contains(blob) == true)
    #expect(fault?.detail.contains("libgit2") == false)
    #expect(try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects/pack") == [])
  }

  @Test("a branch that prevents the creation of another branch is reported to a person")
  func collision() async throws {
    _ = try commit(["a": "2"])
    try TemporaryRepository.git(["branch", "l10n", "main"], in: served)
    let mirror = try mirror("/git/app.git")
    let head = try #require(try await mirror.refresh().first { $0.name == "main" }).commit
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    let fault = await error { _ = try await mirror.push(made, to: "l10n/main", expecting: nil) }
    #expect(fault?.kind == .branchConflict)
    #expect(fault?.disposition == .askPerson)
  }

  @Test("pushes can use other credentials than fetches")
  func pushCredentials() async throws {
    let mirror = try GitMirror(
      url: server.url + "/git/app.git", folder: repository.folder.file("other.git"), credentials: { right },
      pushCredentials: { Secret("bot:wrong") },
      networkChild: GitNetworkChild(executable: networkProgram))
    let head = try #require(try await mirror.refresh().first).commit
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    let fault = await error { _ = try await mirror.push(made, to: "new", expecting: nil) }
    #expect(fault?.kind == .unauthorized, "\(fault?.description ?? "nothing")")
  }

  @Test("credentials that the server refuses are replaced once, for lists, fetches and pushes")
  func renewal() async throws {
    let secrets = Mutex((newest: Secret("bot:revoked"), next: right, forgotten: 0))
    let renewal = CredentialRenewal { refused in
      secrets.withLock { if $0.newest == refused { ($0.newest, $0.forgotten) = ($0.next, $0.forgotten + 1) } }
    }
    let mirror = try GitMirror(
      url: server.url + "/git/app.git", folder: repository.folder.file("other.git"),
      credentials: { secrets.withLock { $0.newest } }, renewal: renewal,
      networkChild: GitNetworkChild(executable: networkProgram))
    let head = try #require(try await mirror.refresh().first).commit
    secrets.withLock { $0.newest = Secret("bot:revoked again") }
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    #expect(try await mirror.push(made, to: "new", expecting: nil) == .pushed)
    #expect(secrets.withLock { $0.forgotten } == 2)
    // If a new token is refused too, the token is not replaced at each poll.
    secrets.withLock { ($0.newest, $0.next) = (Secret("bot:old"), Secret("bot:no access")) }
    for _ in 1...3 {
      let fault = await error { _ = try await mirror.remoteBranches() }
      #expect(fault?.kind == .unauthorized, "\(fault?.description ?? "nothing")")
    }
    #expect(secrets.withLock { $0.forgotten } == 3)
  }

  @Test("a fetch above the limit fails with the next step and leaves no files behind")
  func fetchLimit() async throws {
    let noise = (0..<4000).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined(separator: "\n")
    _ = try commit(["noise": noise])
    func mirror(_ limit: Int) throws -> GitMirror {
      try GitMirror(
        url: server.url + "/git/app.git", folder: repository.folder.file("limited.git"), credentials: { right },
        networkChild: GitNetworkChild(executable: networkProgram, fetchLimit: limit))
    }
    let limited = try mirror(4096)
    let fault = await error { _ = try await limited.refresh() }
    #expect(fault?.kind == .refused && fault?.disposition == .askPerson)
    #expect(fault?.detail.contains("raise DRAGOMAN_FETCH_LIMIT") == true, "\(fault?.description ?? "nothing")")
    #expect(try FileManager.default.contentsOfDirectory(atPath: limited.folder + "/objects/pack") == [])
    #expect(try await mirror(1 << 20).refresh().map(\.name) == ["main", "topic"])
  }

  @Test("a damaged mirror is downloaded again, and polling an unchanged remote starts no process")
  func healing() async throws {
    let mirror = try mirror("/git/app.git")
    let head = try #require(try await mirror.refresh().first).commit
    // The program of this mirror cannot be started, so the mirror's polls must work without the program.
    let poll = try self.mirror("/git/app.git", program: "/absent")
    for _ in 0..<3 { #expect(try await poll.refresh().first?.commit == head) }
    for name in try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects/pack") {
      try FileManager.default.removeItem(atPath: mirror.folder + "/objects/pack/" + name)
    }
    await #expect(throws: GitError.self) { try await mirror.commit(head) }
    _ = try await mirror.refresh()
    #expect(try await mirror.tree(of: head).read("b/c") == [0x32])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }
}
