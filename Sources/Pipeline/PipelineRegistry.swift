private import Synchronization

/// The pipelines that run in this process, by name. They may come, go and change at any time.
package final class PipelineRegistry: Sendable {
  /// Rung when there may be something to do.
  package let signal: WorkSignal
  private let contexts: Mutex<[String: PipelineContext]>
  private let reconcilers = Mutex<[String: Reconciler]>([:])

  package init(signal: WorkSignal = WorkSignal()) {
    self.signal = signal
    contexts = Mutex([:])
  }

  package var names: Set<String> { contexts.withLock { Set($0.keys) } }

  package subscript(name: String) -> PipelineContext? { contexts.withLock { $0[name] } }

  /// Adds a pipeline, or replaces the one of its name.
  package func set(_ context: PipelineContext) {
    contexts.withLock { $0[context.name] = context }
    signal.ring()
  }

  /// The one reconciler of a pipeline, whatever becomes of its definition.
  package func reconciler(of name: String) -> Reconciler {
    reconcilers.withLock { reconcilers in
      let reconciler = reconcilers[name] ?? Reconciler()
      reconcilers[name] = reconciler
      return reconciler
    }
  }

  package func remove(_ name: String) { contexts.withLock { $0[name] = nil } }
}
