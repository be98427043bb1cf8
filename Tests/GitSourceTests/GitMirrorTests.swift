import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

let signature = CommitSignature(
  name: "Dragoman", email: "dragoman@example.com", seconds: 1_700_000_100, offsetMinutes: 90)

/// Returns a mirror of a repository on this machine.
func localMirror(_ path: String, in folder: TemporaryFolder, as name: String = "mirror.git") throws -> GitMirror {
  try GitMirror(url: path, folder: folder.file("mirrors/" + name))
}

@Suite("A mirror of a repository on this machine")
struct GitMirrorTests {
  @Test("refresh fetches all branches, updates them, and drops deleted ones", arguments: [false, true])
  func refresh(byURL: Bool) async throws {
    let repository = try TemporaryRepository()
    let first = try repository.commit(["a": "1"])
    try repository.git("branch", "topic/one")
    let url = byURL ? "file://" + repository.path : repository.path
    let mirror = try localMirror(url, in: repository.folder)
    #expect(try await mirror.refresh().map(\.name) == ["main", "topic/one"])
    #expect(try await mirror.defaultBranch() == "main")
    let second = try repository.commit(["a": "2"])
    try repository.git("branch", "-D", "topic/one")
    try repository.git("branch", "topic")
    #expect(try await mirror.remoteBranches().map(\.commit.rawValue) == [second, second])
    #expect(try await mirror.branches().map(\.commit.rawValue) == [first, first])
    #expect(try await mirror.refresh().map(\.name) == ["main", "topic"])
    #expect(try await mirror.branches() == mirror.remoteBranches())
    #expect(try await mirror.tree(of: CommitID(rawValue: second)).read("a") == [0x32])
    try repository.git("commit", "-q", "--amend", "-m", "again")
    #expect(try await mirror.refresh().first?.commit.rawValue == repository.git("rev-parse", "main"))
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test(
    "repositories of every kind are mirrored: packed, without config, HEAD detached, with alternates, shallow, lacking a file"
  )
  func kinds() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1", "gone": "away"], message: "first")
    let tip = try repository.commit(["a": "2"], message: "second", seconds: 1_700_000_001)
    let folder = repository.folder
    func check(_ path: String, branch: String?, history: Int, _ name: String) async throws {
      let mirror = try localMirror(path, in: folder, as: name)
      #expect(try await mirror.refresh().map(\.commit.rawValue) == [tip], "\(name)")
      #expect(try await mirror.defaultBranch() == branch, "\(name)")
      #expect(try await mirror.tree(of: CommitID(rawValue: tip)).read("a") == [0x32], "\(name)")
      let walked = try await mirror.history(of: CommitID(rawValue: tip), excluding: nil, limit: 10)
      #expect(walked.count == history, "\(name)")
    }
    let bare = try repository.bareCopy()
    try TemporaryRepository.git(["gc", "-q"], in: bare)
    try await check(bare, branch: "main", history: 2, "packed")
    try TemporaryRepository.git(["clone", "-q", "--bare", "--shared", bare, "shared.git"], in: folder.path)
    try await check(folder.file("shared.git"), branch: "main", history: 2, "alternates")
    try TemporaryRepository.git(["clone", "-q", "--depth", "1", "file://" + bare, "shallow"], in: folder.path)
    try await check(folder.file("shallow"), branch: "main", history: 1, "shallow")
    let gone = try repository.git("rev-parse", "HEAD:gone")
    try FileManager.default.removeItem(atPath: repository.path + "/.git/objects/\(gone.prefix(2))/\(gone.dropFirst(2))")
    try await check(repository.path, branch: "main", history: 2, "lacking")
    for name in ["config", "refs", "hooks", "info"] { try? FileManager.default.removeItem(atPath: bare + "/" + name) }
    try await check(bare, branch: "main", history: 2, "plain")
    try FileManager.default.removeItem(atPath: bare + "/packed-refs")
    try Data(tip.utf8).write(to: URL(fileURLWithPath: bare + "/HEAD"))
    try await check(bare, branch: "main", history: 2, "detached")
  }

  @Test("a missing repository and one without commits give different errors")
  func bad() async throws {
    let folder = try TemporaryFolder()
    let absent = try localMirror(folder.file("absent"), in: folder)
    await #expect { try await absent.refresh() } throws: { ($0 as? GitError)?.kind == .noSuchPath }
    let plain = try localMirror(folder.path, in: folder)
    await #expect { try await plain.refresh() } throws: { ($0 as? GitError)?.kind == .notARepository }
    let empty = try TemporaryRepository()
    let mirror = try localMirror(empty.path, in: folder)
    // The first poll fetches the mirror. Work that starts before this poll is retried without a message.
    let early = await #expect(throws: GitError.self) { try await mirror.branches() }
    #expect(early?.kind == .noMirror && early?.disposition == .retry && early?.isExpectedAtStart == true)
    #expect(try await mirror.refresh() == [])
    #expect(try await mirror.defaultBranch() == nil)
    let missing = CommitID(rawValue: String(repeating: "1", count: 40))
    await #expect { try await mirror.commit(missing) } throws: { ($0 as? GitError)?.kind == .missingObject }
    await #expect { try await mirror.tree(of: missing) } throws: { ($0 as? GitError)?.kind == .missingObject }
    await #expect { try await mirror.commit(CommitID(rawValue: "x")) } throws: {
      ($0 as? GitError)?.kind == .noSuchRevision
    }
    for url in ["ssh://-x/a.git", "git@-x:a.git", "https://user:pw@host/a.git", "ftp://host/a", "https:///a"] {
      let error = #expect(throws: GitError.self) { try GitMirror(url: url, folder: folder.path) }
      #expect(error?.kind == .unsupported)
      #expect(error?.description.contains("pw") == false)
    }
  }

  @Test("renames are found and lines counted as by git")
  func differences() async throws {
    let repository = try TemporaryRepository()
    let text = (0..<40).map { "line \($0)\n" }.joined()
    let old = try repository.commit([
      "a/old.txt": text, "b": "1\n2\n3\n", "c": "gone\n", "bin": "\0\u{1}", "e": "{\n\n},\nx\n", "f": "b\n",
    ])
    try repository.git("mv", "a/old.txt", "new.txt")
    let new = try repository.commit(
      [
        "new.txt": text + "more\n", "b": "1\n2 changed\n3\n4", "d/e": "fresh\n", "bin": "\0\u{2}",
        "e": "{\n  a\n},\nx\n", "f": "a\nb\n",
      ],
      removing: ["c"])
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    let (from, to) = (CommitID(rawValue: old), CommitID(rawValue: new))
    #expect(
      try await mirror.changes(from: from, to: to) == [
        TreeChange(path: "b", kind: .modified), TreeChange(path: "bin", kind: .modified),
        TreeChange(path: "c", kind: .removed), TreeChange(path: "d/e", kind: .added),
        TreeChange(path: "e", kind: .modified), TreeChange(path: "f", kind: .modified),
        TreeChange(path: "new.txt", kind: .renamed(from: "a/old.txt")),
      ])
    #expect(try await mirror.changes(from: nil, to: from).map(\.kind) == Array(repeating: .added, count: 6))
    let counted = try repository.git("diff", "-M", "--numstat", "-z", old, new)
      .replacingOccurrences(of: "-\t-\t", with: "0\t0\t")
    for file in try await mirror.statistics(from: from, to: to) {
      let name = file.path == "new.txt" ? "\0a/old.txt\0new.txt" : file.path.text
      #expect(counted.contains("\(file.added)\t\(file.removed)\t\(name)"), "\(file)")
    }
    #expect(try await mirror.statistics(from: from, to: to).count == 7)
  }

  @Test("the history and the merge base are the same as git's, even with wrong clocks")
  func history() async throws {
    let repository = try TemporaryRepository()
    var time = 1_700_000_000
    func commit(_ name: String, _ step: Int) throws -> String {
      time += step
      return try repository.commit([name: name], message: name, seconds: time)
    }
    let root = try commit("root", 10)
    let base = try commit("base", 10)
    try repository.git("checkout", "-q", "-b", "side")
    let side = try commit("side", -500)
    try repository.git("checkout", "-q", "main")
    let left = try commit("left", 700)
    try repository.git("merge", "-q", "--no-ff", "-m", "merge", "side", seconds: time + 5)
    let merge = try repository.git("rev-parse", "HEAD")
    time += 10
    let top = try commit("top", 10)
    try repository.git("checkout", "-q", "--orphan", "other")
    let other = try commit("other", 10)
    try repository.git("checkout", "-q", "main")
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    let all = [root, base, side, left, merge, top, other]
    for a in all {
      for b in all {
        let expected = (try? repository.git("merge-base", a, b)).map { CommitID(rawValue: $0) }
        #expect(try await mirror.mergeBase(CommitID(rawValue: a), CommitID(rawValue: b)) == expected)
        let listed = try repository.git("rev-list", a, "^" + b).split(separator: "\n").map(String.init)
        let walked = try await mirror.history(of: CommitID(rawValue: a), excluding: CommitID(rawValue: b), limit: 100)
        #expect(Set(walked.map(\.id.rawValue)) == Set(listed), "\(a) ^\(b)")
      }
    }
    let newest = try await mirror.history(of: CommitID(rawValue: top), excluding: nil, limit: 3)
    #expect(newest.map(\.id.rawValue) == [top, merge, left])
    let info = try #require(newest.first)
    #expect(info.message == "top\n")
    #expect(info.parents.map(\.rawValue) == [merge])
    #expect(info.author == CommitSignature(name: "Test Author", email: "author@example.com", seconds: Int64(time - 10)))
    #expect(info.tree == (try repository.git("rev-parse", "\(top)^{tree}")))
  }
}
