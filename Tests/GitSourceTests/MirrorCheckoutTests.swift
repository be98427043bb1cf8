import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

@Suite("A copy of a checkout that accepts pushes")
struct MirrorCheckoutTests {
  private func branches(_ path: String) throws -> [String] {
    try TemporaryRepository.git(["for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"], in: path)
      .split(separator: "\n").map(String.init)
  }

  @Test("all branches of a full checkout are copied repeatedly without losing a push")
  func full() async throws {
    let repository = try TemporaryRepository()
    let first = try repository.commit(["a": "1"])
    try repository.git("checkout", "-q", "-b", "work")
    let copy = repository.folder.file("deep/origin.git")
    let made = try mirrorCheckout(from: repository.path, to: copy)
    #expect(made == CheckoutCopy(branch: "work", isShallow: false, diverged: []))
    #expect(try branches(copy) == ["main \(first)", "work \(first)"])
    #expect(try TemporaryRepository.git(["symbolic-ref", "HEAD"], in: copy) == "refs/heads/work")

    let mirror = try GitMirror(url: copy, folder: repository.folder.file("mirror.git"))
    _ = try await mirror.refresh()
    let translated = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: CommitID(rawValue: first), message: "m", author: signature,
      committer: signature)
    #expect(try await mirror.push(translated, to: "l10n/work", expecting: nil) == .pushed)
    #expect(try await mirror.push(translated, to: "main", expecting: CommitID(rawValue: first)) == .pushed)
    let second = try repository.commit(["a": "2"])
    #expect(try mirrorCheckout(from: repository.path, to: copy).diverged == ["main"])
    #expect(try branches(copy) == ["l10n/work \(translated)", "main \(translated)", "work \(second)"])
    // A rewritten branch replaces the old branch, because no other client has moved it.
    try repository.git("commit", "-q", "--amend", "-m", "again")
    let third = try repository.git("rev-parse", "HEAD")
    for _ in 0..<2 { _ = try mirrorCheckout(from: repository.path + "/", to: copy) }
    #expect(try branches(copy) == ["l10n/work \(translated)", "main \(translated)", "work \(third)"])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: copy).contains("missing") == false)
  }

  @Test("a shallow checkout is copied as one new commit of its tree, and as another commit when it changes")
  func shallow() throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a/b": "1"])
    try repository.commit(["a/b": "2"])
    let clone = repository.folder.file("clone")
    try TemporaryRepository.git(
      ["clone", "-q", "--depth", "1", "file://" + repository.path, clone], in: repository.folder.path)
    let copy = clone + "/.dragoman/origin.git"
    #expect(try mirrorCheckout(from: clone, to: copy) == CheckoutCopy(branch: "main", isShallow: true, diverged: []))
    #expect(try TemporaryRepository.git(["log", "--format=%s", "main"], in: copy) == "Change")
    let before = try branches(copy)
    _ = try mirrorCheckout(from: clone, to: copy)
    #expect(try branches(copy) == before)
    try repository.commit(["a/b": "3", "c": "4"], message: "Third")
    try TemporaryRepository.git(["fetch", "-q", "--depth", "1"], in: clone)
    try TemporaryRepository.git(["reset", "-q", "--hard", "origin/main"], in: clone)
    _ = try mirrorCheckout(from: clone, to: copy)
    #expect(try TemporaryRepository.git(["log", "--format=%s", "main"], in: copy) == "Third\nChange")
    #expect(try TemporaryRepository.git(["show", "main:a/b"], in: copy) == "3")
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: copy).contains("missing") == false)
  }

  @Test("a detached HEAD gets a branch, and a repository without commits is reported")
  func detached() throws {
    let repository = try TemporaryRepository()
    #expect(throws: GitError.self) {
      try mirrorCheckout(from: repository.path, to: repository.folder.file("none.git"))
    }
    let first = try repository.commit(["a": "1"])
    let second = try repository.commit(["a": "2"])
    try repository.git("checkout", "-q", "--detach", first)
    let copy = repository.folder.file("copy.git")
    #expect(try mirrorCheckout(from: repository.path, to: copy).branch == "checkout")
    #expect(try branches(copy) == ["checkout \(first)", "main \(second)"])
    try repository.git("branch", "-D", "main")
    let other = repository.folder.file("other.git")
    #expect(try mirrorCheckout(from: repository.path, to: other).branch == "main")
    #expect(try branches(other) == ["main \(first)"])
    let error = #expect(throws: GitError.self) {
      try mirrorCheckout(from: repository.folder.path, to: repository.folder.file("x.git"))
    }
    #expect(error?.kind == .notARepository)
  }
}
