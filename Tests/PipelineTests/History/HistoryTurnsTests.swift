import Foundation
import LedgerStore
import Localization
import Simulation
import Testing

@testable import Pipeline

/// Which pipeline has its turn when the history of several pipelines is recorded.
@Suite(.timeLimit(.minutes(10))) struct HistoryTurnsTests {
  /// A mirror whose commits cannot be read because of a temporary error.
  private struct FailingMirror: WrappingMirror {
    let wrapped: any RepositoryMirror

    func commit(_ id: CommitID) async throws -> CommitInfo {
      throw PipelineError(.inconsistent, operation: "read \(id)", detail: "the disk is busy", disposition: .retry)
    }
  }

  @Test("while a pipeline waits to be tried again, the history of another pipeline is recorded")
  func failing() async throws {
    let pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
    let failing = pipeline.context(
      TestPipeline.definition { $0.name = "finches" }, mirror: FailingMirror(wrapped: pipeline.mirror))
    let other = pipeline.context()
    let heads = try await pipeline.mirror.refresh()
    for context in [failing, other] { _ = try await pipeline.store.adopt(heads, of: context.name) }
    pipeline.registry.set([failing, other])
    let queue = HistoryQueue()
    for name in ["finches", TestPipeline.name] { queue.add(name) }
    let (reports, report) = AsyncStream.makeStream(of: String.self)
    let turns = HistoryTurns(
      recorder: HistoryRecorder(pipeline.store, scope: .all, mayContinue: { true }), queue: queue,
      registry: pipeline.registry, time: pipeline.waitingTime, report: { report.yield("\($0): \($1)") })
    let serving = Task { try await turns.serve() }
    defer { serving.cancel() }
    // The failing pipeline is first in the queue, and its pause lasts until the end of the test.
    #expect(await reports.first { _ in true }?.hasPrefix("finches: history: error: ") == true)
    while try await pipeline.store.history(
      of: TestPipeline.name, from: #require(pipeline.remote.head(of: "main")), limit: 9
    )
    .isEmpty { await Task.yield() }
  }

  @Test("a pipeline that waits for the end of a pause is not added a second time")
  func postponed() async throws {
    let queue = HistoryQueue()
    let (pauses, pause) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingDiscardingTaskGroup { group in
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      group.addTask {
        try await queue.add("birds") {
          start.yield()
          for await _ in pauses { break }
        }
      }
      for await _ in started { break }
      try await queue.add("birds") { Issue.record("the second pause began") }
      #expect(queue.next() == nil)
      pause.yield()
    }
    #expect(queue.next() == "birds")
    #expect(queue.next() == nil)
  }
}
