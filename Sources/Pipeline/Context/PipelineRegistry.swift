private import Synchronization

/// The pipelines that run in this process, by name. They can be added, removed and changed at any time.
package final class PipelineRegistry: Sendable {
  /// Wakes the worker when there may be work.
  package let signal: WorkSignal
  private let running = Mutex(Running())
  private let reconcilers = Mutex<[String: Reconciler]>([:])

  private let looks = Mutex<[String: LookRequests]>([:])

  private struct Running {
    var contexts: [String: PipelineContext] = [:]
    /// The keys of `contexts`. They are stored because every claim needs them and there can be a thousand pipelines.
    var names: Set<String> = []
    var paused: Set<String> = []
    /// `names` without `paused`.
    var active: Set<String> = []

    mutating func update() { active = paused.isEmpty ? names : names.subtracting(paused) }
  }

  package init(signal: WorkSignal = WorkSignal()) { self.signal = signal }

  package var names: Set<String> { running.withLock(\.names) }

  /// The pipelines that are not paused. Only jobs of these pipelines are claimed.
  package var active: Set<String> { running.withLock(\.active) }

  /// Replaces the set of paused pipelines; all others are resumed. Names of pipelines that do not run are allowed.
  package func setPaused(_ paused: Set<String>) { changePaused { $0 = paused } }

  /// Pauses one more pipeline.
  package func pause(_ name: String) { changePaused { $0.insert(name) } }

  private func changePaused(_ change: (inout Set<String>) -> Void) {
    let (changed, paused) = running.withLock { running in
      let before = running.paused
      change(&running.paused)
      let changed = before.symmetricDifference(running.paused)
      if !changed.isEmpty { running.update() }
      return (changed, running.paused)
    }
    for name in changed { looks(of: name).setPaused(paused.contains(name)) }
    if !changed.isEmpty { signal.ring() }
  }

  /// The current definitions, sorted by name.
  package var definitions: [PipelineDefinition] {
    running.withLock { $0.contexts.values.map(\.definition) }.sorted { $0.name < $1.name }
  }

  package subscript(name: String) -> PipelineContext? { running.withLock { $0.contexts[name] } }

  /// Adds a pipeline, or replaces the pipeline with the same name.
  package func set(_ context: PipelineContext) { set([context]) }

  /// Adds pipelines, or replaces pipelines with the same names.
  package func set(_ contexts: [PipelineContext]) {
    guard !contexts.isEmpty else { return }
    running.withLock { running in
      for context in contexts {
        running.contexts[context.name] = context
        running.names.insert(context.name)
      }
      running.update()
    }
    signal.ring()
  }

  /// Returns the only reconciler of a pipeline. It stays the same when the definition changes.
  package func reconciler(of name: String) -> Reconciler {
    reconcilers.withLock { reconcilers in
      let reconciler = reconcilers[name] ?? Reconciler()
      reconcilers[name] = reconciler
      return reconciler
    }
  }

  /// Returns the requests to check the repository of a pipeline. The returned object stays the same when the definition changes.
  package func looks(of name: String) -> LookRequests {
    looks.withLock { looks in
      let requests = looks[name] ?? LookRequests()
      looks[name] = requests
      return requests
    }
  }

  package func remove(_ name: String) {
    running.withLock { running in
      running.contexts[name] = nil
      running.names.remove(name)
      running.update()
    }
  }
}
