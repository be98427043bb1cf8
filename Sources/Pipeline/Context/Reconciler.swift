import FoundationEssentials
private import Synchronization

/// Updates the jobs of a pipeline to match the pipeline's state. Each update is one pass. A pass is made after every check of the repository
/// that found changes or was thorough (`Watcher`), after jobs (`Planning`), and after people's decisions. Passes of one pipeline never overlap:
/// a pass that read an older state must not overwrite the jobs of a newer pass.
package final class Reconciler: Sendable {
  private struct State {
    var isRunning = false
    var isWantedAgain = false
    var retriesFailures = false
    /// The branches of the last pass; `nil` before the first pass and after a failed pass.
    var branches: [String: CommitID]?
  }

  private let state = Mutex(State())

  package init() {}

  /// Returns whether the last pass was made for these branches. A comparison with the branches of the last check is not sufficient:
  /// deliveries of this process also change branches, and between two checks that find the same branches, a delivery may have been pushed
  /// and removed again.
  package func knows(_ branches: [BranchHead]) -> Bool { state.withLock { $0.branches == Self.commits(of: branches) } }

  /// Makes a pass. If another caller is making a pass, returns immediately, and that caller makes one more pass.
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
        let branches = try await Self.pass(context.inForce() ?? context, retriesFailures: retries)
        state.withLock { $0.branches = branches }
      }
    } catch {
      state.withLock { state in
        state.isRunning = false
        state.branches = nil
      }
      throw error
    }
  }

  /// Begins the next pass if another one was requested.
  /// - Returns: whether the pass retries failures, or `nil` if no further pass is needed.
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

  private static func commits(of branches: [BranchHead]) -> [String: CommitID] {
    Dictionary(branches.map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
  }

  /// Makes one pass for the mirror's current branches.
  /// - Returns: these branches, with their newest commits.
  private static func pass(_ context: PipelineContext, retriesFailures: Bool) async throws -> [String: CommitID] {
    let remote = commits(of: try await context.mirror.branches())
    let (definition, vendors, isOnce) = (context.definition, context.vendors.map(\.name), context.isOnce)
    let glossary = await context.glossaryDigest?()
    let hasQueued = try await context.store.arm(of: context.name, retriesFailures: retriesFailures) { basis in
      PipelineGraph(
        PipelineState(
          definition: definition, vendors: vendors, remote: remote, basis: basis, glossary: glossary, isOnce: isOnce)
      ).jobs
    }
    if hasQueued { context.signal.ring() }
    return remote
  }
}
