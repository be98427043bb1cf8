import Localization
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct PipelineRegistryTests {
  @Test("pipelines can be added, replaced and removed, and adding a pipeline wakes the worker")
  func changes() async throws {
    let pipeline = try TestPipeline()
    let registry = pipeline.registry
    #expect(registry.names.isEmpty)
    registry.set(pipeline.context())
    await registry.signal.wait()
    #expect(registry.names == ["birds"])
    registry.set(pipeline.context(TestPipeline.definition { $0.languages = ["fr"] }))
    await registry.signal.wait()
    #expect(registry["birds"]?.definition.languages == ["fr"])
    registry.remove("birds")
    #expect(registry.names.isEmpty && registry["birds"] == nil)
  }

  @Test("a pipeline keeps its own reconciler when its definition is replaced or added again")
  func reconcilers() {
    let registry = PipelineRegistry()
    let first = registry.reconciler(of: "birds")
    registry.remove("birds")
    #expect(registry.reconciler(of: "birds") === first)
    #expect(registry.reconciler(of: "cats") !== first)
  }
}
