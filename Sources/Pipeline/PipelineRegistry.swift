private import Synchronization

/// The pipelines that run in this process, by name. They may come, go and change at any time.
package final class PipelineRegistry: Sendable {
  private let contexts: Mutex<[String: PipelineContext]>

  package init(_ contexts: [PipelineContext] = []) {
    self.contexts = Mutex(Dictionary(contexts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
  }

  package var names: Set<String> { contexts.withLock { Set($0.keys) } }

  package subscript(name: String) -> PipelineContext? { contexts.withLock { $0[name] } }

  /// Adds a pipeline, or replaces the one of its name.
  package func set(_ context: PipelineContext) { contexts.withLock { $0[context.name] = context } }

  package func remove(_ name: String) { contexts.withLock { $0[name] = nil } }
}
