import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

/// Pushes to a repository on this machine. A push of at most 64 objects copies the files of objects that this process wrote, up to the first object
/// for which this is impossible, and reads and checks the rest. A larger push writes one pack.
@Suite("Pushes to a local repository")
struct LocalPushTests {
  private func commit(_ mirror: GitMirror, on parent: CommitID, _ text: String) async throws -> CommitID {
    var edits = TreeEdits()
    edits.write(Array(String(repeating: text + "\n", count: 1000).utf8), to: TreePath(trusted: "a/b/\(text).strings"))
    return try await mirror.makeCommit(edits, on: parent, message: text, author: signature, committer: signature)
  }

  @Test("a push transfers new objects, packed objects and objects that another process wrote")
  func complete() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a/c": "1"])
    let bare = try repository.bareCopy()
    let mirror = try localMirror(bare, in: repository.folder)
    let head = try #require(try await mirror.refresh().first).commit

    let first = try await commit(mirror, on: head, "first")
    #expect(try await mirror.push(first, to: "l10n/main", expecting: nil) == .pushed)
    try check(bare, has: "first")

    let second = try await commit(mirror, on: first, "second")
    try TemporaryRepository.git(["update-ref", "refs/heads/kept", second.rawValue], in: mirror.folder)
    try TemporaryRepository.git(["repack", "-adq"], in: mirror.folder)
    let third = try await commit(mirror, on: second, "third")
    #expect(try await mirror.push(third, to: "l10n/main", expecting: first) == .pushed)
    try check(bare, has: "third")

    let fourth = try await commit(mirror, on: third, "fourth")
    let other = try GitMirror(url: bare, folder: mirror.folder, workers: GitWorkers())
    #expect(try await other.push(fourth, to: "l10n/main", expecting: third) == .pushed)
    try check(bare, has: "fourth")
  }

  @Test("a branch locked by another process is moved once it is unlocked, and reported if the lock remains")
  func locked() async throws {
    let repository = try TemporaryRepository()
    let head = try repository.commit(["a/c": "1"])
    let bare = try repository.bareCopy()
    let lock = bare + "/refs/heads/l10n.lock"
    try Data().write(to: URL(filePath: lock))
    let git = try GitRepository(path: bare)
    let id = try git.objectID(CommitID(rawValue: head))
    try git.withHandle { (handle) throws(GitError) in
      var pauses = 0
      #expect(throws: GitError.self) {
        try handle.moveReference("refs/heads/l10n", from: nil, to: id) { _ in pauses += 1 }
      }
      #expect(pauses > 5)
      let moved = try handle.moveReference("refs/heads/l10n", from: nil, to: id) { attempts in
        if attempts == 3 { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: lock) } }
      }
      #expect(moved)
    }
    #expect(git.references.resolve("refs/heads/l10n") == id)
  }

  @Test("a branch of the mirror that another stage has locked is set and removed once it is unlocked")
  func lockedInMirror() throws {
    let repository = try TemporaryRepository()
    let head = try repository.commit(["a/c": "1"])
    let bare = try repository.bareCopy()
    let lock = bare + "/refs/heads/l10n.lock"
    let git = try GitRepository(path: bare)
    let id = try git.objectID(CommitID(rawValue: head))
    func unlock(_ attempts: Int) {
      if attempts == 3 { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: lock) } }
    }
    try Data().write(to: URL(filePath: lock))
    try git.withHandle { (handle) throws(GitError) in
      try handle.setReference("refs/heads/l10n", to: id, pause: unlock)
    }
    #expect(git.references.resolve("refs/heads/l10n") == id)
    try Data().write(to: URL(filePath: lock))
    try git.withHandle { (handle) throws(GitError) in
      try handle.removeReference("refs/heads/l10n", pause: unlock)
    }
    #expect(git.references.resolve("refs/heads/l10n") == nil)
  }

  private func check(_ bare: String, has text: String) throws {
    #expect(try !TemporaryRepository.git(["fsck", "--full", "--strict"], in: bare).contains("error"))
    let content = try TemporaryRepository.git(["show", "l10n/main:a/b/\(text).strings"], in: bare)
    #expect(content.split(separator: "\n").count == 1000)
    let names = try FileManager.default.contentsOfDirectory(atPath: bare + "/objects")
    #expect(!names.contains { $0.hasPrefix("tmp_") })
  }
}
