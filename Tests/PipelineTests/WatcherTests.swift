import Foundation
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct WatcherTests {
  private let pipeline: TestPipeline
  private static let refused = PipelineError(
    .notFound, operation: "fetch birds", detail: "connection refused", disposition: .retry)

  init() throws {
    pipeline = try TestPipeline()
    pipeline.commit(TestPipeline.tree(["Feed"]))
  }

  @Test("a poll after which no branch has moved does not query the store")
  func quiet() async throws {
    let store = ForwardingStore(store: pipeline.store)
    let watcher = Watcher(context: pipeline.context(store: store), observer: WorkerObserver())
    #expect(try await watcher.look(isThorough: false).moved == 1)
    let calls = store.calls.total
    let look = try await watcher.look(isThorough: false)
    #expect(look.moved == 0 && look.watched == 1)
    #expect(store.calls.total == calls)
    _ = try await watcher.look(isThorough: true)
    #expect(store.calls.total > calls)
  }

  @Test("a branch whose name is not UTF-8 is reported once if a branch pattern matches the name")
  func unreadableNames() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let context = pipeline.context(
      TestPipeline.definition { $0.repository.branches = [BranchPattern("main"), BranchPattern("release/*")] },
      mirror: mirror)
    let found = Log<String>()
    let watcher = Watcher(
      context: context, observer: WorkerObserver(found: { for diagnostic in $1 { found.add(diagnostic.message) } }))
    mirror.leaveOut([#"release/caf\xE9"#, #"topic/\xFF"#])
    for _ in 0..<3 { _ = try await watcher.look(isThorough: true) }
    #expect(found.elements == [#"branch release/caf\xE9 is skipped: its name is not UTF-8"#])
    mirror.leaveOut([#"release/caf\xE9"#, #"release/\xEA"#])
    _ = try await watcher.look(isThorough: false)
    #expect(found.elements.count == 2 && found.elements.last?.contains(#"release/\xEA"#) == true)
  }

  @Test("a branch that only deliver.branch excludes from watching is reported once, and named if no branch is watched")
  func excludedNames() async throws {
    let context = pipeline.context(
      TestPipeline.definition {
        $0.repository.branches = [BranchPattern("**")]
        $0.deliver.branch = "release/{branch}"
      })
    pipeline.commit(TestPipeline.tree(["Feed"]), to: "release/main", on: [])
    pipeline.commit(TestPipeline.tree(["Feed"]), to: "release/1", on: [])
    let found = Log<String>()
    let watcher = Watcher(
      context: context, observer: WorkerObserver(found: { for diagnostic in $1 { found.add(diagnostic.message) } }))
    for _ in 0..<3 { _ = try await watcher.look(isThorough: true) }
    #expect(
      found.elements == ["branch release/1 is not watched, because deliver.branch (release/{branch}) includes it"])
    pipeline.remote.move("main", to: nil)
    let error = await #expect(throws: PipelineError.self) { try await watcher.look(isThorough: true) }
    #expect(error?.detail.contains("deliver.branch (release/{branch}) includes release/1, release/main") == true)
  }

  @Test("moved, new and removed branches cause planning, including branches that are not watched")
  func moved() async throws {
    let context = pipeline.context(
      TestPipeline.definition { $0.repository.branches = [BranchPattern("main"), BranchPattern("release/*")] })
    let watcher = Watcher(context: context, observer: WorkerObserver())
    _ = try await watcher.look(isThorough: false)
    let merge = try await inputs(.merge)
    pipeline.commit(TestPipeline.tree(["Feed"]), to: TestPipeline.target, on: [])
    _ = try await watcher.look(isThorough: false)
    #expect(try await inputs(.merge) != merge)
    pipeline.commit(TestPipeline.tree(["Fly"]), to: "release/1", on: [])
    #expect(try await watcher.look(isThorough: false).moved == 1)
    #expect(try await pipeline.store.heads(of: "birds").map(\.branch) == ["main", "release/1"])
    pipeline.remote.move("release/1", to: nil)
    #expect(try await watcher.look(isThorough: false).moved == 1)
    #expect(try await pipeline.store.heads(of: "birds").map(\.branch) == ["main"])
  }

  @Test("a look counts new and moved branches as branches with a new commit, but not removed branches")
  func newCommits() async throws {
    let context = pipeline.context(
      TestPipeline.definition { $0.repository.branches = [BranchPattern("main"), BranchPattern("release/*")] })
    let details = Log<String>()
    let watcher = Watcher(
      context: context,
      observer: WorkerObserver(progress: { if $0.stage == .watch, let detail = $0.detail { details.add(detail) } }))
    pipeline.commit(TestPipeline.tree(["Fly"]), to: "release/1", on: [])
    _ = try await watcher.look(isThorough: false)
    pipeline.commit(TestPipeline.tree(["Fly", "Feed"]))
    pipeline.remote.move("release/1", to: nil)
    _ = try await watcher.look(isThorough: false)
    pipeline.commit(TestPipeline.tree(["Fly"]), to: "release/2", on: [])
    _ = try await watcher.look(isThorough: false)
    pipeline.remote.move("release/2", to: nil)
    _ = try await watcher.look(isThorough: false)
    #expect(
      details.elements == [
        "2 branches, 2 with a new commit", "1 branch, 1 with a new commit", "2 branches, 1 with a new commit",
        "1 branch, 0 with a new commit",
      ])
  }

  @Test("a delivery branch that was deleted is restored after the next poll")
  func deletedDelivery() async throws {
    let context = pipeline.context()
    pipeline.registry.set(context)
    let watcher = Watcher(context: context, observer: WorkerObserver())
    let worker = pipeline.worker()
    func work() async throws {
      try await pipeline.store.wake(TestPipeline.name, stage: nil, scope: nil)
      try await worker.drain()
    }
    _ = try await watcher.look(isThorough: false)
    try await work()
    pipeline.vendor.give(["Feed": "Füttern"])
    try await work()
    let delivered = try #require(pipeline.remote.head(of: TestPipeline.target))
    pipeline.remote.move(TestPipeline.target, to: nil)
    _ = try await watcher.look(isThorough: false)
    try await work()
    #expect(pipeline.remote.head(of: TestPipeline.target) == delivered)
  }

  private func inputs(_ stage: Stage) async throws -> String? {
    try await pipeline.store.jobs(of: "birds").first { $0.stage == stage }?.inputs
  }

  @Test("a poll does not replace newer results of another process's poll")
  func staleLook() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let watcher = Watcher(context: pipeline.context(mirror: mirror), observer: WorkerObserver())
    _ = try await watcher.look(isThorough: false)
    // Another process stores a newer head. This process stores the result of its poll only after another poll.
    let other = pipeline.commit(TestPipeline.tree(["Fly"]))
    try await pipeline.store.adopt([BranchHead(name: "main", commit: other)], of: TestPipeline.name)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let looks = mirror.looks
    _ = try await watcher.look(isThorough: false)
    #expect(mirror.looks == looks + 2)
    #expect(try await pipeline.store.heads(of: TestPipeline.name).map(\.commit) == [pipeline.remote.head(of: "main")])
  }

  @Test("the reason why a repository cannot be reached is recorded once, and cleared afterwards")
  func notedFault() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let store = ForwardingStore(store: pipeline.store)
    let watcher = Watcher(context: pipeline.context(store: store, mirror: mirror), observer: WorkerObserver())
    mirror.fail(Self.refused)
    for _ in 1...3 { await #expect(throws: Self.refused) { try await watcher.look(isThorough: false) } }
    #expect(store.calls["setWatchFault"] == 1)
    #expect(
      try await store.pipelines().map(\.watchFault?.message) == ["cannot fetch birds: connection refused"])
    mirror.fail(nil)
    for _ in 1...3 { _ = try await watcher.look(isThorough: false) }
    #expect(store.calls["setWatchFault"] == 2)
    #expect(try await store.pipelines().map(\.watchFault) == [nil])
  }

  @Test("a failed poll is shown as failed, and the next poll plans the missed changes")
  func failing() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let outcomes = Log<String>()
    let watcher = Watcher(
      context: pipeline.context(mirror: mirror),
      observer: WorkerObserver(progress: { if let outcome = $0.outcome { outcomes.add(outcome) } }))
    mirror.fail(Self.refused)
    await #expect(throws: Self.refused) { try await watcher.look(isThorough: true) }
    mirror.fail(nil)
    _ = try await watcher.look(isThorough: false)
    #expect(outcomes.elements == ["failed", "succeeded"])
    #expect(try await !pipeline.store.jobs(of: "birds").isEmpty)
  }

  @Test("failed planning is repeated at the next poll, even if no branch moved")
  func failedPlan() async throws {
    let faults = Log<Void>()
    let store = ForwardingStore(
      store: pipeline.store,
      will: { name in
        guard name == "arm", faults.elements.isEmpty else { return }
        faults.add(())
        throw Self.refused
      })
    let watcher = Watcher(context: pipeline.context(store: store), observer: WorkerObserver())
    await #expect(throws: Self.refused) { try await watcher.look(isThorough: false) }
    _ = try await watcher.look(isThorough: false)
    #expect(try await !pipeline.store.jobs(of: "birds").isEmpty)
  }

  @Test("a remote that does not respond is polled less and less often, and each failure is reported")
  func serving() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    mirror.fail(Self.refused)
    var context = pipeline.context(mirror: mirror)
    let waits = Log<Double>()
    let failures = Log<String>()
    context.time = TimeSource(
      now: { [clock = pipeline.clock] in clock.now },
      sleep: { wait in
        // This call waits for the vendor's events.
        if wait >= PollInterval.longest { try await Task.sleep(for: .seconds(3600)) }
        waits.add(wait.seconds)
        try Task.checkCancellation()
      })
    let watcher = Watcher(context: context, observer: WorkerObserver(failed: { failures.add($0.description) }))
    try await watcher.serve(jitter: 0.5, isStopping: { mirror.looks >= 4 })
    #expect(waits.elements == [2.5, 22.5, 33.75, 50.625, 75.9375])
    #expect(failures.elements.count == 4)
    #expect(failures.elements.first == "watch (birds): cannot fetch birds: connection refused")
  }

  @Test("an operation that is interrupted by shutdown is not reported as a failure")
  func interrupted() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    // git reports a cancelled fetch as an error other than CancellationError.
    mirror.fail(PipelineError(.moved, operation: "fetch birds", detail: "cancelled", disposition: .retry))
    let store = ForwardingStore(store: pipeline.store)
    var context = pipeline.context(store: store, mirror: mirror)
    context.time = pipeline.clock.time
    let failures = Log<String>()
    let watcher = Watcher(
      context: context,
      observer: WorkerObserver(
        progress: { if $0.state == .began { withUnsafeCurrentTask { $0?.cancel() } } },
        failed: { failures.add($0.description) }))
    let serving = Task { try await watcher.serve(jitter: 0, isStopping: { false }) }
    await #expect(throws: CancellationError.self) { try await serving.value }
    #expect(mirror.looks == 1 && failures.elements.isEmpty)
    #expect(store.calls["setWatchFault"] == 0)
  }

  @Test("events in quick succession cause at most five polls per second")
  func events() async throws {
    let mirror = ForwardingMirror(pipeline.mirror)
    let clock = pipeline.clock
    let looks = LookRequests()
    looks.noteEvent(at: clock.now)
    var context = pipeline.context(mirror: mirror)
    context.looks = looks
    let waits = Log<Double>()
    context.time = TimeSource(
      now: { clock.now },
      sleep: { wait in
        // One task waits for the next poll, another for the vendor.
        if wait >= PollInterval.shortest { try await Task.sleep(for: .seconds(3600)) }
        waits.add(wait.seconds)
        looks.noteEvent(at: clock.now)
      })
    try await Watcher(context: context, observer: WorkerObserver()).serve(
      jitter: 0, isStopping: { mirror.looks >= 3 })
    #expect(waits.elements == [0, 0.2, 0.2, 0.2])
  }

  @Test(
    "the first poll waits for a random part of the interval, at most 5 s",
    arguments: [(0.25, Duration.seconds(60), 1.25), (1, .seconds(60), 5), (0.5, .seconds(2), 1)])
  func firstLook(jitter: Double, interval: Duration, wait: Double) async throws {
    var context = pipeline.context(TestPipeline.definition { $0.repository.poll = interval })
    let waits = Log<Double>()
    context.time = TimeSource(
      now: { [clock = pipeline.clock] in clock.now },
      sleep: {
        waits.add($0.seconds)
        try Task.checkCancellation()
      })
    try await Watcher(context: context, observer: WorkerObserver()).serve(
      jitter: jitter, isStopping: { !waits.elements.isEmpty })
    #expect(waits.elements == [wait])
  }

  @Test("permanently failed jobs are retried every 15 minutes, even if no branch moved")
  func thorough() async throws {
    let context = pipeline.context()
    let watcher = Watcher(context: context, observer: WorkerObserver())
    _ = try await watcher.look(isThorough: true)
    let job = try #require(
      try await pipeline.store.claimJobs(of: ["birds"], stages: [.extract], owner: "me", lease: .seconds(60), limit: 1)
        .first)
    try await pipeline.store.move(
      job, by: .fail(FailureRecord(message: "no", at: pipeline.clock.now)), changes: [])
    _ = try await watcher.look(isThorough: false)
    #expect(try await pipeline.store.jobs(of: "birds").first { $0.id == job.id }?.state.name == .failed)
    _ = try await watcher.look(isThorough: true)
    #expect(try await pipeline.store.jobs(of: "birds").first { $0.id == job.id }?.state.name == .queued)
  }
}
