import Foundation
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import GitSource

@Suite("Commits without a work tree")
struct MakeCommitTests {
  private func prepared() async throws -> (TemporaryRepository, GitMirror, CommitID) {
    let repository = try TemporaryRepository()
    try repository.commit(["run.sh": "#!/bin/sh", "a/b/c": "1", "a/d": "2", "foo.txt": "x", "foo/bar": "y"])
    try FileManager.default.createSymbolicLink(atPath: repository.path + "/link", withDestinationPath: "a")
    try repository.git("add", "link")
    try repository.git("update-index", "--chmod=+x", "run.sh")
    try repository.git("commit", "-qm", "modes")
    let mirror = try localMirror(repository.path, in: repository.folder)
    let head = try #require(try await mirror.refresh().first).commit
    return (repository, mirror, head)
  }

  @Test("a commit creates and removes folders, keeps executables, and has git's id")
  func commit() async throws {
    let (repository, mirror, head) = try await prepared()
    var edits = TreeEdits()
    edits.write(Array("#!/bin/zsh".utf8), to: "run.sh")
    edits.write(Array("new".utf8), to: "x/y/z.strings")
    edits.write(Array("2".utf8), to: "foo-bar")
    edits.remove("a/b/c")
    edits.remove("never/was")
    let message = "Add translations\n\nL10n-Round: 7\n"
    let made = try await mirror.makeCommit(edits, on: head, message: message, author: signature, committer: signature)
    let again = try await mirror.makeCommit(edits, on: head, message: message, author: signature, committer: signature)
    #expect(made == again)
    #expect(try TemporaryRepository.git(["fsck", "--full", "--strict"], in: mirror.folder).contains("error") == false)
    let listed = try TemporaryRepository.git(["ls-tree", "-r", made.rawValue], in: mirror.folder)
      .split(separator: "\n").map { $0.split(separator: "\t")[1] + " " + $0.prefix(6) }
    #expect(
      listed == [
        "a/d 100644", "foo-bar 100644", "foo.txt 100644", "foo/bar 100644", "link 120000", "run.sh 100755",
        "x/y/z.strings 100644",
      ])
    // The same steps with git give the same tree, and git's commit has the same id.
    try FileManager.default.removeItem(atPath: repository.path + "/a/b")
    for (name, text) in ["run.sh": "#!/bin/zsh", "x/y/z.strings": "new", "foo-bar": "2"] {
      let mode = name == "run.sh" ? [FileAttributeKey.posixPermissions: 0o755] : [:]
      try repository.write(text, to: name)
      try FileManager.default.setAttributes(mode, ofItemAtPath: repository.path + "/" + name)
    }
    try repository.git("add", "-A")
    let tree = try repository.git("write-tree")
    let info = try await mirror.commit(made)
    #expect(info.tree == tree)
    #expect(info.message == message)
    #expect(info.author == signature)
    let raw =
      "tree \(tree)\nparent \(head)\nauthor Dragoman <dragoman@example.com> 1700000100 +0130\n"
      + "committer Dragoman <dragoman@example.com> 1700000100 +0130\n\n\(message)"
    #expect(try repository.git("hash-object", "-t", "commit", "--stdin", input: raw) == made.rawValue)
  }

  @Test("a folder replaces a file that the same commit removes")
  func folderForFile() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    var edits = TreeEdits()
    edits.remove("foo.txt")
    edits.write(Array("new".utf8), to: "foo.txt/x/y")
    edits.remove("foo.txt/never")
    let made = try await mirror.makeCommit(edits, on: head, message: "m", author: signature, committer: signature)
    let listed = try TemporaryRepository.git(["ls-tree", "-r", "--name-only", made.rawValue], in: mirror.folder)
    #expect(
      listed.split(separator: "\n") == ["a/b/c", "a/d", "foo.txt/x/y", "foo/bar", "link", "run.sh"])
  }

  @Test("a failed attempt to write an object reports the same message each time")
  func sameWords() async throws {
    let (repository, mirror, _) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let handle = try RepositoryHandle(folder: mirror.folder, isPlain: false)
    // Without this folder, no object file can be created.
    try FileManager.default.moveItem(atPath: mirror.folder + "/objects", toPath: mirror.folder + "/away")
    func failure() -> GitError? {
      do {
        _ = try unsafe Array("text".utf8).withUnsafeBytes { try unsafe handle.store($0, as: .blob) }
        return nil
      } catch { return error as? GitError }
    }
    let first = try #require(failure())
    #expect(first.description.contains("temporary file in '") && first.description.contains("/objects': "), "\(first)")
    #expect(failure() == first)
  }

  @Test("every object of a commit is synced before the first rename, and then every folder with a new name")
  func durable() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let large = (0..<20_000).map { "line \($0)\n" }.joined()
    let edits = TreeEdits(["a/b/c": .write(Array(large.utf8)), "x/y": .write([1]), "z": .write([1])])
    let steps = Mutex<[DiskStep]>([])
    let observer: @Sendable (DiskStep) -> Void = { step in steps.withLock { $0.append(step) } }
    func commit() async throws -> CommitID {
      try await DiskStep.$observer.withValue(observer) {
        try await mirror.makeCommit(edits, on: head, message: "m", author: signature, committer: signature)
      }
    }
    let made = try await commit()
    let listed = try TemporaryRepository.git(["rev-list", "--objects", made.rawValue, "^\(head)"], in: mirror.folder)
    let objects = Set(listed.split(separator: "\n").map { String($0.prefix(40)) })
    // There are one commit, four trees and two blobs, because two files have the same content.
    #expect(objects.count == 7)
    let order = steps.withLock { $0 }
    let synced = order.prefix { if case .synced = $0 { true } else { false } }
    let named = order.dropFirst(synced.count).prefix { if case .named = $0 { true } else { false } }
    #expect(synced.count == objects.count && Set(synced) == Set(objects.map(DiskStep.synced)))
    #expect(named.count == objects.count && Set(named) == Set(objects.map(DiskStep.named)))
    // The file of a commit gets its name after the files of all objects that the commit references.
    #expect(named.last == .named(made.rawValue))
    let folders = order.dropFirst(synced.count + named.count)
    #expect(Set(folders.dropLast()) == Set(objects.map { .folderSynced("\(mirror.folder)/objects/\($0.prefix(2))") }))
    #expect(folders.last == .folderSynced("\(mirror.folder)/objects"))
    let left = try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects")
    #expect(!left.contains { $0.hasPrefix("tmp_") })
    #expect(try await mirror.tree(of: made).read("a/b/c") == Array(large.utf8))
    // No object is written again, but the folder is synced, because a killed process may not have synced it.
    steps.withLock { $0 = [] }
    #expect(try await commit() == made)
    #expect(steps.withLock { $0 } == [.folderSynced("\(mirror.folder)/objects")])
  }

  @Test("names that only look equal stay separate, and names that are not UTF-8 stay unchanged")
  func names() async throws {
    let (repository, mirror, _) = try await prepared()
    let blob = try repository.git("hash-object", "-w", "--stdin", input: "x")
    let lines = "100644 blob \(blob)\t\u{e9}\n100644 blob \(blob)\te\u{301}\n"
    let tree = try repository.git("mktree", input: lines)
    let commit = try repository.git("commit-tree", "-m", "names", tree)
    try repository.git("branch", "-f", "names", commit)
    _ = try await mirror.refresh()
    var edits = TreeEdits()
    edits.write(Array("y".utf8), to: TreePath(trusted: "e\u{301}"))
    let made = try await mirror.makeCommit(
      edits, on: CommitID(rawValue: commit), message: "m", author: signature, committer: signature)
    let madeTree = try await mirror.tree(of: made)
    #expect(try madeTree.list(.root).count == 2)
    #expect(try madeTree.read(TreePath(trusted: "\u{e9}")) == Array("x".utf8))
    #expect(try madeTree.read(TreePath(trusted: "e\u{301}")) == Array("y".utf8))
  }

  @Test(
    "paths that links, files or folders obstruct are reported, and no file is written through a link",
    arguments: ["link", "link/x", "a", "foo.txt/x", ".git/config", "a/../x"])
  func obstructed(path: String) async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    var edits = TreeEdits()
    edits.write([1], to: TreePath(trusted: path))
    await #expect {
      try await mirror.makeCommit(edits, on: head, message: "m", author: signature, committer: signature)
    } throws: { ($0 as? GitError)?.kind == .obstructed }
  }

  @Test("a branch of the mirror is moved only from the commit that the caller expects, and fetches never change it")
  func localBranches() async throws {
    let (repository, mirror, head) = try await prepared()
    let next = try await mirror.makeCommit(
      TreeEdits(["n": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    #expect(try await mirror.localBranch("l10n/main") == nil)
    #expect(try await mirror.moveLocalBranch("l10n/main", from: head, to: next) == false)
    #expect(try await mirror.moveLocalBranch("l10n/main", from: nil, to: head))
    #expect(try await mirror.moveLocalBranch("l10n/main", from: nil, to: next) == false)
    #expect(try await mirror.moveLocalBranch("l10n/main", from: next, to: next) == false)
    #expect(try await mirror.moveLocalBranch("l10n/main", from: head, to: next))
    try repository.commit(["more": "1"])
    _ = try await mirror.refresh()
    #expect(try await mirror.localBranch("l10n/main") == next)
    #expect(try await mirror.branches().map(\.name) == ["main"])
    await #expect(throws: GitError.self) { try await mirror.moveLocalBranch("../x", from: nil, to: next) }
  }

  @Test("a killed process's lock in a local remote is reported with the next step, and the push is retried")
  func lockedRemote() async throws {
    let (repository, _, head) = try await prepared()
    let bare = try repository.bareCopy()
    let remote = try localMirror(bare, in: repository.folder, as: "remote.git")
    _ = try await remote.refresh()
    let next = try await remote.makeCommit(
      TreeEdits(["n": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    let lock = bare + "/refs/heads/main.lock"
    try Data().write(to: URL(fileURLWithPath: lock))
    let error = await #expect(throws: GitError.self) { try await remote.push(next, to: "main", expecting: head) }
    #expect(error?.disposition == .retry)
    #expect(error?.detail.hasPrefix("\(lock) exists: ") == true, "\(String(describing: error))")
    #expect(error?.detail.contains("If none is running, delete the file") == true)
    try FileManager.default.removeItem(atPath: lock)
    #expect(try await remote.push(next, to: "main", expecting: head) == .pushed)
  }

  @Test("a push to a folder respects its lease, does not change a checked-out branch, and runs the hook")
  func push() async throws {
    let (repository, mirror, head) = try await prepared()
    let bare = try repository.bareCopy()
    let remote = try localMirror(bare, in: repository.folder, as: "remote.git")
    _ = try await remote.refresh()
    let next = try await remote.makeCommit(
      TreeEdits(["n": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    #expect(try await remote.push(next, to: "l10n/main", expecting: head) == .leaseLost(remote: nil))
    #expect(try await remote.push(next, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try await remote.push(next, to: "l10n/main", expecting: nil) == .upToDate)
    #expect(try await remote.push(head, to: "l10n/main", expecting: nil) == .leaseLost(remote: next))
    #expect(try TemporaryRepository.git(["rev-parse", "l10n/main"], in: bare) == next.rawValue)
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: bare).contains("missing") == false)
    #expect(try await remote.refresh().map(\.name) == ["l10n/main", "main"])
    let hook = bare + "/hooks/pre-receive"
    try Data("#!/bin/sh\nexit 1\n".utf8).write(to: URL(fileURLWithPath: hook))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: hook)
    let passedOver = await #expect(throws: GitError.self) {
      try await remote.push(next, to: "other", expecting: nil)
    }
    #expect(passedOver?.kind == .refused && passedOver?.detail.contains("\(hook) may refuse a push") == true)
    let own = try await mirror.makeCommit(
      TreeEdits(["n": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    let moved = await #expect(throws: GitError.self) { try await mirror.push(own, to: "main", expecting: head) }
    #expect(moved?.kind == .refused && moved?.detail.contains("checked out there") == true)
    #expect(try await mirror.push(own, to: "l10n/main", expecting: nil) == .pushed)
    #expect(try repository.git("show", "l10n/main:n") == "\u{1}")
  }
}
