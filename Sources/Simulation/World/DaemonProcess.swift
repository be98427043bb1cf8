import CatalogFormats
import FoundationEssentials
import LedgerStore
import Localization
import Logging
import Pipeline
import SQLiteStore
internal import Synchronization
import Workspace

/// The daemon's processes, one after the other. Each process has its own ``Life``, and starts with the data that its predecessors left on the disk.
///
/// In the simulation, only this file composes a daemon from store, worker and watchers.
final class DaemonProcess: Sendable {
  private let world: World
  private let state = Mutex(State())

  private struct State {
    var life: Life?
    var task: Task<Void, Never>?
    var store: SQLiteStore?
    var registry: PipelineRegistry?
    var starts = 0
  }

  init(world: World) { self.world = world }

  var life: Life? { state.withLock { $0.life } }
  /// The ledger of the running process, for checks.
  var store: (any Store)? { state.withLock { $0.store } }

  /// Simulates a request to the webhook of a vendor. The request is lost if no process runs.
  func noteChange(of pipeline: String, at vendor: String) {
    state.withLock { $0.registry }?[pipeline]?.vendorLooks.request(vendor)
  }

  /// Starts a process. If the process ends by itself, the next process starts 10 s later.
  func start() {
    let life = Life(disk: world.disk, time: world.time)
    let number = state.withLock { state in
      state.life = life
      state.starts += 1
      return state.starts
    }
    world.log("process \(number) starts")
    let task = Task.detached { [self] in
      await live(life, number: number)
      // A supervisor starts the next process, unless another process has already been started.
      await world.time.sleep(.seconds(10))
      guard self.life === life else { return }
      kill()
      start()
    }
    state.withLock { $0.task = task }
  }

  /// Ends the process without a shutdown. Written data stays on the disk.
  func kill() {
    end()
    world.disk.kill()
  }

  /// Simulates a power failure.
  func cutPower(_ random: inout SeededRandom, losesEverything: Bool) {
    end()
    world.disk.cutPower(seed: losesEverything ? 0 : random.next())
    for pipeline in world.pipelines { pipeline.mirror.loseUnsynced(&random) }
  }

  private func end() {
    let (life, task) = state.withLock { state in
      defer {
        state.task = nil
        state.store = nil
        state.registry = nil
        state.life = nil
      }
      return (state.life, state.task)
    }
    life?.end()
    task?.cancel()
  }

  // MARK: One life

  private func live(_ life: Life, number: Int) async {
    let store: SQLiteStore
    while true {
      do {
        try life.pass()
        store = try SQLiteStore(
          unlockedFile: world.disk.folder + "/ledger.sqlite", threads: .inline, clock: life.timeSource.now)
        break
      } catch is ProcessKilled {
        return
      } catch {
        // The next attempt stands for a process that a supervisor starts again.
        world.log("process \(number) cannot open its ledger: \(error)")
        await world.time.sleep(.seconds(60))
      }
    }
    state.withLock { state in
      if state.life === life { state.store = store }
    }
    let owner = "process \(number)"
    let registry = PipelineRegistry()
    state.withLock { state in
      if state.life === life { state.registry = registry }
    }
    let history = HistoryQueue()
    let observer = observer(history)
    let worker = Worker(
      pipelines: registry, store: store, owner: owner, width: world.story.width, executor: nil,
      time: life.timeSource, observer: observer,
      logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
    do {
      try await store.recoverJobs(except: owner)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for pipeline in world.pipelines {
          let context = context(of: pipeline, store: store, life: life, registry: registry)
          registry.set(context)
          let watcher = Watcher(context: context, observer: observer)
          group.addTask { try await watcher.serve(jitter: 0.5, isStopping: { false }) }
        }
        group.addTask { try await worker.serve(isStopping: { false }) }
        let turns = HistoryTurns(
          recorder: HistoryRecorder(store), queue: history, registry: registry, time: life.timeSource,
          report: { [world] in world.log("  \($0) \($1)") })
        group.addTask { try await turns.serve() }
        while let result = await group.nextResult() {
          if case .failure(let error) = result {
            group.cancelAll()
            throw error
          }
        }
      }
    } catch {
      world.log("process \(number) ends: \(error is ProcessKilled ? "killed" : String(describing: error))")
    }
  }

  private func observer(_ history: HistoryQueue) -> WorkerObserver {
    WorkerObserver(
      progress: { [world] event in
        history.note(event)
        guard event.state == .ended else { return }
        if event.stage == .merge, let branch = event.branch, event.outcome == JobState.Name.succeeded.rawValue {
          let name = WatchedName(pipeline: event.pipeline, branch: branch)
          world.conflicts.withLock { $0[name] = false }
          if let head = event.commit { world.merged.withLock { $0[name] = CommitID(rawValue: head) } }
        }
        world.log(
          "  \(event.pipeline) \(event.stage) \(event.branch ?? "") \(event.scope ?? ""): \(event.outcome ?? "") \(event.detail ?? "")"
        )
      },
      failed: { [world] failure in
        guard let branch = failure.branch, (failure.error as? PipelineError)?.kind == .conflict else { return }
        world.conflicts.withLock { $0[WatchedName(pipeline: failure.pipeline, branch: branch)] = true }
      },
      found: { [world] _, diagnostics in for diagnostic in diagnostics { world.log("    \(diagnostic)") } })
  }

  private func context(
    of pipeline: SimulatedPipeline, store: SQLiteStore, life: Life, registry: PipelineRegistry
  ) -> PipelineContext {
    let definition = pipeline.definition
    let mirror = SimulatedMirror(
      remote: pipeline.remote, folder: pipeline.mirror, pipeline: pipeline.name, life: life, time: world.time)
    let tools = ProjectTools.simulated
    let snapshots = SnapshotLoader(
      definition: definition, mirror: mirror, tools: tools, extractorVersion: "1", cache: world.cache, threads: 1,
      memory: SnapshotMemory(now: life.timeSource.now), pool: .inline("commits"))
    return PipelineContext(
      definition: definition, mirror: mirror, snapshots: snapshots, formats: tools.format, audit: CatalogAudit(),
      merger: LocalizationMerger(),
      vendors: zip(definition.vendors, pipeline.vendors).map { definition, server in
        ConfiguredVendor(
          definition: definition,
          vendor: SimulatedVendor(name: server.name, server: server, pipeline: pipeline.name, life: life))
      }, store: store, history: store, time: life.timeSource, isOnce: false, signal: registry.signal,
      reconciler: registry.reconciler(of: definition.name), inForce: { [weak registry] in registry?[definition.name] })
  }
}
