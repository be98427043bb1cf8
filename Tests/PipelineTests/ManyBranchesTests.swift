import LedgerStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct ManyBranchesTests {
  @Test("the work for a queue of jobs is proportional to the number of branches")
  func proportional() async throws {
    let few = try await work(branches: 20)
    let many = try await work(branches: 40)
    #expect(Double(many) <= 2.2 * Double(few), "\(few) for 20 branches, \(many) for 40")
  }

  /// Runs all jobs of a new pipeline.
  /// - Returns: the number of calls of the store. A call that reads all heads or all jobs counts once for each branch.
  private func work(branches: Int) async throws -> Int {
    let pipeline = try TestPipeline()
    let commit = pipeline.commit(TestPipeline.tree(["Feed"]))
    for number in 1..<branches { pipeline.remote.move("feature-\(number)", to: commit) }
    let store = ForwardingStore(store: pipeline.store)
    let context = pipeline.context(
      TestPipeline.definition { $0.repository.branches = [BranchPattern("*")] }, store: store)
    pipeline.registry.set(context)
    #expect(try await pipeline.heads(context).count == branches)
    try await context.reconciler.reconcile(context)
    let ends = Log<ProgressEvent>()
    let observer = WorkerObserver(progress: { if $0.state == .ended { ends.add($0) } })
    try await pipeline.worker(store: store, width: 1, observer: observer).drain()
    for stage in [Stage.extract, .merge] {
      #expect(Set(ends.elements.filter { $0.stage == stage }.compactMap(\.branch)).count == branches)
    }
    // The merges were planned with the results of the extractions, and no job is left.
    let jobs = try await pipeline.store.jobs(of: TestPipeline.name)
    #expect(jobs.filter { $0.stage != .pull }.allSatisfy { $0.state.name == .succeeded })
    #expect(pipeline.vendor.sentKeys == ["Feed"])
    return store.calls.total + (store.calls["arm"] + store.calls["heads"] + store.calls["jobs"]) * branches
  }
}
