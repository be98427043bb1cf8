import CatalogFormats
import FoundationEssentials
import GitSource
import HTTPTransport
import LedgerStore
import Localization
package import Logging
package import Pipeline
import ProjectLayout
import SQLiteStore
package import ServiceLifecycle
import StringExtraction

/// Composes and runs pipelines: definition → mirror, layout, extractor, formats, vendors, store.
///
/// A pipeline that cannot be composed is reported and does not prevent the others from running.
package struct PipelineRuntime: Sendable {
  private let source: PipelineSource
  private let composition: Composition
  private let registry = PipelineRegistry()
  private let files: PipelineFiles
  private let store: any Store
  private let notices: any NoticeStore
  private let history: any CommitHistoryStore
  private let people: any PeopleStore
  private let events = ProgressFeed()
  private let cache: any Cache
  private let settings: Settings
  private let observer: WorkerObserver
  private let log: ServiceLog?
  private let measurements: RunMeasurements
  private let location: StoreLocation
  private let manager: ServiceManager?
  private let time: TimeSource
  private let logger: Logger
  /// With a ledger that several workers share.
  private let fleet: FleetMembership?
  private let folder: StoreFolder?
  /// Unique to this process and its start. Leases of other owners do not belong to us.
  private let owner: String

  /// Opens the store with exclusive access. Nothing is read or fetched yet.
  /// - Parameters:
  ///   - isOnce: whether this is `run --once`: rounds are sent immediately, and the run waits for bundles that are about to settle.
  ///   - decorate: wraps the store, as tests do.
  ///   - observer: receives the start and end of stages, failures and findings. It is called from several tasks.
  ///   - log: receives the changes of pipelines and their files in `serve`.
  /// - Throws: `StoreError`.
  package init(
    source: PipelineSource, store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 }, observer: WorkerObserver,
    log: ServiceLog? = nil, logger: Logger
  ) throws {
    let credentials = Credentials(environment: environment)
    let opened = try OpenLedger.working(location, credentials, clock: time.now)
    store = decorate(opened.ledger)
    notices = opened.ledger
    history = opened.ledger
    people = opened.ledger
    folder = opened.folder
    let own = try Installation.identity(in: location.folder)
    let owner = UUID().uuidString
    self.owner = owner
    fleet = opened.fleet.map {
      FleetMembership(
        store: $0,
        worker: FleetWorker(id: owner, name: FleetMembership.name(of: location.folder, installation: own)),
        lease: settings.workerLease, time: time)
    }
    files = PipelineFiles(folder: location.folder)
    cache = SQLiteCache(folder: location.folder) { logger.warning("\($0)") }
    let measurements = RunMeasurements()
    self.measurements = measurements
    self.location = location
    manager = ServiceManager(environment: environment)
    composition = Composition(
      location: location, settings: settings, credentials: credentials, time: time,
      isOnce: isOnce, logger: logger,
      transport: HTTPTransport(observe: { measurements.noteRequest(to: $0, status: $1) }),
      installation: try opened.fleet?.installation(orElse: own) ?? own, memory: SnapshotMemory(now: time.now),
      readers: BlockingPool("commit readers", width: settings.readers), registry: registry,
      // The snapshots of two commits, one of which is compared with the other.
      background: (
        SnapshotMemory(limit: 200_000, idle: .seconds(60), now: time.now),
        BlockingPool("background reader", width: 1, isBackground: true)
      ))
    self.source = source
    self.settings = settings
    self.time = time
    self.observer = observer
    self.log = log
    self.logger = logger
  }

  /// For definitions that do not come from files.
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
    // One thread for each concurrent job: a job that hangs on a disk does not block the others.
    let threads = BlockingPool("stages", width: Worker.kinds * settings.workers)
    return Worker(
      pipelines: registry, store: store, owner: owner, width: settings.workers,
      executor: PooledTaskExecutor(threads), time: time,
      policy: RetryPolicy(attempts: settings.attempts), observer: observer,
      turned: { [measurements] in measurements.noteTurn() }, logger: logger)
  }

  private func compose(_ definition: PipelineDefinition) async throws -> PipelineContext {
    do {
      let context = try composition.context(
        of: definition, store: store, history: history, people: people, cache: cache)
      try await composition.takeOverFormerNames(context, store: store)
      // What happens from now on is news for its receivers, and nothing is if it has none.
      if definition.notify.isEmpty {
        try await notices.endNotices(of: definition.name)
      } else {
        _ = try await notices.noticeBook(of: definition.name)
      }
      return context
    } catch let error where !(error is CancellationError || error is StoreError) {
      // The first successful look clears the fault.
      try await store.setWatchFault(String(describing: error), of: definition.name)
      throw error
    }
  }

  /// Processes every pipeline as far as possible now: it recovers the jobs of a killed process, looks at the repositories and vendors
  /// once, and runs everything that is due. Units that wait for a vendor stay outstanding.
  /// - Returns: the results, including failures, which are not thrown.
  /// - Throws: errors that make the store unusable, and cancellation.
  package func runOnce() async throws -> RunReport {
    let readings = try source.readings(first: files.known(among: source.paths()))
    guard let fleet else { return try await runOnce(readings) }
    return try await fleet.alone(with: Set(readings.compactMap { $0.definition?.name }), store) {
      try await runOnce(readings)
    }
  }

  private func runOnce(_ readings: [PipelineReading]) async throws -> RunReport {
    let journal = RunJournal(passingOnTo: observer)
    try await store.recoverJobs(except: owner)
    let controls = try await people.controls()
    registry.setPaused(Set(controls.filter { $0.value.pause != nil }.keys))
    var parts: [(name: String, context: PipelineContext?, before: Standing)] = []
    for reading in readings {
      guard let definition = reading.definition else {
        journal.observer.found(reading.path, reading.diagnostics)
        fail(reading.path, InputFault(reading.diagnostics), journal)
        parts.append((reading.path, nil, Standing()))
        continue
      }
      do {
        let context = try await compose(definition)
        registry.set(context)
        if source.hasPaths { files.remember(definition.name, at: reading.path) }
        parts.append((context.name, context, try await standing(of: context)))
        if let pause = controls[context.name]?.pause {
          fail(context.name, Self.paused(context.name, pause), journal)
          continue
        }
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
    await notifier { pipeline, text in
      journal.observer.found(pipeline, [Diagnostic(path: pipeline, severity: .warning, message: text)])
    }.turn(registry.definitions)
    await recordHistory(of: parts.compactMap(\.context), journal)
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

  /// Records the commits that came since the last run. A daemon also records older ones.
  private func recordHistory(of contexts: [PipelineContext], _ journal: RunJournal) async {
    for context in contexts {
      do { _ = try await HistoryRecorder(history, scope: .new).turn(context, limit: HistoryService.onceLimit) } catch {
        // The history does not decide about translations, so it does not fail a run.
        journal.observer.found(
          context.name,
          [Diagnostic(path: context.name, severity: .warning, message: "the history is incomplete: \(error)")])
      }
    }
  }

  private func notifier(_ report: @escaping @Sendable (_ pipeline: String, _ text: String) -> Void) -> Notifier {
    Notifier(
      // Requests of the other transport are counted as requests to vendors.
      store: store, notices: notices, transport: HTTPTransport(), credentials: composition.credentials,
      now: time.now, report: report)
  }

  private static func paused(_ pipeline: String, _ pause: PipelinePause) -> PipelineError {
    PipelineError(
      .refused, operation: "run pipeline \(pipeline)",
      detail: "\(pause.by) paused it on \(pause.since.formatted(.iso8601))"
        + (pause.reason.map { " (\($0))" } ?? "") + ". Resume it with `dragoman pipelines resume \(pipeline)`",
      disposition: .askPerson)
  }

  private func fail(_ pipeline: String, _ error: any Error, _ journal: RunJournal) {
    journal.observer.failed(
      StageFailure(pipeline: pipeline, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: false))
  }

  /// Runs until SIGTERM or SIGINT. Then it claims no more jobs, stages can finish within the grace period, and interrupted jobs return to
  /// the queue with their attempt given back. SIGHUP reads the pipeline files again.
  /// - Parameters:
  ///   - takesSignals: `false` if the daemon does not own the process. It is then stopped by cancellation.
  ///   - services: run beside the worker, such as an HTTP server. If one of them fails, the daemon stops with its error.
  package func serve(
    takesSignals: Bool = false, services: @Sendable (RunningDaemon) -> [any Service] = { _ in [] }
  ) async throws {
    raiseOpenFileLimit()
    if let fleet { try await fleet.store.succeed(fleet.worker) }
    try await store.recoverJobs(except: owner)
    let running = RunningStages()
    let historyQueue = HistoryQueue()
    var observer = observer
    observer.progress = { [progress = observer.progress, measurements, events] event in
      running.note(event)
      historyQueue.note(event)
      events.note(event)
      measurements.note(event)
      progress(event)
    }
    let observed = observer
    let supervisor = PipelineSupervisor(
      source: source, files: files, registry: registry, fleet: fleet,
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
          // If the store cannot be written, the next start clears the fault.
          try? await store.setWatchFault(nil, of: name)
        },
        decisions: { [store] in
          Dictionary(
            try await store.pipelines().map { ($0.name, $0.decisions) }, uniquingKeysWith: { first, _ in first })
        }, controls: { [people] in try await people.controls() }, event: { log?.note($0) },
        checked: { [measurements, manager, registry] in
          if !measurements.hasStarted { manager?.note(.ready(pipelines: registry.names.count)) }
          measurements.noteCheck()
        }), time: time)
    var configuration = ServiceGroupConfiguration(
      services: [
        WorkerService(worker: worker(observed), signal: registry.signal), SupervisorService(supervisor: supervisor),
        PulseService(
          pulse: Pulse(measurements: measurements, signal: registry.signal, manager: manager), time: time),
        NotifierService(notifier: notifier { log?.note($0, $1) }, registry: registry, time: time),
        HistoryService(
          recorder: HistoryRecorder(history, mayContinue: { !running.isReading }), queue: historyQueue,
          registry: registry, time: time, report: { log?.note($0, $1) }),
      ]
        + services(
          RunningDaemon(
            store: store, people: people, history: history, events: events, registry: registry,
            credentials: composition.credentials,
            folder: location.folder,
            measurements: measurements, now: time.now)), logger: logger)
    configuration.maximumGracefulShutdownDuration = settings.shutdownGrace
    let group = ServiceGroup(configuration: configuration)
    let signals =
      takesSignals
      ? SignalWatch(
        grace: settings.shutdownGrace,
        actions: SignalWatch.Actions(
          stop: { [manager] in
            manager?.note(.stopping)
            Task { await group.triggerGracefulShutdown() }
          },
          hangUp: { [manager, registry] in
            manager?.note(.reloading)
            Task {
              await supervisor.reload()
              manager?.note(.ready(pipelines: registry.names.count))
            }
          }, running: { running.description })) : nil
    defer { signals?.end() }
    // It outlives the services: the pipelines stay with this worker until its running stages have ended.
    let membership = fleet.map { fleet in
      Task { [store, registry] in
        await fleet.run(store, jobs: { registry.signal.ring() }, pipelines: { await supervisor.update(passed: .zero) })
      }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await group.run()) } catch { result = .failure(error) }
    membership?.cancel()
    await membership?.value
    try result.get()
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
    // Findings of earlier runs stay valid until the stage runs again. For a job that failed or waits for a retry, the failure already
    // reports the problem.
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
