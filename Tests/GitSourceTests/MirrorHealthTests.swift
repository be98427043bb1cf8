import Foundation
import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// Files of a mirror that other programs remove, lock or damage, and the mirror's disk usage, permissions and open repositories.
@Suite("Damage and interruptions of a mirror")
struct MirrorHealthTests {
  private func prepared() async throws -> (TemporaryRepository, GitMirror, CommitID) {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1", "b/c": "2"])
    let mirror = try localMirror(repository.path, in: repository.folder)
    let head = try #require(try await mirror.refresh().first).commit
    return (repository, mirror, head)
  }

  private func make(_ mirror: GitMirror, on head: CommitID, _ text: String) async throws -> CommitID {
    try await mirror.makeCommit(
      TreeEdits(["t": .write(Array(text.utf8))]), on: head, message: "m", author: signature, committer: signature)
  }

  @Test("a process removes a killed process's locks of any age at its first use of the mirror, but not later")
  func locks() async throws {
    let (repository, mirror, head) = try await prepared()
    let locks = [
      "HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock", "refs/heads/main.lock",
      "refs/dragoman/l10n/main.lock", "objects/pack/tmp_pack_1", "objects/pack/pack-1.lock",
      "objects/pack/pack-2.idx", "objects/pack/pack-3.pack", "objects/tmp_obj_1",
    ]
    func lock() throws {
      try FileManager.default.createDirectory(
        atPath: mirror.folder + "/refs/dragoman/l10n", withIntermediateDirectories: true)
      for name in locks { try Data().write(to: URL(fileURLWithPath: mirror.folder + "/" + name)) }
    }
    try lock()
    await #expect { try await mirror.moveLocalBranch("l10n/main", from: nil, to: head) } throws: {
      ($0 as? GitError)?.disposition == .retry
    }
    // This mirror acts as a restarted process that holds the lock of the store's folder.
    let restarted = try GitMirror(url: repository.path, folder: mirror.folder, workers: GitWorkers())
    let next = CommitID(rawValue: try repository.commit(["a": "2"]))
    #expect(try await restarted.refresh().first?.commit == next)
    #expect(try await restarted.moveLocalBranch("l10n/main", from: nil, to: head))
    for name in locks { #expect(!FileManager.default.fileExists(atPath: mirror.folder + "/" + name), "\(name)") }
    try lock()
    _ = try await restarted.refresh()
    #expect(FileManager.default.fileExists(atPath: mirror.folder + "/refs/heads/main.lock"))
  }

  @Test("the disk usage of a mirror is reported; a deleted mirror has none")
  func holds() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let made = try await make(mirror, on: head, "x")
    let tree = try await mirror.commit(made).tree
    #expect(try await mirror.holds(head))
    #expect(try await mirror.holds(made))
    #expect(try await mirror.holds(CommitID(rawValue: tree)) == false)
    #expect(try await mirror.holds(CommitID(rawValue: String(repeating: "1", count: 40))) == false)
    await #expect(throws: GitError.self) { try await mirror.holds(CommitID(rawValue: "x")) }
    // Without its tree, a commit counts as missing.
    try FileManager.default.removeItem(atPath: mirror.folder + "/objects/\(tree.prefix(2))/\(tree.dropFirst(2))")
    #expect(try await mirror.holds(made) == false)
    // A damaged commit is an error and does not count as missing.
    let path = mirror.folder + "/objects/\(made.rawValue.prefix(2))/\(made.rawValue.dropFirst(2))"
    try FileManager.default.removeItem(atPath: path)
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
    await #expect(throws: GitError.self) { try await mirror.holds(made) }
    try FileManager.default.removeItem(atPath: mirror.folder)
    #expect(try await mirror.holds(head) == false)
    _ = try await mirror.refresh()
    #expect(try await mirror.holds(head))
  }

  @Test("only the owner can read a mirror")
  func modes() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    _ = try await make(mirror, on: head, "x")
    let mode = try FileManager.default.attributesOfItem(atPath: mirror.folder)[.posixPermissions] as? Int
    #expect(mode == 0o700)
    for name in ["HEAD", "config"] {
      let mode = try FileManager.default.attributesOfItem(atPath: mirror.folder + "/" + name)[.posixPermissions] as? Int
      #expect(mode == 0o600, "\(name)")
    }
  }

  @Test(
    "the next refresh restores deleted or damaged files of a mirror",
    arguments: [("packs", nil)] + ["blob", "tree", "head", "root"].flatMap { [($0, nil), ($0, ""), ($0, "noise")] }
      as [(String, String?)])
  func heals(what: String, content: String?) async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1", "b/c": "2"])
    try repository.git("gc", "-q")
    let head = CommitID(rawValue: try repository.commit(["a": "3", "d/e": "4"]))
    let mirror = try localMirror(repository.path, in: repository.folder)
    _ = try await mirror.refresh()
    _ = try await mirror.tree(of: head).read("b/c")
    if what == "packs" {
      for name in try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects/pack") {
        try FileManager.default.removeItem(atPath: mirror.folder + "/objects/pack/" + name)
      }
    } else {
      let object = try repository.git(
        "rev-parse", ["blob": "HEAD:d/e", "tree": "HEAD:d", "head": "HEAD", "root": "HEAD^{tree}"][what] ?? "")
      let path = mirror.folder + "/objects/\(object.prefix(2))/\(object.dropFirst(2))"
      try FileManager.default.removeItem(atPath: path)
      if let content { try Data(content.utf8).write(to: URL(fileURLWithPath: path)) }
    }
    // This mirror acts as another process, so that no object is read from memory.
    let again = try GitMirror(url: repository.path, folder: mirror.folder, workers: GitWorkers())
    await #expect(throws: (any Error).self) {
      let tree = try await again.tree(of: head)
      _ = try tree.read("d/e")
      _ = try tree.read("b/c")
    }
    #expect(try await again.refresh().map(\.commit) == [head])
    #expect(try await again.tree(of: head).read("d/e") == [0x34])
    #expect(try await again.tree(of: head).read("b/c") == [0x32])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test(
    "a mirror with damaged references is fetched again", arguments: ["HEAD", "refs/heads/main", "packed-refs"],
    ["", "noise"])
  func damagedReferences(file: String, content: String) async throws {
    let (repository, mirror, _) = try await prepared()
    if file != "packed-refs" || !content.isEmpty {
      try Data(content.utf8).write(to: URL(fileURLWithPath: mirror.folder + "/" + file))
    }
    let head = CommitID(rawValue: try repository.commit(["a": "5"]))
    let again = try GitMirror(url: repository.path, folder: mirror.folder, workers: GitWorkers())
    #expect(try await again.refresh().map(\.commit) == [head])
    #expect(try await again.defaultBranch() == "main")
    #expect(try await again.tree(of: head).read("a") == [0x35])
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test("a remote that lacks a file is not downloaded again repeatedly")
  func lacking() async throws {
    let (repository, mirror, head) = try await prepared()
    let blob = try repository.git("rev-parse", "HEAD:b/c")
    try FileManager.default.removeItem(atPath: repository.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    try FileManager.default.removeItem(atPath: mirror.folder)
    _ = try await mirror.refresh()
    func inode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: mirror.folder)[.systemFileNumber] as? Int
    }
    var seen: Set<Int?> = []
    for _ in 0..<4 {
      await #expect(throws: TreeError.self) { try await mirror.tree(of: head).read("b/c") }
      _ = try await mirror.refresh()
      seen.insert(try inode())
    }
    #expect(seen.count <= 2)
    #expect(try await mirror.tree(of: head).read("a") == [0x31])
  }

  @Test("a commit that is missing at the remote causes no download")
  func absent() async throws {
    let (repository, mirror, _) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let made = try await make(mirror, on: try #require(try await mirror.branches().first).commit, "kept")
    await #expect(throws: GitError.self) {
      try await mirror.commit(CommitID(rawValue: String(repeating: "1", count: 40)))
    }
    _ = try await mirror.refresh()
    #expect(try await mirror.holds(made))
  }

  @Test("a mirror that is deleted at any time is created again")
  func deleted() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let tree = try await mirror.tree(of: head)
    for _ in 0..<3 {
      try FileManager.default.removeItem(atPath: mirror.folder)
      await #expect(throws: GitError.self) { try await mirror.commit(head) }
      await #expect(throws: GitError.self) { _ = try await make(mirror, on: head, "x") }
      try await mirror.maintain()
      #expect(try await mirror.refresh().map(\.commit) == [head])
      #expect(try await mirror.tree(of: head).read("a") == [0x31])
    }
    // The result may be an error or the content, but not a crash.
    _ = try? tree.read("b/c")
  }

  @Test("a branch whose name is a folder of another branch's name is reported to a person")
  func collision() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    try repository.git("branch", "l10n")
    let bare = try repository.bareCopy()
    let mirror = try localMirror(bare, in: repository.folder)
    let head = try #require(try await mirror.refresh().first).commit
    let made = try await make(mirror, on: head, "x")
    await #expect { try await mirror.push(made, to: "l10n/main", expecting: nil) } throws: { error in
      guard let error = error as? GitError else { return false }
      #expect(error.kind == .branchConflict)
      #expect(error.disposition == .askPerson)
      #expect(error.detail.contains("has a branch 'l10n'"))
      #expect(error.detail.contains("libgit2") == false)
      return true
    }
  }

  @Test("the number of open repositories stays within the limit")
  func openLimit() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    try repository.git("gc", "-q")
    let workers = GitWorkers(openMirrors: 4)
    var mirrors: [GitMirror] = []
    for number in 0..<40 {
      let mirror = try GitMirror(
        url: repository.path, folder: repository.folder.file("mirrors/\(number).git"), workers: workers)
      let head = try #require(try await mirror.refresh().first).commit
      _ = try await mirror.tree(of: head).read("a")
      mirrors.append(mirror)
    }
    func openPacks() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        return target?.hasPrefix(repository.folder.path) == true
      }.count
    }
    // The mirrors' actors close the repositories, so closing is complete once each actor has returned a result.
    for mirror in mirrors.dropLast(4) {
      #expect(try await mirror.holds(try #require(try await mirror.branches().first).commit))
    }
    #expect(try openPacks() <= 10)
  }
}
