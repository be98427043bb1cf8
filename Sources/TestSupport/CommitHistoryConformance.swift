import Localization
package import Pipeline
import Testing

/// The guarantees of every `CommitHistoryStore`. A store's own test file runs each check on a new, empty store.
package enum CommitHistoryConformance {
  package typealias Check = (name: String, run: @Sendable (any CommitHistoryStore) async throws -> Void)

  package static let checks: [Check] = [
    ("the history of a commit follows first parents, and ends at the first commit without a record", lines),
    ("a commit keeps its first record, and each pipeline has its own", repeats),
    ("the changes of a key are found across commits, oldest first", keys),
    ("commits of the same second are in the order of first parents", second),
    ("the history of a branch begins with its newest commit that has a record", newest),
    ("a freeze point is kept until it is replaced or forgotten", freezing),
  ]

  private static func commit(_ digit: Character) -> CommitID { StoreConformance.commit(digit) }

  private static func unit(_ key: String) -> UnitID { UnitID(catalog: "App/L.xcstrings", key: UnitKey(key)) }

  private static func record(
    _ digit: Character, after parent: Character?, at seconds: Int64 = 1, _ changes: [CommitRecord.Change] = [],
    fault: String? = nil
  ) -> CommitRecord {
    var record = CommitRecord(
      commit: commit(digit), parent: parent.map(commit), author: "Ünal", email: "u@example.com", seconds: seconds,
      subject: "Add | “feed”", isOurs: digit == "c", changes: changes, fault: fault)
    record.counts.added = 1
    record.counts.changed = 2
    record.counts.commented = 3
    record.counts.removed = 4
    record.counts.translations = 5
    return record
  }

  @Sendable private static func lines(_ store: any CommitHistoryStore) async throws {
    let full = [
      CommitRecord.Change(unit: unit("b"), kind: .added, text: "B", path: "App/A.swift", line: 7),
      CommitRecord.Change(unit: unit("a"), kind: .changed, text: "new\nforms", former: "old"),
      CommitRecord.Change(unit: unit("e\u{301}"), kind: .commented, text: "", former: "x"),
      CommitRecord.Change(unit: unit("d"), kind: .removed, text: "D"),
    ]
    let records = [
      record("a", after: nil), record("b", after: "a", full), record("c", after: "b", fault: "unreadable"),
      record("e", after: "d"),
    ]
    #expect(try await store.history(of: "birds", from: commit("c"), limit: 9).isEmpty)
    try await store.record(records, of: "birds")
    #expect(
      try await store.history(of: "birds", from: commit("c"), limit: 9) == [records[2], records[1], records[0]])
    #expect(
      try await store.history(of: "birds", from: commit("c"), limit: 2).map(\.commit) == [commit("c"), commit("b")])
    #expect(try await store.history(of: "birds", from: commit("e"), limit: 9).map(\.commit) == [commit("e")])
    #expect(
      try await store.recorded(among: ["a", "d", "e"].map { commit($0) }, of: "birds") == [commit("a"), commit("e")])
    #expect(try await store.recorded(among: [], of: "birds").isEmpty)
  }

  @Sendable private static func repeats(_ store: any CommitHistoryStore) async throws {
    let first = record("a", after: nil, [CommitRecord.Change(unit: unit("a"), kind: .added, text: "A")])
    var second = first
    second.subject = "other"
    second.changes = []
    try await store.record([first], of: "birds")
    try await store.record([second, record("b", after: "a")], of: "birds")
    try await store.record([second], of: "ducks")
    #expect(try await store.history(of: "birds", from: commit("b"), limit: 9).last == first)
    #expect(try await store.history(of: "ducks", from: commit("a"), limit: 9) == [second])
    #expect(try await store.recorded(among: [commit("b")], of: "ducks").isEmpty)
  }

  @Sendable private static func keys(_ store: any CommitHistoryStore) async throws {
    func change(_ key: String, _ kind: CommitRecord.Kind) -> CommitRecord.Change {
      CommitRecord.Change(unit: unit(key), kind: kind, text: key)
    }
    // The newest commits are recorded first, as when older history is read later.
    try await store.record(
      [
        record("c", after: "b", at: 30, [change("x", .removed)]),
        record("b", after: "a", at: 20, [change("y", .added)]),
        record("a", after: nil, at: 10, [change("x", .added), change("z", .added)]),
      ], of: "birds")
    try await store.record([record("a", after: nil, at: 10, [change("x", .added)])], of: "ducks")
    let found = try await store.commits(changing: "x", of: "birds", limit: 9)
    #expect(found.map(\.record.commit) == [commit("a"), commit("c")])
    #expect(found.map(\.change.kind) == [.added, .removed])
    #expect(found.allSatisfy { $0.record.changes.isEmpty && $0.pipeline == "birds" })
    // If there are too many commits, the newest are returned.
    #expect(try await store.commits(changing: "x", of: "birds", limit: 1).map(\.record.commit) == [commit("c")])
    #expect(Set(try await store.commits(changing: "x", of: nil, limit: 9).map(\.pipeline)) == ["birds", "ducks"])
    #expect(try await store.commits(changing: "none", of: nil, limit: 9).isEmpty)
  }

  @Sendable private static func second(_ store: any CommitHistoryStore) async throws {
    let added = [CommitRecord.Change(unit: unit("x"), kind: .added, text: "x")]
    let line = [
      record("1", after: nil, at: 5, added), record("2", after: "1", at: 5, added), record("3", after: "2", at: 4),
      record("4", after: "3", at: 5, added), record("5", after: "4", at: 5, added),
      record("6", after: "5", at: 6, added),
    ]
    // The commits are recorded in a mixed order.
    try await store.record([3, 0, 5, 2, 4, 1].map { line[$0] }, of: "birds")
    let found = try await store.commits(changing: "x", of: "birds", limit: 9)
    #expect(found.map(\.record.commit) == ["1", "2", "4", "5", "6"].map { commit($0) })
  }

  @Sendable private static func newest(_ store: any CommitHistoryStore) async throws {
    func shown(_ head: Character, _ branch: String = "main") async throws -> [CommitID] {
      try await store.history(of: "birds", branch: branch, head: commit(head), limit: 9).map(\.commit)
    }
    #expect(try await store.newestRecorded(of: "main", of: "birds") == nil)
    #expect(try await shown("d").isEmpty)
    try await store.record([record("a", after: nil)], of: "birds", asNewestOf: "main")
    try await store.record([record("b", after: "a")], of: "birds", asNewestOf: "main")
    try await store.record([record("0", after: nil)], of: "birds")
    #expect(try await store.newestRecorded(of: "main", of: "birds") == commit("b"))
    #expect(try await store.newestRecorded(of: "main", of: "ducks") == nil)
    #expect(try await shown("d") == [commit("b"), commit("a")])
    #expect(try await shown("a") == [commit("a")])
    #expect(try await shown("d", "release/1").isEmpty)
    try await store.record([record("d", after: "c")], of: "birds", asNewestOf: "main")
    #expect(try await shown("d") == [commit("d")])
  }

  @Sendable private static func freezing(_ store: any CommitHistoryStore) async throws {
    #expect(try await store.freezePoint(of: "release/1", of: "birds") == nil)
    try await store.setFreezePoint(commit("a"), of: "release/1", of: "birds")
    try await store.setFreezePoint(commit("b"), of: "release/2", of: "birds")
    #expect(try await store.freezePoint(of: "release/1", of: "birds") == commit("a"))
    #expect(try await store.freezePoint(of: "release/1", of: "ducks") == nil)
    try await store.setFreezePoint(commit("c"), of: "release/1", of: "birds")
    #expect(try await store.freezePoint(of: "release/1", of: "birds") == commit("c"))
    try await store.setFreezePoint(nil, of: "release/1", of: "birds")
    #expect(try await store.freezePoint(of: "release/1", of: "birds") == nil)
    #expect(try await store.freezePoint(of: "release/2", of: "birds") == commit("b"))
  }
}
