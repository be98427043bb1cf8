import Localization
import Simulation
import Testing

@testable import Pipeline

/// Deliveries that the remote refuses, moves or loses.
@Suite(.timeLimit(.minutes(10))) struct DeliverStageTests {
  private let pipeline: TestPipeline

  init() async throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(pipeline.context())
    pipeline.vendor.give(["Feed": "Füttern"])
  }

  @Test("a push that the server refused is reported, and tried again every 15 minutes without a restart")
  func refused() async throws {
    pipeline.remote.refuse(TestPipeline.target, saying: "protected branch")
    let failures = Log<String>()
    try await pipeline.run(pipeline.context(), observer: WorkerObserver(failed: { failures.add($0.description) }))
    #expect(failures.elements.count == 1)
    #expect(failures.elements.first?.contains("protected branch") == true)
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == nil)
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    try await pipeline.run(pipeline.context(), isThorough: true)
    #expect(pipeline.german("Feed") == "Füttern")
  }

  @Test("after a refused push and the loss of the mirror the commits are made again from the ledger")
  func mirrorGone() async throws {
    pipeline.remote.refuse(TestPipeline.target, saying: "protected branch")
    try await pipeline.run(pipeline.context())
    pipeline.mirrorFolder.delete()
    pipeline.remote.refuse(TestPipeline.target, saying: nil)
    try await pipeline.run(pipeline.context(), isThorough: true)
    #expect(pipeline.german("Feed") == "Füttern")
  }

  @Test("a delivery branch that is deleted unmerged is delivered again, and nothing is sent again")
  func deleted() async throws {
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == "Füttern")
    pipeline.remote.move(TestPipeline.target, to: nil)
    try await pipeline.run(pipeline.context())
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(pipeline.vendor.sentKeys == ["Feed"])
  }
}
