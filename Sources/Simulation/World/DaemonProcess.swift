import CatalogFormats
import FoundationEssentials
import Localization
import Logging
import Pipeline
import SQLiteStore
internal import Synchronization

/// The daemon's processes, one after the other: each ends with its life, and another is started on what is on the disk.
///
/// This file is all that knows how a daemon is put together from store, worker and watchers.
final class DaemonProcess: Sendable {
  private let world: World
  private let state = Mutex(State())

  private struct State {
    var life: Life?
    var task: Task<Void, Never>?
    var store: SQLiteStore?
    var starts = 0
  }

  init(world: World) { self.world = world }

  var life: Life? { state.withLock { $0.life } }
  /// The ledger of the living process, for looking at.
  var store: (any Store)? { state.withLock { $0.store } }

  /// Starts a process if none is alive.
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
      // A supervisor starts it again, unless somebody else did.
      await world.time.sleep(.seconds(10))
      guard self.life === life else { return }
      kill()
      start()
    }
    state.withLock { $0.task = task }
  }

  /// Ends the process without a word; the disk keeps what was written.
  func kill() {
    end()
    world.disk.kill()
  }

  /// The power fails.
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
        store = try SQLiteStore(unlockedFile: world.disk.folder + "/ledger.sqlite")
        break
      } catch is ProcessKilled {
        return
      } catch {
        // A supervisor starts it again.
        world.log("process \(number) cannot open its ledger: \(error)")
        await world.time.sleep(.seconds(60))
      }
    }
    state.withLock { state in
      if state.life === life { state.store = store }
    }
    let contexts = world.pipelines.map { context(of: $0, store: store, life: life) }
    do {
      try await store.recoverJobs(now: world.time.now, all: true)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for context in contexts {
          group.addTask { try await self.serve(context, store: store, life: life, number: number) }
        }
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

  private func serve(_ context: PipelineContext, store: SQLiteStore, life: Life, number: Int) async throws {
    let world = world
    let observer = WorkerObserver(
      progress: { event in
        guard event.state == .ended else { return }
        world.log(
          "  \(event.pipeline) \(event.stage) \(event.branch ?? "") \(event.scope ?? ""): \(event.outcome ?? "") \(event.detail ?? "")"
        )
      })
    let watcher = Watcher(context: context, observer: observer)
    let worker = Worker(
      pipelines: [context], store: store, owner: "process \(number)", width: 4, time: life.timeSource,
      observer: observer, logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
    var lastThorough: Duration?
    var nextLook = Duration.zero
    while true {
      try life.pass()
      let now = world.time.elapsed
      if now >= nextLook {
        let isThorough = lastThorough.map { now - $0 >= .seconds(1800) } ?? true
        do {
          _ = try await watcher.look(isThorough: isThorough)
          if isThorough { lastThorough = now }
        } catch {
          if life.isDead { throw ProcessKilled() }
        }
        nextLook = now + .seconds(1800)
      }
      try await worker.drain()
      try life.pass()
      let due = try await store.nextDue(of: [context.name])
      let wait = due.map { max(1, $0.timeIntervalSince(world.time.now)) } ?? .infinity
      let untilLook = (nextLook - world.time.elapsed).seconds
      try await life.timeSource.sleep(.seconds(min(wait, max(untilLook, 0))))
    }
  }

  private func context(of pipeline: SimulatedPipeline, store: SQLiteStore, life: Life) -> PipelineContext {
    let definition = pipeline.definition
    let mirror = SimulatedMirror(
      remote: pipeline.remote, folder: pipeline.mirror, pipeline: pipeline.name, life: life, time: world.time)
    let formats: @Sendable (TreePath) -> (any CatalogFormat)? = { CatalogFormatRegistry.standard.format(for: $0) }
    let snapshots = SnapshotLoader(
      definition: definition, mirror: mirror, reader: SimulatedProjectReader(), extractor: SimulatedExtractor(),
      extractorVersion: "1", formats: formats, cache: world.cache, threads: 1)
    return PipelineContext(
      definition: definition, mirror: mirror, snapshots: snapshots, formats: formats, audit: SimulatedAudit(),
      vendors: zip(definition.vendors, pipeline.vendors).map { definition, server in
        ConfiguredVendor(
          definition: definition,
          vendor: SimulatedVendor(name: server.name, server: server, pipeline: pipeline.name, life: life))
      }, store: store, time: life.timeSource, isOnce: false)
  }
}
