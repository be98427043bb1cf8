import Foundation
import GitSource
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@Suite("Hostile repositories")
struct HostileRepositoryTests {
  /// A tree that counts how often folders are listed.
  private final class CountingTree: SourceTree {
    let base: any SourceTree
    let listed = Mutex(0)

    init(_ base: any SourceTree) { self.base = base }

    func list(_ folder: TreePath) throws(TreeError) -> [TreeEntry] {
      listed.withLock { $0 += 1 }
      return try base.list(folder)
    }

    func entry(at path: TreePath) throws(TreeError) -> TreeEntry? { try base.entry(at: path) }
    func read(_ path: TreePath) throws(TreeError) -> [UInt8] { try base.read(path) }
    func holdsMore(than entries: Int) -> Bool { base.holdsMore(than: entries) }
  }

  /// Makes a commit of ten tree objects, each of which contains the next tree object ten times. The tree has 10^10 paths to one file.
  private func bomb(_ text: String, in repository: TemporaryRepository, beside: String = "") throws -> String {
    let blob = try repository.git("hash-object", "-w", "--stdin", input: text)
    var tree = try repository.git("mktree", input: "100644 blob \(blob)\tA.swift\n")
    for _ in 0..<10 {
      let lines = (0..<10).map { "040000 tree \(tree)\td\($0)\n" }.joined()
      tree = try repository.git("mktree", input: lines)
    }
    let root = try repository.git("mktree", input: "040000 tree \(tree)\tbomb\n" + beside)
    let commit = try repository.git("commit-tree", root, "-m", text)
    try repository.git("update-ref", "refs/heads/main", commit)
    return commit
  }

  @Test("a tree with 10^10 paths in ten objects is refused after a few hundred entries, and no file is read")
  func paths() throws {
    let repository = try TemporaryRepository()
    _ = try bomb("one", in: repository)
    let tree = CountingTree(try openTree(path: repository.path, revision: "HEAD").tree)
    var errors: [TreeError] = []
    #expect(tree.walk(unreadable: { errors.append($0) }).isEmpty)
    #expect(errors.map(\.kind) == [.tooLarge])
    #expect(errors.first?.detail.contains("nothing was read") == true)
    #expect(tree.listed.withLock { $0 } < 1500)
  }

  @Test("entries that a walk skips do not count towards its limits")
  func skipped() throws {
    let repository = try TemporaryRepository()
    let blob = try repository.git("hash-object", "-w", "--stdin", input: "1")
    _ = try bomb("one", in: repository, beside: "100644 blob \(blob)\tB.swift\n")
    let tree = try openTree(path: repository.path, revision: "HEAD").tree
    #expect(tree.walk(skipping: { $0 == "bomb" }).map(\.path.text) == ["B.swift"])
  }

  @Test("a tree with ten thousand copies of one folder is read without an error")
  func copies() throws {
    let repository = try TemporaryRepository()
    let blob = try repository.git("hash-object", "-w", "--stdin", input: "1")
    let leaf = try repository.git("mktree", input: "100644 blob \(blob)\tA.swift\n")
    let many = try repository.git("mktree", input: (0..<120).map { "040000 tree \(leaf)\td\($0)\n" }.joined())
    let root = try repository.git("mktree", input: (0..<120).map { "040000 tree \(many)\td\($0)\n" }.joined())
    let commit = try repository.git("commit-tree", root, "-m", "copies")
    let tree = try openTree(path: repository.path, revision: commit).tree
    var errors: [TreeError] = []
    #expect(tree.walk(unreadable: { errors.append($0) }).count == 14_400)
    #expect(errors.isEmpty)
  }

  @Test("trees with 10^10 paths are neither compared nor merged")
  func comparison() async throws {
    let repository = try TemporaryRepository()
    let base = try repository.commit(["a": "1"])
    let (first, second) = (try bomb("one", in: repository), try bomb("two", in: repository))
    try repository.git("update-ref", "refs/heads/first", first)
    try repository.git("update-ref", "refs/heads/base", base)
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    let ids = (CommitID(rawValue: first), CommitID(rawValue: second))
    for old in [ids.0, nil] {
      let error = await #expect(throws: GitError.self) { try await mirror.changes(from: old, to: ids.1) }
      #expect(error?.kind == .unsupported)
    }
    let error = await #expect(throws: GitError.self) {
      try await mirror.makeMerge(
        of: ids.0, and: ids.1, resolving: [:], message: "m", author: signature, committer: signature)
    }
    #expect(error?.kind == .unsupported)
    let trees = try [first, second].map {
      try #require(openTree(path: repository.path, revision: $0).tree as? any VersionedTree)
    }
    #expect(trees[1].modifiedFiles(since: trees[0].id) == nil)
  }

  @Test("folders nested 20,000 levels deep are copied, but not read below the limit")
  func depth() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    let mirror = try localMirror(repository.path, in: repository.folder)
    // A mirror that is not empty receives new objects one by one.
    _ = try await mirror.refresh()
    let path = String(repeating: "d/", count: 20_000) + "a"
    try repository.git(
      "fast-import", "--quiet", "--force",
      input: "commit refs/heads/main\ncommitter a <a@b> 1 +0000\ndata 1\nx\nM 100644 inline \(path)\ndata 1\n1\n")
    let commit = try repository.git("rev-parse", "main")
    _ = try await mirror.refresh()
    var errors: [TreeError] = []
    #expect(try await mirror.tree(of: CommitID(rawValue: commit)).walk(unreadable: { errors.append($0) }).isEmpty)
    #expect(errors.map(\.kind) == [.tooLarge])
  }

  @Test(
    "configuration files that are included by path are not read, and the repository can be read",
    arguments: ["[include]\n\tpath = ", "[includeIf \"gitdir:**\"]\n\tpath = ", "[core] bare = false [Include] path="])
  func includes(text: String) async throws {
    let repository = try TemporaryRepository()
    let id = try repository.commit(["a": "1"])
    let pipe = repository.folder.file("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let config = repository.path + "/.git/config"
    let old = try String(contentsOfFile: config, encoding: .utf8)
    try Data((old + text + pipe + "\n").utf8).write(to: URL(fileURLWithPath: config))
    #expect(try openTree(path: repository.path, revision: "HEAD").commit?.rawValue == id)
    let mirror = try localMirror(repository.path, in: repository.folder)
    let head = try #require(try await mirror.refresh().first).commit
    #expect(head.rawValue == id)
    let made = try await mirror.makeCommit(
      TreeEdits(["t": .write([1])]), on: head, message: "m", author: signature, committer: signature)
    guard case .refused(let reason) = try await mirror.push(made, to: "l10n/main", expecting: nil) else {
      Issue.record("it was pushed to")
      return
    }
    #expect(reason.contains("includes other files"))
  }

  @Test("a linked work tree of a repository with included configuration files is read")
  func linkedWorkTree() throws {
    let repository = try TemporaryRepository()
    let id = try repository.commit(["a": "1"])
    let linked = repository.folder.file("linked")
    try repository.git("worktree", "add", "-q", "-b", "side", linked)
    try repository.git("config", "include.path", repository.folder.file("absent"))
    #expect(try openTree(path: linked, revision: "HEAD").commit?.rawValue == id)
    #expect(try openTree(path: linked, revision: "side").tree.read("a") == [0x31])
  }

  @Test(
    "a named pipe in place of an object or a pack is refused",
    arguments: ["loose", "pack/pack-1.idx", "info/commit-graph"])
  func pipes(name: String) throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    let blob = try repository.git("rev-parse", "HEAD:a")
    let place = "objects/" + (name == "loose" ? "\(blob.prefix(2))/\(blob.dropFirst(2))" : name)
    let path = repository.path + "/.git/" + place
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(
      atPath: URL(fileURLWithPath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try #require(mkfifo(path, 0o600) == 0)
    let error = #expect(throws: GitError.self) { try openTree(path: repository.path, revision: "HEAD") }
    #expect(error?.kind == .obstructed)
    #expect(error?.detail == "\(place) is not a regular file")
  }
}
