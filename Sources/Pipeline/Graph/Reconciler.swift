import FoundationEssentials
private import Synchronization

/// Brings a pipeline's jobs in step with its state. Runs after every look at the repository and after every stage, one at a time for each
/// pipeline: a pass that read an older state must not write over a newer one's jobs.
package final class Reconciler: Sendable {
  private struct State {
    var isRunning = false
    var isWantedAgain = false
    var retriesFailures = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns at once where a pass is being made: that caller makes one more.
  /// - Parameter retriesFailures: whether jobs that failed for good are tried again although nothing changed.
  func reconcile(_ context: PipelineContext, retriesFailures: Bool = false) async throws {
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

  /// - Returns: whether the next pass retries failures; `nil` where no further pass is wanted.
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
    let store = context.store
    let jobs = try await store.jobs(of: context.name)
    let extracted = jobs.filter { $0.stage == .extract }.compactMap { job in job.done.map { (job.scope, $0) } }
    let state = PipelineState(
      definition: context.definition, vendors: context.vendors.map(\.name),
      heads: try await store.heads(of: context.name),
      remote: Dictionary(
        try await context.mirror.branches().map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first }),
      ownTips: try await store.lastTips(of: context.name), work: try await store.pendingWork(of: context.name),
      extracted: Dictionary(extracted, uniquingKeysWith: { first, _ in first }), isOnce: context.isOnce,
      now: context.time.now())
    if try await store.arm(PipelineGraph(state).jobs, of: context.name, retriesFailures: retriesFailures) {
      context.signal.ring()
    }
  }
}
