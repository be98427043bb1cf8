import Foundation
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// The history: which commits get a line, and the text of each line.
@Suite(.timeLimit(.minutes(10))) struct HistoryRecorderTests {
  private let pipeline: TestPipeline

  init() throws { pipeline = try TestPipeline() }

  private func record(
    _ definition: PipelineDefinition = TestPipeline.definition(), scope: HistoryRecorder.Scope = .all, limit: Int = 99,
    mayContinue: @escaping @Sendable () -> Bool = { true }
  ) async throws -> HistoryRecorder.Turn {
    let context = pipeline.context(definition)
    _ = try await pipeline.heads(context)
    return try await HistoryRecorder(pipeline.store, scope: scope, mayContinue: mayContinue)
      .turn(context, limit: limit)
  }

  private func history(_ branch: String = "main") async throws -> [CommitRecord] {
    guard let head = pipeline.remote.head(of: branch) else { return [] }
    return try await pipeline.store.history(of: TestPipeline.name, from: head, limit: 99)
  }

  /// Returns the lines of a branch, such as `added Feed`, by commit, oldest first.
  private func lines(_ branch: String = "main") async throws -> [[String]] {
    try await history(branch).reversed().map { $0.changes.map { "\($0.kind.rawValue) \($0.unit.key.text)" } }
  }

  private func commits(_ keys: [[String]]) { for keys in keys { pipeline.commit(TestPipeline.tree(keys)) } }

  @Test("each commit of a push gets a line, including commits before the newest")
  func everyCommit() async throws {
    commits([["Feed"], ["Feed", "Open"], ["Feed", "Open"], ["Open"]])
    #expect(try await record() == HistoryRecorder.Turn(recorded: 4))
    #expect(try await lines() == [["added Feed"], ["added Open"], [], ["removed Feed"]])
    let newest = try #require(try await history().first)
    #expect(newest.author == "Person" && newest.subject == "Change" && newest.counts.removed == 1)
    #expect(try await history()[2].changes.first?.path == TestPipeline.strings)
    #expect(try await record() == HistoryRecorder.Turn())
  }

  @Test("a merge has one record, compared with its first parent")
  func merge() async throws {
    let base = pipeline.commit(TestPipeline.tree(["Feed"]))
    let side = pipeline.commit(TestPipeline.tree(["Feed", "Side"]), to: "topic", on: [base])
    let main = pipeline.commit(TestPipeline.tree(["Feed", "Main"]), on: [base])
    pipeline.commit(TestPipeline.tree(["Feed", "Main", "Side"]), on: [main, side])
    #expect(try await record().recorded == 3)
    #expect(try await lines() == [["added Feed"], ["added Main"], ["added Side"]])
  }

  @Test("a string that is removed from code and later from the catalog counts as removed once")
  func stale() async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Open"], de: ["Feed": "F"]))
    // “Feed” is no longer in code but still in the catalog.
    pipeline.commit(TestPipeline.tree(["Open"], de: ["Feed": "F"]))
    pipeline.commit(TestPipeline.tree(["Open"]))
    _ = try await record()
    #expect(try await lines() == [["added Feed", "added Open"], ["removed Feed"], []])
  }

  @Test("the new translations of each commit are counted")
  func translations() async throws {
    pipeline.commit(TestPipeline.tree(["Feed"]))
    pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "F"]))
    _ = try await record()
    #expect(try await history().map(\.counts.translations) == [1, 0])
  }

  @Test("no string counts as removed if a catalog is unreadable, and the commit's line names the catalog")
  func broken() async throws {
    pipeline.commit(TestPipeline.tree(["Feed"]))
    var tree = TestPipeline.tree(["Feed", "Open"])
    tree[TestPipeline.catalog] = Array("<<<<<<< ours".utf8)
    pipeline.commit(tree)
    pipeline.commit(TestPipeline.tree(["Feed", "Open"]))
    _ = try await record()
    #expect(try await lines() == [["added Feed"], [], []])
    #expect(try await history().map { $0.fault?.contains("App/") ?? false } == [true, true, false])
  }

  @Test("a long history is recorded in batches, newest first, up to the depth in the pipeline file")
  func turns() async throws {
    commits((1...9).map { [String($0)] })
    let definition = TestPipeline.definition { $0.extract.history = 7 }
    #expect(try await record(definition, limit: 3) == HistoryRecorder.Turn(recorded: 3, hasMore: true))
    #expect(try await history().count == 3)
    #expect(try await record(definition, mayContinue: { false }) == HistoryRecorder.Turn(recorded: 0, hasMore: true))
    // Commits of a later push are recorded first.
    commits([["10"]])
    #expect(try await record(definition, limit: 2) == HistoryRecorder.Turn(recorded: 2, hasMore: true))
    #expect(try await lines().last?.contains("added 10") == true)
    #expect(try await record(definition).hasMore == false)
    #expect(try await history().count == 7)
    #expect(try await record(TestPipeline.definition { $0.extract.history = 0 }).recorded == 0)
  }

  @Test("run --once records only the newest commit at first, and then commits since the last run, oldest first")
  func once() async throws {
    commits([["1"], ["2"], ["3"]])
    #expect(try await record(scope: .new) == HistoryRecorder.Turn(recorded: 1))
    #expect(try await record(scope: .new) == HistoryRecorder.Turn())
    commits([["4"], ["5"], ["6"]])
    #expect(try await record(scope: .new, limit: 2) == HistoryRecorder.Turn(recorded: 2, hasMore: true))
    #expect(try await record(scope: .new) == HistoryRecorder.Turn(recorded: 1))
    #expect(
      try await lines()
        == [
          ["removed 2", "added 3"], ["removed 3", "added 4"], ["removed 4", "added 5"],
          ["removed 5", "added 6"],
        ].map { $0.sorted { $0.suffix(1) < $1.suffix(1) } })
    // A daemon records the remaining commits.
    #expect(try await record().recorded == 2)
    #expect(try await history().count == 6)
  }

  @Test("run --once records as many commits of a long push as the depth allows")
  func depth() async throws {
    let definition = TestPipeline.definition { $0.extract.history = 3 }
    commits([["1"], ["2"]])
    #expect(try await record(definition, scope: .new) == HistoryRecorder.Turn(recorded: 1))
    commits((3...7).map { [String($0)] })
    #expect(try await record(definition, scope: .new) == HistoryRecorder.Turn(recorded: 3))
    #expect(try await lines() == [["removed 4", "added 5"], ["removed 5", "added 6"], ["removed 6", "added 7"]])
    #expect(try await record(definition, scope: .new) == HistoryRecorder.Turn())
  }

  @Test("recorded commits are shown while the newest commits of a push are not yet recorded")
  func behind() async throws {
    func shown() async throws -> [String] {
      let head = try #require(pipeline.remote.head(of: "main"))
      return try await pipeline.store.history(of: TestPipeline.name, branch: "main", head: head, limit: 99)
        .map { $0.changes.map(\.unit.key.text).joined(separator: " ") }
    }
    commits([["1"]])
    _ = try await record(scope: .new)
    commits([["1", "2"], ["1", "2", "3"], ["1", "2", "3", "4"]])
    #expect(try await shown() == ["1"])
    _ = try await record(scope: .new, limit: 2)
    #expect(try await shown() == ["3", "2", "1"])
    _ = try await record(scope: .new)
    #expect(try await shown() == ["4", "3", "2", "1"])
    // A daemon records the newest commits first.
    commits([["1", "2", "3", "4", "5"], ["1", "2", "3", "4", "5", "6"]])
    #expect(try await shown() == ["4", "3", "2", "1"])
    _ = try await record(limit: 1)
    #expect(try await shown() == ["6"])
    _ = try await record()
    #expect(try await shown() == ["6", "5", "4", "3", "2", "1"])
  }

  @Test("branches share the records of common commits, also after a force-push")
  func branches() async throws {
    let base = pipeline.commit(TestPipeline.tree(["1"]))
    commits([["1", "2"]])
    pipeline.commit(TestPipeline.tree(["1", "3"]), to: "release/1", on: [base])
    let definition = TestPipeline.definition {
      $0.repository.branches = [BranchPattern("main"), BranchPattern("release/*")]
    }
    #expect(try await record(definition).recorded == 3)
    #expect(try await lines("release/1") == [["added 1"], ["added 3"]])
    pipeline.commit(TestPipeline.tree(["1", "4"]), on: [base])
    #expect(try await record(definition).recorded == 1)
    #expect(try await lines() == [["added 1"], ["added 4"]])
  }

  @Test("recording the history does not evict a stage's entries from the cache")
  func cache() throws {
    let cache = MemoryCache()
    try cache.keep([1], as: "state")
    let background = BackgroundCache(cache)
    #expect(try background.recent("state") == [1])
    try background.keep([2], as: "state")
    background.setValue([3], for: "tree")
    #expect(try background.recent("state") == [2])
    #expect(try cache.recent("state") == [1])
    #expect(try cache.value(for: "tree") == nil)
  }
}

private final class MemoryCache: Cache {
  private let kept = Mutex<[String: [UInt8]]>([:])
  func facts(for blobs: [BlobID], version: String) throws -> [BlobID: [UInt8]] { [:] }
  func store(_ facts: [BlobID: [UInt8]], version: String) throws {}
  func recent(_ name: String) throws -> [UInt8]? { kept.withLock { $0["recent " + name] } }
  func keep(_ bytes: [UInt8], as name: String) throws { kept.withLock { $0["recent " + name] = bytes } }
  func value(for key: String) throws -> [UInt8]? { kept.withLock { $0[key] } }
  func setValue(_ value: [UInt8], for key: String) throws { kept.withLock { $0[key] = value } }
}
