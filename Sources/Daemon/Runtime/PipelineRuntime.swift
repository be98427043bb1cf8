import CatalogFormats
import FoundationEssentials
import GitSource
import HTTPTransport
import Localization
package import Logging
package import Pipeline
import ProjectLayout
import SQLiteStore
import ServiceLifecycle
import StringExtraction

/// Pipelines put together and running: definition → mirror, layout, extractor, formats, vendors, store.
///
/// A pipeline that cannot be put together is reported, and keeps no other from running.
package struct PipelineRuntime: Sendable {
  private let source: PipelineSource
  private let composition: Composition
  private let registry = PipelineRegistry()
  private let files: PipelineFiles
  private let store: any Store
  private let cache: any Cache
  private let settings: Settings
  private let observer: WorkerObserver
  private let log: ServiceLog?
  private let time: TimeSource
  private let logger: Logger
  /// Unique to this process and its start: leases of other owners are not ours.
  private let owner = UUID().uuidString

  /// Opens the store, which this process then has to itself. Nothing is read or fetched yet.
  /// - Parameters:
  ///   - isOnce: `run --once`: rounds go out at once, and bundles that are about to settle are waited for.
  ///   - decorate: puts something between the pipelines and their store, as tests do.
  ///   - observer: told about stages as they begin and end, failures and findings; called from several tasks.
  ///   - log: told in `serve` what becomes of pipelines and their files.
  /// - Throws: `StoreError`.
  package init(
    source: PipelineSource, store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 }, observer: WorkerObserver,
    log: ServiceLog? = nil, logger: Logger
  ) throws {
    store = decorate(try SQLiteStore(folder: location.folder, clock: time.now))
    files = PipelineFiles(folder: location.folder)
    cache = SQLiteCache(folder: location.folder) { logger.warning("\($0)") }
    composition = Composition(
      location: location, settings: settings, credentials: Credentials(environment: environment), time: time,
      isOnce: isOnce, logger: logger, transport: HTTPTransport(),
      installation: try Installation.identity(in: location.folder), memory: SnapshotMemory(now: time.now),
      readers: BlockingPool("commit readers", width: settings.readers), registry: registry)
    self.source = source
    self.settings = settings
    self.time = time
    self.observer = observer
    self.log = log
    self.logger = logger
  }

  /// For definitions that no file holds.
  package init(
    definitions: [PipelineDefinition], store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 }, observer: WorkerObserver,
    logger: Logger
  ) throws {
    try self.init(
      source: .definitions(definitions), store: location, settings: settings, environment: environment, isOnce: isOnce,
      time: time, decorate: decorate, observer: observer, logger: logger)
  }

  private func worker(_ observer: WorkerObserver) -> Worker {
    // As many threads as jobs run at once: one that hangs on a disk keeps no other waiting.
    let threads = BlockingPool("stages", width: Worker.kinds * settings.workers)
    return Worker(
      pipelines: registry, store: store, owner: owner, width: settings.workers,
      executor: PooledTaskExecutor(threads), time: time,
      policy: RetryPolicy(attempts: settings.attempts), observer: observer,
      logger: logger)
  }

  private func compose(_ definition: PipelineDefinition) async throws -> PipelineContext {
    do {
      let context = try composition.context(of: definition, store: store, cache: cache)
      try await composition.takeOverFormerNames(context, store: store)
      return context
    } catch let error where !(error is CancellationError || error is StoreError) {
      // The first look takes it back.
      try await store.setWatchFault(String(describing: error), of: definition.name)
      throw error
    }
  }

  /// Takes every pipeline as far as it goes now: what a killed process left is taken up, the repositories and vendors are looked at
  /// once, and everything that is due is done. What waits for a vendor stays outstanding.
  /// - Returns: what happened; failures are part of it and not thrown.
  /// - Throws: what keeps the store itself from working, and cancellation.
  package func runOnce() async throws -> RunReport {
    let journal = RunJournal(passingOnTo: observer)
    try await store.recoverJobs(except: owner)
    var parts: [(name: String, context: PipelineContext?, before: Standing)] = []
    for reading in try source.readings(first: files.known(among: source.paths())) {
      guard let definition = reading.definition else {
        journal.observer.found(reading.path, reading.diagnostics)
        fail(reading.path, InputFault(reading.diagnostics), journal)
        parts.append((reading.path, nil, Standing()))
        continue
      }
      do {
        let context = try await compose(definition)
        registry.set(context)
        if case .definitions = source {} else { files.remember(definition.name, at: reading.path) }
        parts.append((context.name, context, try await standing(of: context)))
        _ = try await Watcher(context: context, observer: journal.observer).look(isThorough: true)
      } catch is CancellationError {
        throw CancellationError()
      } catch let error as StoreError {
        throw error
      } catch {
        fail(definition.name, error, journal)
        if registry[definition.name] == nil { parts.append((definition.name, nil, Standing())) }
      }
      if registry[definition.name] != nil { try await store.wake(definition.name, stage: nil, scope: nil) }
    }
    try await worker(journal.observer).drain()
    var reports: [PipelineReport] = []
    for part in parts {
      if let context = part.context {
        reports.append(try await report(context, since: part.before, journal))
      } else {
        reports.append(
          PipelineReport(
            name: part.name, diagnostics: journal.diagnostics(of: part.name), failures: journal.failures(of: part.name))
        )
      }
    }
    return RunReport(pipelines: reports)
  }

  private func fail(_ pipeline: String, _ error: any Error, _ journal: RunJournal) {
    journal.observer.failed(
      StageFailure(pipeline: pipeline, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: false))
  }

  /// Runs until SIGTERM or SIGINT: then nothing more is claimed, stages may finish within the grace period, and what is interrupted goes
  /// back into the queue with its attempt given back. SIGHUP reads the pipeline files again.
  /// - Parameter takesSignals: `false` where the process is not the daemon's own. Then cancelling stops it.
  package func serve(takesSignals: Bool = false) async throws {
    raiseOpenFileLimit()
    try await store.recoverJobs(except: owner)
    let running = RunningStages()
    var observer = observer
    observer.progress = { [progress = observer.progress] event in
      running.note(event)
      progress(event)
    }
    let observed = observer
    let supervisor = PipelineSupervisor(
      source: source, files: files, registry: registry,
      actions: PipelineSupervisor.Actions(
        compose: { try await compose($0) },
        watch: { context in
          do {
            try await Watcher(context: context, observer: observed)
              .serve(jitter: .random(in: 0...1), isStopping: { false })
          } catch is CancellationError {
          } catch {
            observed.failed(
              StageFailure(
                pipeline: context.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: false))
          }
        }, failed: observed.failed,
        recovered: { [store] name in
          // Where the store cannot be written now, the next start clears it.
          try? await store.setWatchFault(nil, of: name)
        },
        decisions: { [store] in
          Dictionary(
            try await store.pipelines().map { ($0.name, $0.decisions) }, uniquingKeysWith: { first, _ in first })
        }, event: { log?.note($0) }), time: time)
    var configuration = ServiceGroupConfiguration(
      services: [
        WorkerService(worker: worker(observed), signal: registry.signal), SupervisorService(supervisor: supervisor),
      ], logger: logger)
    configuration.maximumGracefulShutdownDuration = settings.shutdownGrace
    let group = ServiceGroup(configuration: configuration)
    let signals =
      takesSignals
      ? SignalWatch(
        grace: settings.shutdownGrace,
        actions: SignalWatch.Actions(
          stop: { Task { await group.triggerGracefulShutdown() } }, hangUp: { Task { await supervisor.reload() } },
          running: { running.description })) : nil
    defer { signals?.end() }
    try await group.run()
  }

  // MARK: Report

  private struct Standing {
    var rounds: [RoundID: Round] = [:]
    var delivered: Set<DeliveryID> = []
  }

  private func standing(of part: PipelineContext) async throws -> Standing {
    var standing = Standing()
    for round in try await store.rounds(of: part.name) { standing.rounds[round.id] = round }
    standing.delivered = Set(try await delivered(part).map(\.id))
    return standing
  }

  private func delivered(_ part: PipelineContext) async throws -> [Delivery] {
    try await store.deliveries(of: part.name, since: .distantPast).filter {
      $0.state == .pushed || $0.state == .settled
    }
  }

  private func report(_ part: PipelineContext, since before: Standing, _ journal: RunJournal) async throws
    -> PipelineReport
  {
    var report = PipelineReport(name: part.name)
    report.rounds = try await store.rounds(of: part.name).filter { round in
      before.rounds[round.id] != round || round.books.contains { $0.outstanding > 0 }
    }
    for delivery in try await delivered(part) where !before.delivered.contains(delivery.id) {
      report.commits += try await commits(of: delivery, part)
    }
    report.held = try await store.heldUnits(of: part.name)
    report.diagnostics = journal.diagnostics(of: part.name)
    // What an earlier run found holds until the stage is done again. Of a job that failed or waits to be tried again, the failure says it.
    for job in try await store.jobs(of: part.name) where [.succeeded, .waiting].contains(job.state.name) {
      report.diagnostics += job.findings.filter { !report.diagnostics.contains($0) }
    }
    report.failures = journal.failures(of: part.name)
    report.verdicts = try await part.verdicts()
    return report
  }

  private func commits(of delivery: Delivery, _ part: PipelineContext) async throws -> [DeliveredCommit] {
    var commits: [DeliveredCommit] = []
    var parent = delivery.base
    for id in delivery.commits {
      let info = try await part.mirror.commit(id)
      let files = try await part.mirror.statistics(from: parent, to: id)
      commits.append(
        DeliveredCommit(
          branch: delivery.branch, target: delivery.target, id: id,
          subject: info.message.split(separator: "\n").first.map(String.init) ?? "",
          time: Date(timeIntervalSince1970: Double(info.committer.seconds)),
          units: CommitTrailers(message: info.message)?.units ?? 0,
          files: files.map { DeliveredCommit.DeliveredFile(path: $0.path, added: $0.added, removed: $0.removed) }))
      parent = id
    }
    return commits
  }
}

private struct WorkerService: Service {
  let worker: Worker
  /// Wakes an idle worker when the process is told to stop.
  let signal: WorkSignal

  func run() async throws {
    try await withGracefulShutdownHandler {
      try await worker.serve(isStopping: { Task.isShuttingDownGracefully })
    } onGracefulShutdown: {
      signal.ring()
    }
  }
}

private struct SupervisorService: Service {
  let supervisor: PipelineSupervisor
  func run() async throws {
    // Waiting for the next look is nothing that has to be finished.
    try await cancelWhenGracefulShutdown {
      do { try await supervisor.run() } catch is CancellationError {}
    }
  }
}
