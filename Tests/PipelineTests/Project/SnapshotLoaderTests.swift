import Foundation
import Localization
import Simulation
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct SnapshotLoaderTests {
  private let pipeline: TestPipeline
  private let commit: CommitID

  init() async throws {
    pipeline = try TestPipeline()
    commit = pipeline.commit(TestPipeline.tree(["Feed"]))
    _ = try await pipeline.mirror.refresh()
  }

  private func loader(_ mirror: ForwardingMirror) -> SnapshotLoader { pipeline.context(mirror: mirror).snapshots }

  @Test("two callers that request one commit share one load")
  func shared() async throws {
    let gate = Gate()
    let mirror = ForwardingMirror(pipeline.mirror, willOpen: { try await gate.enter() })
    let loader = loader(mirror)
    let first = Task { try await loader.snapshot(of: commit) }
    await gate.isReached()
    let second = Task { try await loader.snapshot(of: commit) }
    gate.open()
    #expect(try await first.value.commit.id == commit)
    #expect(try await second.value.commit.id == commit)
    #expect(mirror.trees == 1)
  }

  @Test("cancelling one caller does not cancel the load for another")
  func cancelled() async throws {
    let gate = Gate()
    let mirror = ForwardingMirror(pipeline.mirror, willOpen: { try await gate.enter() })
    let loader = loader(mirror)
    let first = Task { try await loader.snapshot(of: commit) }
    await gate.isReached()
    let second = Task { try await loader.snapshot(of: commit) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    #expect(try await second.value.synced[TestPipeline.catalog]?.entries.keys.map(\.text) == ["Feed"])
  }

  @Test("a snapshot is kept, and read again after it was evicted")
  func kept() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let loader = loader(mirror)
    _ = try await loader.snapshot(of: commit)
    _ = try await loader.snapshot(of: commit)
    #expect(mirror.trees == 1)
    pipeline.clock.advance(by: 301)
    pipeline.memory.prune()
    _ = try await loader.snapshot(of: commit)
    #expect(mirror.trees == 2)
  }

  @Test("a failed load is retried by the next caller")
  func failed() async throws {
    let loader = loader(ForwardingMirror(pipeline.mirror))
    await #expect(throws: PipelineError.self) { try await loader.snapshot(of: Made.id("9")) }
    #expect(try await loader.snapshot(of: commit).commit.id == commit)
  }

  @Test("a definition that reads sources differently does not use the former definition's snapshots")
  func definition() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    _ = try await loader(mirror).snapshot(of: commit)
    let other = TestPipeline.definition { $0.languages = ["de", "fr"] }
    let snapshot = try await pipeline.context(other, mirror: mirror).snapshots.snapshot(of: commit)
    #expect(snapshot.languages == ["de", "fr"] && mirror.trees == 2)
  }
}

struct SnapshotMemoryTests {
  private let clock = TestClock()

  private func memory(limit: Int) -> SnapshotMemory {
    SnapshotMemory(limit: limit, idle: .seconds(60), now: { [clock] in clock.now })
  }

  private func snapshot(_ digit: Character) -> Snapshot { Made.snapshot(["a": "A"], commit: digit) }

  /// Returns the digits of the commits whose snapshots are kept.
  private func kept(_ memory: SnapshotMemory, _ digits: String) -> String {
    digits.filter { memory["birds", Made.id($0)] != nil }
  }

  @Test("the least recently used snapshots are dropped first when the limit is exceeded")
  func evicted() {
    // The weight of one snapshot is slightly more than 100.
    let memory = memory(limit: 250)
    memory.keep(snapshot("1"), of: "birds")
    memory.keep(snapshot("2"), of: "birds")
    _ = memory["birds", Made.id("1")]
    memory.keep(snapshot("3"), of: "birds")
    #expect(kept(memory, "123") == "13")
  }

  @Test("at least one snapshot is kept, even if it exceeds the limit")
  func large() {
    let memory = memory(limit: 1)
    memory.keep(snapshot("1"), of: "birds")
    memory.keep(snapshot("2"), of: "birds")
    #expect(kept(memory, "12") == "2")
  }

  @Test("a snapshot that is kept twice counts once")
  func twice() {
    let memory = memory(limit: 250)
    for _ in 0..<5 { memory.keep(snapshot("1"), of: "birds") }
    memory.keep(snapshot("2"), of: "birds")
    #expect(kept(memory, "12") == "12")
  }

  @Test("unused snapshots are dropped after a while, even if the clock was set back")
  func idle() {
    for jump in [61.0, -61.0] {
      let memory = memory(limit: 10_000)
      memory.keep(snapshot("1"), of: "birds")
      clock.advance(by: jump)
      memory.prune()
      #expect(kept(memory, "1").isEmpty)
    }
  }

  @Test("pipelines share the limit on snapshots but not the snapshots")
  func pipelines() {
    let memory = memory(limit: 150)
    memory.keep(snapshot("1"), of: "birds")
    #expect(memory["cats", Made.id("1")] == nil)
    memory.keep(snapshot("1"), of: "cats")
    #expect(memory["birds", Made.id("1")] == nil)
  }
}
