import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

struct CommitHistoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the store passes the conformance tests of a history", arguments: CommitHistoryConformance.checks.map(\.name))
  func conformance(name: String) async throws {
    let check = try #require(CommitHistoryConformance.checks.first { $0.name == name })
    try await check.run(SQLiteStore(folder: folder.path))
  }

  @Test("a renamed pipeline keeps its history and its freeze points")
  func renamed() async throws {
    let store = try SQLiteStore(folder: folder.path)
    let commit = StoreConformance.commit("a")
    let record = CommitRecord(
      commit: commit, parent: nil, author: "A", email: "", seconds: 1, subject: "s",
      changes: [CommitRecord.Change(unit: UnitID(catalog: "L.xcstrings", key: "k"), kind: .added, text: "k")])
    try await store.record([record], of: "birds")
    try await store.setFreezePoint(commit, of: "main", of: "birds")
    try await store.takeOver(["birds"], by: "ducks")
    #expect(try await store.history(of: "ducks", from: commit, limit: 1) == [record])
    #expect(try await store.commits(changing: "k", of: "ducks", limit: 1).count == 1)
    #expect(try await store.freezePoint(of: "main", of: "ducks") == commit)
    #expect(try await store.history(of: "birds", from: commit, limit: 1).isEmpty)
  }
}
