import Foundation
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct WorkerTests {
  private let pipeline: TestPipeline

  init() throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
  }

  /// Creates the pipeline's jobs for the current heads.
  private func prepare(_ context: PipelineContext) async throws {
    pipeline.registry.set(context)
    try await pipeline.heads(context)
    try await context.reconciler.reconcile(context)
  }

  private func job(_ stage: Stage) async throws -> Job? {
    try await pipeline.store.jobs(of: "birds").first { $0.stage == stage }
  }

  @Test("the worker runs all available jobs in the order of the stages, then returns")
  func drain() async throws {
    try await prepare(pipeline.context())
    let stages = Log<Stage>()
    try await pipeline.worker(
      observer: WorkerObserver(progress: { if $0.state == .ended { stages.add($0.stage) } })
    ).drain()
    #expect(Array(stages.elements.prefix(3)).first == .extract)
    #expect(Set(stages.elements) == [.extract, .diff, .push, .pull, .merge])
    #expect(pipeline.vendor.sentKeys == ["Feed"])
  }

  @Test("after a request to stop, the worker finishes running jobs and claims no more")
  func stopped() async throws {
    try await prepare(pipeline.context())
    let stages = Log<Stage>()
    let worker = pipeline.worker(
      observer: WorkerObserver(progress: { if $0.state == .ended { stages.add($0.stage) } }))
    try await worker.drain(isStopping: { !stages.elements.isEmpty })
    #expect(stages.elements == [.extract])
    #expect(try await pipeline.store.jobs(of: "birds").allSatisfy { $0.state.name != .running })
  }

  @Test("a vendor that does not respond blocks only one vendor slot, and commits are still read")
  func places() async throws {
    let gate = Gate()
    pipeline.vendor.willPush = { try await gate.enter() }
    try await prepare(pipeline.context())
    let (ended, continuation) = AsyncStream.makeStream(of: ProgressEvent.self)
    let worker = pipeline.worker(
      width: 1, observer: WorkerObserver(progress: { if $0.state == .ended { continuation.yield($0) } }))
    let isStopping = Log<Void>()
    let serving = Task { try await worker.serve(isStopping: { !isStopping.elements.isEmpty }) }
    await gate.isReached()
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let context = pipeline.context()
    let head = try await pipeline.head(context)
    try await context.reconciler.reconcile(context)
    for await event in ended where event.stage == .extract && event.commit == head.commit.rawValue { break }
    #expect(try await job(.push)?.state.name == .running)
    isStopping.add(())
    gate.open()
    pipeline.registry.signal.ring()
    try await serving.value
  }

  @Test("vendors are called on the threads of the stages, because their disk access may hang")
  func threads() async throws {
    let pool = BlockingPool("stages", width: 1)
    let only = try await pool.run { pthread_self() }
    let threads = Log<pthread_t>()
    pipeline.vendor.willPush = {
      threads.add(pthread_self())
      await Task.yield()
      threads.add(pthread_self())
    }
    pipeline.vendor.willPull = { threads.add(pthread_self()) }
    try await prepare(pipeline.context())
    try await pipeline.worker(executor: PooledTaskExecutor(pool)).drain()
    #expect(threads.elements.count >= 3)
    #expect(Set(threads.elements) == [only])
  }

  @Test("a stage that is queued again while it runs counts as successful")
  func again() async throws {
    pipeline.vendor.willPush = { [store = pipeline.store] in try await store.wake("birds", stage: .push, scope: nil) }
    try await prepare(pipeline.context())
    let ends = Log<ProgressEvent>()
    try await pipeline.worker(observer: WorkerObserver(progress: { if $0.state == .ended { ends.add($0) } })).drain()
    let push = try #require(ends.elements.first { $0.stage == .push })
    #expect(push.outcome == "succeeded" && push.detail?.hasPrefix("1 sent") == true)
  }

  @Test("no more jobs of a kind run at once than there are slots")
  func width() async throws {
    let tally = Tally()
    pipeline.vendor.willPull = {
      tally.begin()
      await Task.yield()
      tally.end()
    }
    for name in ["a", "b", "c", "d"] {
      let context = pipeline.context(TestPipeline.definition { $0.name = name })
      pipeline.registry.set(context)
      let branches = try await pipeline.mirror.refresh()
      try await pipeline.store.adopt(branches, of: name)
      try await context.reconciler.reconcile(context)
    }
    try await pipeline.worker(width: 1).drain()
    #expect(tally.most == 1)
    #expect(tally.total >= 4)
  }

  @Test("a busy store is retried, and each failure and the recovery are reported")
  func busyStore() async throws {
    let faults = Log<Void>()
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in
        guard name == "claimJobs", faults.elements.count < 3 else { return }
        faults.add(())
        throw StoreError(.busy, operation: "claim", detail: "another program holds the lock")
      })
    try await prepare(pipeline.context())
    let (ended, continuation) = AsyncStream.makeStream(of: Stage.self)
    let failures = Log<String>()
    let ledger = Log<String?>()
    let worker = Worker(
      pipelines: pipeline.registry, store: store, owner: "me", width: 2, executor: nil,
      // The alarm fires immediately, and heartbeats wait.
      time: TimeSource(
        now: { [clock = pipeline.clock] in clock.now },
        sleep: { wait in if wait >= .seconds(30) { try await Task.sleep(for: .seconds(3600)) } }),
      observer: WorkerObserver(
        progress: { if $0.state == .ended { continuation.yield($0.stage) } },
        failed: { failures.add($0.description) }, ledger: { ledger.add($0.map { "\($0)" }) }), logger: .silent)
    let serving = Task { try await worker.serve(isStopping: { false }) }
    for await stage in ended where stage == .push { break }
    serving.cancel()
    _ = await serving.result
    #expect(faults.elements.count == 3)
    #expect(failures.elements.isEmpty)
    let words = "another program holds the lock"
    #expect(ledger.elements.prefix(4).map { $0 ?? "works" } == [words, words, words, "works"])
    #expect(ledger.elements.dropFirst(3).allSatisfy { $0 == nil })
  }

  @Test("the worker does not sleep until a distant due time, because the clock may be set forward past that time")
  func longSleep() async throws {
    try await prepare(pipeline.context())
    try await pipeline.worker().drain()
    // After the clock is set back, the pull is due in a day.
    pipeline.clock.advance(by: -86_400)
    let (waits, continuation) = AsyncStream.makeStream(of: Duration.self)
    let worker = Worker(
      pipelines: pipeline.registry, store: pipeline.store, owner: "me", width: 1, executor: nil,
      time: TimeSource(
        now: { [clock = pipeline.clock] in clock.now },
        sleep: { wait in
          continuation.yield(wait)
          try await Task.sleep(for: .seconds(3600))
        }),
      observer: WorkerObserver(), logger: .silent)
    let serving = Task { try await worker.serve(isStopping: { false }) }
    let first = await waits.first { _ in true }
    serving.cancel()
    _ = await serving.result
    #expect(first == .seconds(300))
  }

  @Test("an error that is expected at startup is retried and not reported")
  func start() async throws {
    struct Missing: DisposableError, CustomStringConvertible {
      var disposition: Disposition { .retry }
      var isExpectedAtStart: Bool { true }
      var description: String { "there is no mirror yet" }
    }
    pipeline.vendor.willPush = { throw Missing() }
    try await prepare(pipeline.context())
    let failures = Log<String>()
    try await pipeline.worker(observer: WorkerObserver(failed: { failures.add($0.description) })).drain()
    #expect(failures.elements.isEmpty)
    let push = try #require(try await job(.push))
    #expect(push.state.name == .queued && push.attempts == 1)
  }

  @Test("the worker ends if its store is damaged")
  func damagedStore() async throws {
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in if name == "claimJobs" { throw StoreError(.corrupt, operation: "claim", detail: "damaged") } })
    pipeline.registry.set(pipeline.context())
    await #expect(throws: StoreError.self) { try await pipeline.worker(store: store).serve(isStopping: { false }) }
  }

  @Test("a job of a pipeline that was just removed returns to the queue without using up an attempt")
  func removedPipeline() async throws {
    try await prepare(pipeline.context())
    let store = ForwardingStore(
      store: pipeline.store,
      will: { [registry = pipeline.registry] name in if name == "claimJobs" { registry.remove("birds") } })
    try await pipeline.worker(store: store).drain()
    let job = try #require(try await job(.extract))
    #expect(job.state.name == .queued && job.attempts == 0)
  }

  @Test("an interrupted job returns to the queue without using up an attempt or reporting a failure")
  func interrupted() async throws {
    let gate = Gate()
    pipeline.vendor.willPush = { try await gate.enter() }
    try await prepare(pipeline.context())
    let failures = Log<String>()
    let worker = pipeline.worker(observer: WorkerObserver(failed: { failures.add($0.description) }))
    let task = Task { try await worker.drain() }
    await gate.isReached()
    #expect(try await job(.push)?.attempts == 1)
    task.cancel()
    _ = await task.result
    let push = try #require(try await job(.push))
    #expect(push.state.name == .queued && push.attempts == 0)
    #expect(failures.elements.isEmpty)
  }

  @Test("a stage whose lease was lost writes nothing, and its job runs again")
  func lostLease() async throws {
    let gate = Gate()
    pipeline.vendor.willPush = { try await gate.enter() }
    try await prepare(pipeline.context())
    let outcomes = Log<String>()
    let worker = pipeline.worker(
      observer: WorkerObserver(progress: { event in
        if event.stage == .push, let outcome = event.outcome { outcomes.add(outcome) }
      }))
    let task = Task { try await worker.drain() }
    await gate.isReached()
    // Another process that considers this process dead recovers this process's jobs in the same way.
    try await pipeline.store.recoverJobs(except: "another")
    gate.open()
    try await task.value
    #expect(outcomes.elements == ["superseded", "succeeded"])
    #expect(try await pipeline.store.unsentShipments(of: "birds", vendor: "v").isEmpty)
  }

  @Test("a temporary error is retried later and reported with its stage, vendor and message")
  func fault() async throws {
    struct Unreachable: DisposableError, CustomStringConvertible {
      var disposition: Disposition { .retry }
      var description: String { "connection refused" }
    }
    pipeline.vendor.willPush = { throw Unreachable() }
    try await prepare(pipeline.context())
    let failures = Log<StageFailure>()
    try await pipeline.worker(observer: WorkerObserver(failed: { failures.add($0) })).drain()
    #expect(failures.elements.map(\.description) == ["push (v): connection refused"])
    #expect(failures.elements.map(\.isRetried) == [true])
    let push = try #require(try await job(.push))
    #expect(push.state.name == .queued && push.attempts == 1)
    // The failure is stored with the waiting job.
    #expect(push.findings.map(\.message) == ["connection refused"])
    #expect(try await pipeline.store.nextDue(of: ["birds"]) == pipeline.clock.now.addingTimeInterval(5))
  }
}
