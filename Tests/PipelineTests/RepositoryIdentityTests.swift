import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// The check whether the repository at the URL is still the repository in the ledger.
struct RepositoryIdentityTests {
  private let pipeline: TestPipeline

  init() throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"], other: ["README.md": [1], "App.swift": [2], "Package.swift": [3]]))
  }

  private func look(_ history: (any CommitHistoryStore)? = nil) async throws -> WatchStage.Look {
    var context = pipeline.context()
    context.history = history
    return try await WatchStage.look(context, previous: nil)
  }

  @Test("another repository at the URL is refused, and its commits do not become heads")
  func another() async throws {
    _ = try await look()
    let old = try await pipeline.store.heads(of: "birds")
    pipeline.commit(FileTree(["main.c": [1], "Makefile": [2]]), on: [])
    let error = await #expect(throws: PipelineError.self) { try await look() }
    #expect(error?.disposition == .askPerson)
    #expect(error?.description.contains("repository.url") == true)
    #expect(try await pipeline.store.heads(of: "birds") == old)
  }

  @Test("a rewritten history without a common commit is accepted if the files are the same")
  func orphan() async throws {
    _ = try await look()
    let new = pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], other: ["README.md": [1], "App.swift": [2], "Package.swift": [3]]), on: [],
      message: "Rewritten")
    _ = try await look()
    #expect(try await pipeline.store.heads(of: "birds").map(\.commit) == [new])
  }

  @Test(
    "a force-push within the history is accepted; so is any repository after the mirror was deleted, if nothing was sent"
  )
  func forcePush() async throws {
    let first = try await look().branches[0].commit
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    _ = try await look()
    pipeline.commit(TestPipeline.tree(["Swim"]), on: [first])
    #expect(try await look().moved == 1)
    pipeline.mirrorFolder.delete()
    pipeline.commit(TestPipeline.tree(["Other"]), on: [])
    #expect(try await look().moved == 1)
  }

  @Test(
    "a rewritten history with other paths is accepted if it has the strings that were sent", arguments: [false, true])
  func otherPaths(hasNewMirror: Bool) async throws {
    pipeline.commit(TestPipeline.tree(["Feed"], other: ["a": [1], "b": [2], "c": [3], "d": [4]]))
    try await pipeline.run(pipeline.context())
    if hasNewMirror { pipeline.mirrorFolder.delete() }
    var tree = FileTree(["x": [1], "y": [2]])
    tree.setLines([SourceLine(table: "Localizable", key: "Feed")], of: "Kit")
    var catalog = Catalog(path: ProjectPlaces.catalog("Localizable", of: "Kit"), sourceLanguage: "en")
    catalog.entries["Feed"] = CatalogEntry()
    tree[catalog.path] = FileTree.emptyCatalog
    tree.write(catalog)
    pipeline.commit(tree, on: [])
    #expect(try await look().moved == 1)
  }

  enum Other: CaseIterable { case another, rewritten, newer }

  @Test("with a new mirror, another repository is recognized by its strings and commits", arguments: Other.allCases)
  func newMirror(_ other: Other) async throws {
    try await pipeline.run(pipeline.context())
    #expect(pipeline.vendor.sentKeys == ["Feed"])
    pipeline.mirrorFolder.delete()
    switch other {
    case .another: pipeline.commit(TestPipeline.tree(["Other", "Strings"]), on: [])
    case .rewritten:
      // The strings are only in the code.
      var tree = TestPipeline.tree([])
      tree.setLines(["Feed", "Fly"].map { SourceLine(table: "Localizable", key: $0) }, of: "App")
      pipeline.commit(tree, on: [], message: "Rewritten")
    case .newer: pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    }
    guard other == .another else {
      #expect(try await look().moved == 1)
      return
    }
    let error = await #expect(throws: PipelineError.self) { try await look() }
    #expect(error?.description.contains("shares neither commits nor strings") == true)
    #expect(try await pipeline.store.pendingWork(of: TestPipeline.name).vendors[pipeline.vendor.name]?.outstanding == 1)
  }

  @Test(
    "with a new mirror, a repository that has a sent or delivered commit is accepted, whatever its strings",
    arguments: [false, true])
  func newMirrorWithCommit(isDelivered: Bool) async throws {
    if isDelivered { _ = try await pipeline.deliverFeed() } else { try await pipeline.run(pipeline.context()) }
    let main = try #require(pipeline.remote.head(of: "main"))
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest", "Egg"]))
    try await pipeline.run(pipeline.context())
    pipeline.mirrorFolder.delete()
    // A force-push drops the last known head.
    pipeline.commit(TestPipeline.tree(["Other"]), on: [main])
    #expect(try await look().moved == 1)
  }

  @Test("with a new mirror, a force-push to before all sent strings is accepted because of the recorded commits")
  func newMirrorWithRecord() async throws {
    let first = try #require(pipeline.remote.head(of: "main"))
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest", "Egg"]))
    try await pipeline.run(pipeline.context())
    pipeline.mirrorFolder.delete()
    pipeline.commit(TestPipeline.tree(["Other"]), on: [first])
    await #expect(throws: PipelineError.self) { try await look(pipeline.store) }
    let record = CommitRecord(
      commit: first, parent: nil, author: "Ada", email: "ada@example.com", seconds: 0, subject: "Begin")
    try await pipeline.store.record([record], of: TestPipeline.name)
    #expect(try await look(pipeline.store).moved == 1)
  }

  @Test(
    "with the old mirror, another project with the same files is recognized by its strings, unless the former commit exists"
  )
  func sameFiles() async throws {
    let main = pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest"], other: ["README.md": [1]]))
    try await pipeline.run(pipeline.context())
    #expect(Set(pipeline.vendor.sentKeys) == ["Feed", "Fly", "Nest"])
    pipeline.commit(TestPipeline.tree(["Other", "Strings"], other: ["README.md": [1]]), on: [])
    let error = await #expect(throws: PipelineError.self) { try await look() }
    #expect(error?.description.contains("push its former commit \(main.short) back as a branch") == true)
    pipeline.remote.move("former", to: main)
    #expect(try await look().moved == 1)
  }
}
