import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

/// Repositories with very many branches: the work is linear, and there is no file for each branch.
@Suite("Many branches") struct ManyBranchesTests {
  @Test("the work of splitting the list of branches into lines grows linearly with its size")
  func lines() {
    func work(_ count: Int) -> Int {
      var lines = LineBuffer()
      var found = 0
      for _ in 0..<count {
        lines.add([UInt8](repeating: 0x61, count: 100))
        while lines.next() != nil { found += 1 }
      }
      lines.add(Array("\nrest".utf8))
      while lines.next() != nil { found += 1 }
      #expect(found == 1 && lines.count == 4)
      return lines.work
    }
    #expect(work(2000) <= 2 * work(1000))
  }

  @Test(
    "many branches are written at once, a few later changes one by one, and other references are kept",
    arguments: [300, 600])
  func adopted(count: Int) async throws {
    let repository = try TemporaryRepository()
    let first = try repository.commit(["a": "1"])
    let second = try repository.commit(["a": "2"])
    let bare = try repository.bareCopy()
    func update(_ lines: [String]) throws {
      try TemporaryRepository.git(["update-ref", "--stdin"], in: bare, input: lines.joined(separator: "\n") + "\n")
    }
    try update((0..<count).map { "create refs/heads/b/\($0) \(first)" })
    try TemporaryRepository.git(["pack-refs", "--all"], in: bare)
    let mirror = try localMirror(bare, in: repository.folder)
    #expect(try await mirror.refresh().count == count + 1)
    let heads = mirror.folder + "/refs/heads"
    #expect(try FileManager.default.contentsOfDirectory(atPath: heads) == [])

    // A few changes do not cause the list to be written again.
    let kept = CommitID(rawValue: first)
    #expect(try await mirror.moveLocalBranch("plan", from: nil, to: kept))
    try update(["update refs/heads/b/7 \(second)", "delete refs/heads/b/8", "create refs/heads/a \(second)"])
    #expect(try await mirror.refresh().count == count + 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: heads).sorted() == ["a", "b"])

    // Packed references of other kinds are kept, whether they sort before or after the branches.
    try TemporaryRepository.git(["tag", "v1", first], in: mirror.folder)
    try TemporaryRepository.git(["pack-refs", "--all"], in: mirror.folder)
    try update((0..<count).filter { $0 != 8 }.map { "delete refs/heads/b/\($0)" })
    try update(["create refs/heads/b \(second)"])
    #expect(try await mirror.refresh().map(\.name) == ["a", "b", "main"])
    #expect(try await mirror.localBranch("plan") == kept)
    #expect(try await mirror.refresh() == mirror.branches())
    let listed = try TemporaryRepository.git(["for-each-ref", "--format=%(refname)"], in: mirror.folder)
    let names = ["refs/dragoman/plan", "refs/heads/a", "refs/heads/b", "refs/heads/main", "refs/tags/v1"]
    #expect(listed.split(separator: "\n").map(String.init) == names)
    #expect(try TemporaryRepository.git(["fsck", "--full"], in: mirror.folder) == "")
  }

  @Test("a lock that another process left in the mirror is reported, and the mirror is not changed")
  func locked() async throws {
    let repository = try TemporaryRepository()
    let first = try repository.commit(["a": "1"])
    let mirror = try localMirror(repository.path, in: repository.folder)
    let before = try await mirror.refresh()
    let lines = (0..<40).map { "create refs/heads/b\($0) \(first)" }
    try repository.git("update-ref", "--stdin", input: lines.joined(separator: "\n") + "\n")
    try Data().write(to: URL(fileURLWithPath: mirror.folder + "/packed-refs.lock"))
    let error = await #expect(throws: GitError.self) { try await mirror.refresh() }
    #expect(error?.kind == .locked && error?.detail.contains("packed-refs.lock") == true, "\(error as Any)")
    #expect(try await mirror.branches() == before)
    try FileManager.default.removeItem(atPath: mirror.folder + "/packed-refs.lock")
    #expect(try await mirror.refresh().count == 41)
  }
}
