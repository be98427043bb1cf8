import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

@Suite("Merges without a work tree")
struct MakeMergeTests {
  private func merge(
    _ mirror: GitMirror, _ first: String, _ second: String, resolving resolved: [TreePath: [UInt8]?] = [:]
  ) async throws -> MergeResult {
    try await mirror.makeMerge(
      of: CommitID(rawValue: first), and: CommitID(rawValue: second), resolving: resolved, message: "Merge\n",
      author: signature, committer: signature)
  }

  /// Returns a repository with two branches from one base. Each branch is made by its own closure.
  private func prepared(
    _ base: [String: String], main: (TemporaryRepository) throws -> Void, side: (TemporaryRepository) throws -> Void
  ) async throws -> (repository: TemporaryRepository, mirror: GitMirror, main: String, side: String) {
    let repository = try TemporaryRepository()
    try repository.commit(base)
    try repository.git("checkout", "-q", "-b", "side")
    try side(repository)
    let sideTip = try repository.git("rev-parse", "HEAD")
    try repository.git("checkout", "-q", "main")
    try main(repository)
    let mainTip = try repository.git("rev-parse", "HEAD")
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    return (repository, mirror, mainTip, sideTip)
  }

  @Test("a merge has the same tree as git's, with modes, links, submodules and renames, and the same id each time")
  func clean() async throws {
    let lines = (0..<30).map { "line \($0)\n" }.joined()
    let (repository, mirror, main, side) = try await prepared(
      ["text": lines, "old-name": lines + "x\n", "run.sh": "#!/bin/sh\n", "gone": "1", "kept/a": "a", "dir/file": "f"],
      main: { repository in
        try repository.write("first\n" + lines, to: "text")
        try repository.git("mv", "old-name", "new-name")
        let id = try repository.git("rev-parse", "HEAD")
        try repository.git("add", "-A")
        try repository.git("update-index", "--add", "--cacheinfo", "160000,\(id),module")
        try repository.git("commit", "-qm", "main")
      },
      side: { repository in
        try repository.write(lines + "last\n", to: "text")
        try repository.write(lines + "x\nmore\n", to: "old-name")
        try repository.git("rm", "-q", "gone")
        try FileManager.default.createSymbolicLink(
          atPath: repository.path + "/link", withDestinationPath: "kept/a")
        try repository.git("add", "-A")
        try repository.git("update-index", "--chmod=+x", "run.sh")
        try repository.git("commit", "-qm", "side")
        try repository.git("reset", "-q", "--hard")
      })
    guard case .merged(let made) = try await merge(mirror, main, side) else {
      Issue.record("not merged")
      return
    }
    #expect(try await merge(mirror, main, side) == .merged(made))
    let info = try await mirror.commit(made)
    #expect(info.parents.map(\.rawValue) == [main, side])
    try repository.git("merge", "-q", "--no-ff", "-m", "git's own", side)
    #expect(info.tree == (try repository.git("rev-parse", "HEAD^{tree}")))
    let modes = try TemporaryRepository.git(["ls-tree", "-r", made.rawValue], in: mirror.folder)
    for start in ["100755 blob", "120000 blob", "160000 commit"] { #expect(modes.contains(start)) }
    #expect(try TemporaryRepository.git(["fsck", "--full", "--strict"], in: mirror.folder).contains("error") == false)
  }

  @Test("conflicts are listed, except for files whose merged content is given")
  func conflicts() async throws {
    let (repository, mirror, main, side) = try await prepared(
      ["a.strings": "1\n", "b.txt": "1\n", "c.txt": "1\n", "d/both": "1\n"],
      main: {
        try $0.commit(["a.strings": "2\n", "b.txt": "2\n", "d/both": "2\n", "new": "m\n"], removing: ["c.txt"])
      },
      side: { try $0.commit(["a.strings": "3\n", "b.txt": "3\n", "c.txt": "3\n", "d/both": "1\n", "new": "s\n"]) })
    defer { withExtendedLifetime(repository) {} }
    #expect(try await merge(mirror, main, side) == .conflicts(["a.strings", "b.txt", "c.txt", "new"]))
    #expect(
      try await merge(mirror, main, side, resolving: ["a.strings": [0x39]]) == .conflicts(["b.txt", "c.txt", "new"]))
    let resolved: [TreePath: [UInt8]?] = [
      "a.strings": [0x39], "b.txt": nil, "c.txt": [0x38], "new": [0x37], "d/both": [0x36], "e/f/g": [0x35], "none": nil,
    ]
    guard case .merged(let made) = try await merge(mirror, main, side, resolving: resolved) else {
      Issue.record("not merged")
      return
    }
    let tree = try await mirror.tree(of: made)
    #expect(tree.walk().map(\.path.text).sorted() == ["a.strings", "c.txt", "d/both", "e/f/g", "new"])
    for (path, content) in resolved { if let content { #expect(try tree.read(path) == content) } }
    #expect(try TemporaryRepository.git(["fsck", "--full", "--strict"], in: mirror.folder).contains("error") == false)
  }

  @Test("unrelated histories are merged as if all files had been added")
  func unrelated() async throws {
    let repository = try TemporaryRepository()
    let main = try repository.commit(["a": "1", "same": "s"])
    try repository.git("checkout", "-q", "--orphan", "other")
    try repository.git("rm", "-rfq", ".")
    let other = try repository.commit(["b": "2", "same": "s"])
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    guard case .merged(let made) = try await merge(mirror, main, other) else {
      Issue.record("not merged")
      return
    }
    #expect(try await mirror.tree(of: made).walk().map(\.path.text) == ["a", "b", "same"])
  }

  @Test("a file with given content that is a link, a submodule or a folder on one side is refused")
  func obstructed() async throws {
    let (repository, mirror, main, side) = try await prepared(
      ["a": "1", "folder/x": "1"],
      main: { repository in
        try FileManager.default.createSymbolicLink(atPath: repository.path + "/link", withDestinationPath: "a")
        try repository.commit()
      }, side: { try $0.commit(["a": "2"]) })
    defer { withExtendedLifetime(repository) {} }
    for path in ["link", "folder"] {
      await #expect { try await merge(mirror, main, side, resolving: [TreePath(trusted: path): [1]]) } throws: {
        ($0 as? GitError)?.kind == .obstructed
      }
    }
    let absent = String(repeating: "1", count: 40)
    await #expect { try await merge(mirror, main, absent) } throws: { ($0 as? GitError)?.kind == .missingObject }
  }

  @Test("merges of many small changes equal git's merges", arguments: 0..<8)
  func random(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let names = (0..<8).map { "f\($0 % 3)/file\($0)" }
    let base = Dictionary(uniqueKeysWithValues: names.map { ($0, (0..<12).map { "\($0)\n" }.joined()) })
    func edit(_ repository: TemporaryRepository, _ word: String) throws {
      for name in names {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try repository.git("rm", "-q", name)
        case 1, 2:
          var lines = (0..<12).map { "\($0)\n" }
          lines[Int.random(in: 0..<12, using: &random)] = "\(word) \(Bool.random(using: &random))\n"
          try repository.write(lines.joined(), to: name)
        default: break
        }
      }
      try repository.commit(["added-\(word)": word])
    }
    let (repository, mirror, main, side) = try await prepared(
      base, main: { try edit($0, "main") }, side: { try edit($0, "side") })
    let result = try await merge(mirror, main, side)
    let said = (try? repository.git("merge-tree", "--write-tree", "--name-only", main, side))
    switch result {
    case .merged(let made): #expect(try await mirror.commit(made).tree == said)
    case .conflicts(let paths):
      #expect(said == nil)
      #expect(!paths.isEmpty)
    }
  }
}
