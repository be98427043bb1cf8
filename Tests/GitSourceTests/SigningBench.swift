import GitSource
import Localization
import Pipeline
import TestSupport
import Testing

/// A repository with one commit, whose mirror signs with a key.
struct SigningBench {
  let folder: TemporaryFolder
  let repository: TemporaryRepository
  static let message = "Übersetzungen\n\nL10n-Source: 1234567\nL10n-Units: 1\n"

  init() throws {
    folder = try TemporaryFolder()
    repository = try TemporaryRepository()
    try repository.commit(["a": "1"])
  }

  func mirror(_ key: String) throws -> GitMirror {
    try GitMirror(url: repository.path, folder: folder.file("mirror.git"), signingKey: { Secret(key) })
  }

  /// Makes the same commit twice, another commit, and a merge, and checks their ids and messages.
  /// - Returns: the commit and the merge.
  func commits(_ mirror: GitMirror, by author: CommitSignature) async throws -> [CommitID] {
    let head = try #require(try await mirror.refresh().first).commit
    let make = { (text: String) in
      try await mirror.makeCommit(
        TreeEdits(["b": .write(Array(text.utf8))]), on: head, message: Self.message, author: author, committer: author)
    }
    let (one, again, other) = (try await make("1"), try await make("1"), try await make("2"))
    #expect(one == again && one != other)
    let info = try await mirror.commit(one)
    #expect(info.message == Self.message && info.author == author && info.isOurs)
    let merge = try await mirror.makeMerge(
      of: one, and: head, resolving: [:], message: Self.message, author: author, committer: author)
    guard case .merged(let merged) = merge else {
      Issue.record("\(merge)")
      return [one]
    }
    #expect(try await mirror.checkSigning())
    return [one, merged]
  }
}
