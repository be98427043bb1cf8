import FoundationEssentials
private import Synchronization

/// Updates a pipeline's jobs to match its state. It runs after every look at the repository and after every stage. Passes of one pipeline
/// never overlap: a pass that read an older state must not overwrite the jobs of a newer one.
package final class Reconciler: Sendable {
  private struct State {
    var isRunning = false
    var isWantedAgain = false
    var retriesFailures = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns immediately if another caller is making a pass. That caller then makes one more.
  /// - Parameter retriesFailures: whether to retry jobs that failed permanently, even if nothing changed.
  package func reconcile(_ context: PipelineContext, retriesFailures: Bool = false) async throws {
    let mustRun = state.withLock { state in
      state.retriesFailures = state.retriesFailures || retriesFailures
      state.isWantedAgain = true
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustRun else { return }
    do {
      while let retries = next() {
        try await Self.pass(context.inForce() ?? context, retriesFailures: retries)
      }
    } catch {
      state.withLock { $0.isRunning = false }
      throw error
    }
  }

  /// - Returns: whether the next pass retries failures, or `nil` if no further pass is needed.
  private func next() -> Bool? {
    state.withLock { state in
      guard state.isWantedAgain else {
        state.isRunning = false
        return nil
      }
      state.isWantedAgain = false
      defer { state.retriesFailures = false }
      return state.retriesFailures
    }
  }

  private static func pass(_ context: PipelineContext, retriesFailures: Bool) async throws {
    let remote = Dictionary(
      try await context.mirror.branches().map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
    let (definition, vendors, isOnce) = (context.definition, context.vendors.map(\.name), context.isOnce)
    let glossary = await context.glossaryDigest?()
    let hasQueued = try await context.store.arm(of: context.name, retriesFailures: retriesFailures) { basis in
      PipelineGraph(
        PipelineState(
          definition: definition, vendors: vendors, remote: remote, basis: basis, glossary: glossary, isOnce: isOnce)
      ).jobs
    }
    if hasQueued { context.signal.ring() }
  }
}
