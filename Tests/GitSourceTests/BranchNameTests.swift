import Foundation
import Localization
import Pipeline
import TestSupport
import Testing

@testable import GitSource

/// Branches whose names are not UTF-8. Such branches are skipped and reported, and never appear under another name.
struct BranchNameTests {
  private static let one = String(repeating: "1", count: 40)
  private static let names = ["caf\\xE9", "caf\\xEA"]

  private func mirror(_ url: String, in folder: TemporaryFolder) throws -> GitMirror {
    try GitMirror(url: url, folder: folder.file("mirror.git"), workers: GitWorkers())
  }

  private func line(_ text: String, _ byte: UInt8) -> [UInt8] {
    let content = Array(text.utf8) + [byte]
    let length = String(content.count + 5, radix: 16)
    return Array((String(repeating: "0", count: 4 - length.count) + length).utf8) + content + [0x0A]
  }

  @Test(
    "invalid names in a server's responses are skipped and reported in both protocol versions",
    arguments: [false, true])
  func server(_ isVersion2: Bool) throws {
    let one = Self.one
    let main = PacketLines.line("\(one) refs/heads/main\n")
    let others = line("\(one) refs/heads/caf", 0xE9) + line("\(one) refs/heads/caf", 0xEA)
    let end = Array("0000".utf8)
    let found =
      isVersion2
      ? try ReferenceAdvertisement.readingCommand(main + others + end, "list")
      : try ReferenceAdvertisement.reading(
        PacketLines.line("# service=git-upload-pack\n") + end + main + others + end, "list")
    let heads = RemoteHeads(found)
    #expect(heads.branches.map(\.name) == ["main"])
    #expect(heads.unreadable == Self.names)
  }

  @Test(
    "invalid names in a local repository are skipped and reported, whether loose or packed", arguments: [false, true])
  func local(_ isPacked: Bool) async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    try run(
      "sh", ["-c", #"for byte in 351 352; do git update-ref "refs/heads/$(printf "caf\\$byte")" HEAD; done"#],
      in: repository.path)
    if isPacked { try repository.git("pack-refs", "--all") }
    let folder = try TemporaryFolder()
    let mirror = try mirror(repository.path, in: folder)
    #expect(try await mirror.refresh().map(\.name) == ["main"])
    #expect(try await mirror.unreadableBranches() == Self.names)
    #expect(try await mirror.branches().map(\.name) == ["main"])
  }

  @Test("polls and fetches over HTTP skip invalid names", .enabled(if: networkReasonToSkip == nil))
  func fetched() async throws {
    let repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
    try run(
      "sh", ["-c", #"for byte in 351 352; do git update-ref "refs/heads/$(printf "caf\\$byte")" HEAD; done"#],
      in: repository.path)
    let git = try GitHTTPServer()
    let served = try git.serve(repository, as: "app")
    let folder = try TemporaryFolder()
    let mirror = try GitMirror(
      url: "\(git.url)/git/app.git", folder: folder.file("mirror.git"),
      credentials: { Secret("bot:\(GitHTTPServer.password)") },
      networkChild: GitNetworkChild(executable: networkProgram), workers: GitWorkers())
    #expect(try await mirror.refresh().map(\.name) == ["main"])
    #expect(try await mirror.unreadableBranches() == Self.names)
    withExtendedLifetime(served) {}
  }
}
