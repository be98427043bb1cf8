import Foundation
import Glibc
import Localization
import Pipeline
import Synchronization
import TestSupport
import Testing

@testable import GitSource

@Suite("Maintenance of a mirror")
struct MaintenanceTests {
  /// Returns a mirror with a pack for each commit and a few loose objects.
  private func prepared(commits: Int = 6) async throws -> (
    repository: TemporaryRepository, mirror: GitMirror, head: CommitID
  ) {
    let repository = try TemporaryRepository()
    var head = ""
    var mirror = try localMirror(repository.path, in: repository.folder)
    mirror.maintenance = MaintenanceLimits(packs: 3, looseObjects: 1000)
    for number in 0..<commits {
      head = try repository.commit(["a": "\(number)", "d\(number)/e": "\(number)"], seconds: 1_700_000_000 + number)
      if number == 0 { _ = try await mirror.refresh() }
      try TemporaryRepository.git(["pull", "-q", "--no-rebase", "."], in: repository.path)
      let pack = try TemporaryRepository.git(
        ["pack-objects", "-q", "--revs", mirror.folder + "/objects/pack/pack"], in: repository.path,
        input: "HEAD\n" + (number == 0 ? "" : "^HEAD~1\n"))
      #expect(!pack.isEmpty)
    }
    _ = try await mirror.refresh()
    return (repository, mirror, CommitID(rawValue: head))
  }

  private func make(_ mirror: GitMirror, on head: CommitID, _ text: String) async throws -> CommitID {
    try await mirror.makeCommit(
      TreeEdits(["t": .write(Array(text.utf8))]), on: head, message: "m", author: signature, committer: signature)
  }

  private func packs(_ mirror: GitMirror) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: mirror.folder + "/objects/pack").filter {
      $0.hasSuffix(".pack")
    }
  }

  /// Returns the deleted files of a mirror that this process still has open.
  private func deletedFiles(of mirror: GitMirror) -> [String] {
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(mirror.folder + "/") && $0.hasSuffix(" (deleted)") }
  }

  private func looseCount(_ mirror: GitMirror) -> Int { PackInventory.counts(mirror.folder + "/objects").loose }

  /// Sets the modification times of all object files to a time the given number of days ago.
  private func age(_ mirror: GitMirror, days: Int) throws {
    let date = Date(timeIntervalSinceNow: -Double(days) * 86_400)
    for name in try FileManager.default.subpathsOfDirectory(atPath: mirror.folder + "/objects") {
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: mirror.folder + "/objects/" + name)
    }
  }

  private func fsck(_ mirror: GitMirror) throws -> String {
    try TemporaryRepository.git(["fsck", "--full", "--strict", "--no-dangling"], in: mirror.folder)
  }

  @Test("many packs become one, references are packed, and open trees stay readable")
  func repack() async throws {
    let (repository, mirror, head) = try await prepared()
    let tree = try await mirror.tree(of: head)
    _ = try tree.read("a")
    #expect(try await mirror.moveLocalBranch("l10n/main", from: nil, to: head))
    #expect(try packs(mirror).count > 3)
    try await mirror.maintain()
    #expect(try packs(mirror).count == 1)
    #expect(deletedFiles(of: mirror) == [])
    #expect(looseCount(mirror) == 0)
    #expect(try fsck(mirror) == "")
    #expect(!FileManager.default.fileExists(atPath: mirror.folder + "/refs/heads/main"))
    #expect(try await mirror.localBranch("l10n/main") == head)
    #expect(try tree.read("d3/e") == [0x33])
    #expect(try await mirror.refresh().map(\.commit) == [head])
    let next = CommitID(rawValue: try repository.commit(["a": "next"]))
    #expect(try await mirror.refresh().map(\.commit) == [next])
    let before = try packs(mirror)
    try await mirror.maintain()
    #expect(try packs(mirror) == before)
  }

  @Test("packs that are too large or marked as kept are neither counted nor rewritten")
  func kept() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    var small = mirror
    small.maintenance.largestPack = 10
    let before = try packs(mirror)
    try await small.maintain()
    #expect(try packs(mirror) == before)
    let kept = try #require(before.first)
    try Data().write(to: URL(fileURLWithPath: mirror.folder + "/objects/pack/" + kept.dropLast(5) + ".keep"))
    try await mirror.maintain()
    #expect(try packs(mirror).count == 2)
    #expect(try packs(mirror).contains(kept))
    #expect(try fsck(mirror) == "")
    #expect(try await mirror.tree(of: head).read("d4/e") == [0x34])
  }

  @Test("unreferenced commits of planned deliveries are kept for two weeks")
  func unreachable() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let old = try await make(mirror, on: head, "old")
    try age(mirror, days: 15)
    let young = try await make(mirror, on: head, "young")
    try await mirror.maintain()
    #expect(try await mirror.holds(young))
    #expect(try await mirror.tree(of: young).read("t") == Array("young".utf8))
    #expect(try await mirror.holds(old) == false)
    #expect(try await mirror.holds(head))
    #expect(looseCount(mirror) == 0)
    #expect(try fsck(mirror) == "")
    // The commit is removed only by a maintenance that runs after its pack is old too.
    var again = mirror
    again.maintenance.packs = 0
    try await again.maintain()
    #expect(try await mirror.holds(young))
    try age(mirror, days: 15)
    try await again.maintain()
    #expect(try await mirror.holds(young) == false)
    #expect(try await mirror.tree(of: head).read("d1/e") == [0x31])
    #expect(try fsck(mirror) == "")
  }

  @Test("the files of a tree that only a tag refers to are kept")
  func taggedTree() async throws {
    let (repository, mirror, _) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    func git(_ arguments: String..., input: String = "") throws -> String {
      try TemporaryRepository.git(arguments, in: mirror.folder, input: input)
    }
    // No commit contains this tree.
    let blob = try git("hash-object", "-w", "--stdin", input: "only here")
    let tree = try git("mktree", input: "100644 blob \(blob)\tfile\n")
    _ = try git("update-ref", "refs/tags/tree", tree)
    let tag = "object \(tree)\ntype tree\ntag t\ntagger A <a@example.com> 1700000000 +0000\n\nA tree\n"
    _ = try git("update-ref", "refs/tags/annotated", git("mktag", input: tag))
    try age(mirror, days: 15)
    try await mirror.maintain()
    #expect(try git("cat-file", "blob", blob) == "only here")
    #expect(try fsck(mirror) == "")
  }

  @Test("a mirror with missing files is maintained as far as possible")
  func lacking() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1", "gone": "x"])
    let blob = try repository.git("rev-parse", "HEAD:gone")
    try FileManager.default.removeItem(atPath: repository.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
    var mirror = try localMirror(repository.path, in: repository.folder)
    mirror.maintenance = MaintenanceLimits(packs: 3, looseObjects: 0)
    let head = try #require(try await mirror.refresh().first).commit
    try await mirror.maintain()
    #expect(try packs(mirror).count == 1)
    #expect(try await mirror.tree(of: head).read("a") == [0x31])
  }

  @Test("an interruption at any step loses no object, and the next maintenance completes the work")
  func interrupted() async throws {
    let (repository, mirror, head) = try await prepared()
    defer { withExtendedLifetime(repository) {} }
    let planned = try await make(mirror, on: head, "planned")
    for step in 0..<40 {
      let left = Counter(step)
      let maintenance = Maintenance(
        repository: try GitRepository(path: mirror.folder), limits: mirror.maintenance, now: Int(time(nil)),
        isCancelled: { left.isSpent })
      let isDone: Bool
      do throws(GitError) { isDone = try maintenance.run() } catch {
        #expect(error.kind == .cancelled)
        isDone = false
      }
      #expect(try fsck(mirror) == "", "step \(step)")
      #expect(try await mirror.tree(of: head).read("d2/e") == [0x32], "step \(step)")
      #expect(try await mirror.tree(of: planned).read("t") == Array("planned".utf8), "step \(step)")
      if isDone { return }
    }
    Issue.record("never completed")
  }
}

/// A counter that returns false a number of times, and then true.
private final class Counter: Sendable {
  private let left: Mutex<Int>

  init(_ count: Int) { left = Mutex(count) }

  var isSpent: Bool {
    left.withLock { left in
      left -= 1
      return left < 0
    }
  }
}
