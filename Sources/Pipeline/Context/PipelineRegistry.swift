private import Synchronization

/// The pipelines that run in this process, by name. They may come, go and change at any time.
package final class PipelineRegistry: Sendable {
  /// Rung when there may be something to do.
  package let signal: WorkSignal
  private let running = Mutex(Running())
  private let reconcilers = Mutex<[String: Reconciler]>([:])

  private struct Running {
    var contexts: [String: PipelineContext] = [:]
    /// The keys of `contexts`: asked for with every job, and a set of a thousand names is not made in passing.
    var names: Set<String> = []
  }

  package init(signal: WorkSignal = WorkSignal()) { self.signal = signal }

  package var names: Set<String> { running.withLock(\.names) }

  package subscript(name: String) -> PipelineContext? { running.withLock { $0.contexts[name] } }

  /// Adds a pipeline, or replaces the one of its name.
  package func set(_ context: PipelineContext) {
    running.withLock { running in
      running.contexts[context.name] = context
      running.names.insert(context.name)
    }
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

  package func remove(_ name: String) {
    running.withLock { running in
      running.contexts[name] = nil
      running.names.remove(name)
    }
  }
}
