import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

@Suite("Opening a tree")
struct OpenTreeTests {
  private func repository() throws -> TemporaryRepository {
    let repository = try TemporaryRepository()
    try repository.commit([
      "App/View.swift": "one", "README.md": "read me", "a-b/x": "1", "a/y": "2",
    ])
    return repository
  }

  private func error(_ body: () throws -> Void) -> GitError? {
    do { try body() } catch { return error as? GitError }
    return nil
  }

  @Test("a repository with SHA-256 object ids is refused, and the message names the reason")
  func otherHash() throws {
    let folder = try TemporaryFolder()
    try TemporaryRepository.git(["init", "-q", "--object-format=sha256", "made"], in: folder.path)
    let error = #expect(throws: GitError.self) { try GitRepository(path: folder.file("made")) }
    #expect(error?.kind == .unsupported && error?.description.contains("SHA-256") == true, "\(error as Any)")
  }

  @Test("a folder without .git is read")
  func directory() throws {
    let repository = try repository()
    try repository.write("unsaved", to: "App/View.swift")
    let opened = try openTree(path: repository.path)
    #expect(opened.commit == nil && opened.repository == nil)
    #expect(try opened.tree.list(.root).map(\.path.text) == ["App", "README.md", "a", "a-b"])
    #expect(try opened.tree.read("App/View.swift") == Array("unsaved".utf8))
    #expect(try opened.tree.entry(at: ".git") == nil)
  }

  @Test(
    "a revision can be a branch, tag, remote branch, id, short id, parent or folder",
    arguments: [
      "main", "HEAD", "@", "v1", "annotated", "heads/main", "refs/heads/main", "origin/main",
      "topic", "ID", "SHORT",
      "HEAD~0", "next^", "next~1", "HEAD^{tree}", "HEAD^{commit}", "annotated^{}", "HEAD^{}", "next^1", "next^0^",
    ])
  func revision(name: String) throws {
    let repository = try repository()
    let id = try repository.git("rev-parse", "HEAD")
    try repository.git("tag", "v1")
    try repository.git("tag", "-a", "-m", "said", "annotated")
    try repository.git("update-ref", "refs/remotes/origin/main", id)
    try repository.git("update-ref", "refs/remotes/origin/topic", id)
    try repository.git("checkout", "-q", "-b", "next")
    try repository.commit(["later": "x"])
    try repository.git("checkout", "-q", "main")
    let revision = name == "ID" ? id : name == "SHORT" ? String(id.prefix(8)) : name
    let opened = try openTree(path: repository.path, revision: revision)
    #expect(try opened.tree.list(.root).map(\.path.text) == ["App", "README.md", "a", "a-b"])
    if !name.hasSuffix("{tree}") { #expect(opened.commit?.rawValue == id) }
  }

  @Test("paths are relative to the folder that a revision names")
  func folderOfRevision() throws {
    let repository = try repository()
    for revision in ["HEAD:App", "main:App/", "main:./App"] {
      let opened = try openTree(path: repository.path, revision: revision)
      #expect(try opened.tree.list(.root).map(\.path.text) == ["View.swift"])
      #expect(try opened.tree.read("View.swift") == Array("one".utf8))
    }
    // For a subfolder of the work tree, the same folder of the revision is read.
    let folder = repository.path + "/App"
    #expect(try openTree(path: folder, revision: "HEAD").tree.list(.root).map(\.path.text) == ["View.swift"])
    #expect(try openTree(path: folder, revision: "HEAD:a").tree.list(.root).map(\.path.text) == ["y"])
    // The same applies to a linked work tree.
    try repository.git("worktree", "add", "-q", "../linked", "-b", "linked")
    let linked = repository.folder.file("linked/App")
    #expect(try openTree(path: linked, revision: "main").tree.list(.root).map(\.path.text) == ["View.swift"])
    try repository.write("x", to: "New/x")
    let new = repository.path + "/New"
    #expect(error { _ = try openTree(path: new, revision: "HEAD") }?.kind == .noSuchRevision)
    #expect(try openTree(path: new, revision: "HEAD", allowingNew: true).tree.list(.root).isEmpty)
    #expect(try openTree(path: "file://" + repository.path, revision: "HEAD").commit != nil)
  }

  @Test(
    "a bare repository without config, refs or reflogs, packed or with a detached HEAD, is opened at HEAD"
  )
  func bare() throws {
    let repository = try repository()
    let id = try repository.git("rev-parse", "HEAD")
    let bare = try repository.bareCopy()
    #expect(try openTree(path: bare).commit?.rawValue == id)
    try TemporaryRepository.git(["pack-refs", "--all"], in: bare)
    try TemporaryRepository.git(["repack", "-adq"], in: bare)
    for name in ["config", "hooks", "info", "description", "branches", "logs"] {
      try? FileManager.default.removeItem(atPath: bare + "/" + name)
    }
    #expect(try openTree(path: bare).commit?.rawValue == id)
    try FileManager.default.removeItem(atPath: bare + "/refs")
    for revision in [nil, "HEAD", "main", id, String(id.prefix(7)), "HEAD^{tree}"] {
      #expect(
        try openTree(path: bare, revision: revision).tree.read("README.md") == Array("read me".utf8)
      )
    }
    try FileManager.default.removeItem(atPath: bare + "/packed-refs")
    #expect(error { _ = try openTree(path: bare, revision: "main") }?.kind == .emptyRepository)
    try Data((id + "\n").utf8).write(to: URL(fileURLWithPath: bare + "/HEAD"))
    #expect(try openTree(path: bare).commit?.rawValue == id)
    #expect(error { _ = try openTree(path: bare, revision: "main") }?.kind == .noSuchRevision)
  }

  @Test("the reason why a repository cannot be opened is reported")
  func refused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path
    #expect(error { _ = try openTree(path: path + "/absent") }?.kind == .noSuchPath)
    #expect(error { _ = try openTree(path: path, revision: "HEAD") }?.kind == .notARepository)
    #expect(error { _ = try openTree(path: "https://example.com/a.git") }?.kind == .unsupported)
    let empty = try TemporaryRepository()
    #expect(
      error { _ = try openTree(path: empty.path, revision: "HEAD") }?.kind == .emptyRepository)
    #expect(
      error { _ = try openTree(path: empty.path, revision: "main") }?.kind == .emptyRepository)
    let repository = try repository()
    let fault = error { _ = try openTree(path: repository.path, revision: "mian") }
    #expect(fault?.kind == .noSuchRevision)
    #expect(
      fault?.description
        == "cannot read mian of \(repository.path): no branch, tag or commit 'mian'; branches: main")
    for revision in [
      "HEAD:Nothing", "HEAD:README.md", ":README.md", "HEAD:../x", "HEAD~7", "HEAD^2", "HEAD^{x}", "HEAD^{", "HEAD~x",
      "../../HEAD",
      "HEAD@{1}",
    ] {
      #expect(
        error { _ = try openTree(path: repository.path, revision: revision) }?.kind
          == .noSuchRevision, "\(revision)")
    }
    try repository.git("symbolic-ref", "HEAD", "refs/heads/gone")
    let head = error { _ = try openTree(path: repository.path, revision: "HEAD") }
    #expect(head?.kind == .noSuchRevision)
    #expect(head?.detail.contains("'gone', which does not exist; branches: main") == true)
  }

  @Test("the host's git configuration has no effect, and a repository of another owner is read")
  func untouchedByHost() throws {
    let repository = try repository()
    #expect(
      try openTree(path: repository.path, revision: "HEAD").tree.entry(at: "README.md") != nil)
    try repository.git("config", "extensions.partialClone", "origin")
    try repository.git("config", "core.repositoryFormatVersion", "1")
    #expect(
      try openTree(path: repository.path, revision: "HEAD").tree.entry(at: "README.md") != nil)
  }
}
