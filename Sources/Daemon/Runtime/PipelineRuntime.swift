import CatalogFormats
import FoundationEssentials
import GitSource
import HTTPTransport
import LedgerStore
import Localization
package import Logging
package import Pipeline
import PostgreSQLStore
import ProjectLayout
import SQLiteStore
import StringExtraction

/// The environment in which pipelines run, once or in a daemon. It composes each pipeline from its definition, with a mirror, a layout, an extractor,
/// formats, vendors and the store.
///
/// A pipeline that cannot be composed is reported. The other pipelines run regardless.
package struct PipelineRuntime: Sendable {
  let source: PipelineSource
  let composition: Composition
  let registry = PipelineRegistry()
  let files: PipelineFiles
  let faults: FileFaults
  let store: any Store
  let notices: any NoticeStore
  let history: any CommitHistoryStore
  let people: any PeopleStore
  let events = ProgressFeed()
  let cache: any Cache
  /// The cache with the facts that workers share; `nil` if facts are not shared.
  let shared: SharedCache?
  let settings: Settings
  let observer: WorkerObserver
  let log: ServiceLog?
  let measurements: RunMeasurements
  let location: StoreLocation
  let manager: ServiceManager?
  let time: TimeSource
  let logger: Logger
  /// The membership in a fleet; `nil` unless several workers can share the ledger.
  let fleet: FleetMembership?
  let folder: StoreFolder?
  /// The ledger that this runtime created; `nil` if a ledger already existed, and in a dry run.
  package let newLedger: NewLedger?
  /// The dry run; `nil` if this run may make changes.
  let dryRun: DryRun?
  /// The owner of this runtime's leases. The value is unique to this process and its start.
  let owner: String

  /// Opens the store: a SQLite ledger with exclusive access, or a PostgreSQL database as one of several workers. No repository is read or
  /// fetched yet.
  /// - Parameters:
  ///   - isOnce: whether this is `run --once`. If so, rounds are sent immediately, and the run waits briefly for bundles that are still being
  ///     written.
  ///   - isDry: whether this is `run --once --dry-run`, which only renews tokens and otherwise changes nothing outside a copy of the store.
  ///   - decorate: wraps the store. Tests use this.
  ///   - observer: receives the start and end of stages, failures and findings. It is called from several tasks.
  ///   - log: receives the changes of pipelines and their files while a daemon runs.
  /// - Throws: `StoreError` or `PipelineError` if the store cannot be used or copied, and `InputFault` if a dry run cannot list the pipeline files.
  package init(
    source: PipelineSource, store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, isDry: Bool = false, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 },
    observer: WorkerObserver, log: ServiceLog? = nil, logger: Logger
  ) throws {
    var location = location
    if isDry {
      let repositories = try source.readings().compactMap { $0.definition?.repository.url }
      let dryRun = DryRun(folder: try DryRunFolder(of: location, repositories: repositories))
      self.dryRun = dryRun
      location = dryRun.folder.location
    } else {
      dryRun = nil
    }
    let credentials = Credentials(environment: environment)
    let new = isDry ? nil : NewLedger(in: location.folder)
    let opened = try OpenLedger.working(location, credentials, clock: time.now)
    if let database = opened.ledger as? PostgreSQLStore {
      newLedger = database.isNew ? new?.inDatabase("\(database.address)") : nil
    } else {
      newLedger = new
    }
    store = decorate(opened.ledger)
    notices = opened.ledger
    history = opened.ledger
    people = opened.ledger
    folder = opened.folder
    let own = try Installation.identity(in: location.folder)
    let owner = UUID().uuidString
    self.owner = owner
    let faults = FileFaults(folder: location.folder, now: time.now)
    self.faults = faults
    fleet = opened.fleet.map {
      FleetMembership(
        store: $0,
        worker: FleetWorker(id: owner, name: FleetMembership.name(of: location.folder, installation: own)),
        lease: settings.workerLease, time: time, faults: faults)
    }
    files = PipelineFiles(folder: location.folder)
    let cache = SQLiteCache(folder: location.folder) { logger.warning("\($0)") }
    shared = try (opened.ledger as? PostgreSQLStore).flatMap {
      try SharedFactsComposition.cache(cache, of: $0, settings, credentials, logger: logger)
    }
    self.cache = shared ?? cache
    let measurements = RunMeasurements()
    self.measurements = measurements
    self.location = location
    manager = ServiceManager(environment: environment)
    composition = Composition(
      location: location, settings: settings, credentials: credentials, time: time,
      isOnce: isOnce, logger: logger,
      transport: HTTPTransport(isReadOnly: isDry, observe: { measurements.noteRequest(to: $0, status: $1) }),
      installation: try opened.fleet?.installation(orElse: own) ?? own, memory: SnapshotMemory(now: time.now),
      readers: BlockingPool("commit readers", width: settings.readers), registry: registry,
      // The limit is large enough for the snapshots of the two commits that are compared.
      background: (
        SnapshotMemory(limit: 200_000, idle: .seconds(60), now: time.now),
        BlockingPool("background reader", width: 1, isBackground: true)
      ), dryRun: dryRun)
    self.source = source
    self.settings = settings
    self.time = time
    self.observer = observer
    self.log = log
    self.logger = logger
  }

  /// Creates a runtime for definitions that do not come from files.
  package init(
    definitions: [PipelineDefinition], store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 }, observer: WorkerObserver,
    log: ServiceLog? = nil, logger: Logger
  ) throws {
    try self.init(
      source: .definitions(definitions), store: location, settings: settings, environment: environment, isOnce: isOnce,
      time: time, decorate: decorate, observer: observer, log: log, logger: logger)
  }

  func worker(_ observer: WorkerObserver) -> Worker {
    // There is one thread for each concurrent job, so a job that hangs on a disk does not block the others.
    let threads = BlockingPool("stages", width: Worker.kinds * settings.workers)
    return Worker(
      pipelines: registry, store: store, owner: owner, width: settings.workers,
      executor: PooledTaskExecutor(threads), time: time,
      policy: RetryPolicy(attempts: settings.attempts), observer: observer,
      turned: { [measurements] in measurements.noteTurn() }, logger: logger)
  }

  /// Creates the context of a pipeline, and moves ledger data from former names of the pipeline and its vendors to the current names. An error is
  /// recorded in the ledger as a fault of the pipeline, unless the store cannot be used or another pipeline has taken over the name.
  /// - Parameter observer: receives findings about the pipeline's former names.
  func compose(_ definition: PipelineDefinition, _ observer: WorkerObserver) async throws -> PipelineContext {
    // If another pipeline took over the name, nothing may be written under it, including this error.
    try await composition.requireOwnNames(definition, store: store)
    do {
      let context = try composition.context(
        of: definition, store: store, history: history, people: people, cache: cache)
      let findings = try await composition.takeOverFormerNames(context, store: store)
      if !findings.isEmpty { observer.found(context.name, findings) }
      // A pause that was requested under a former name also applies to the new name.
      if !definition.formerly.isEmpty, try await people.controls(of: context.name)[context.name]?.pause != nil {
        registry.pause(context.name)
      }
      // When a pipeline gets its first receiver, notices are recorded from now on. Without receivers, no notices are recorded.
      if definition.notify.isEmpty {
        try await notices.endNotices(of: definition.name)
      } else {
        _ = try await notices.noticeBook(of: definition.name)
      }
      return context
    } catch let error where !(error is CancellationError || error is StoreError) {
      // The first successful check of the repository clears the fault.
      try await store.setWatchFault(String(describing: error), of: definition.name)
      throw error
    }
  }

  /// Ends the problems of a pipeline whose file was removed. Its rounds, returned units and deliveries stay in the ledger. Its jobs are removed, and
  /// are planned again if the file is restored.
  /// - Parameter isNotified: whether the notifier ends the pipeline's notices and notifies the receivers. Otherwise this function ends the notices.
  /// - Returns: `true` if no problem was left. If the result is `false`, call this function again, because a stage that is still running can fail.
  func endProblems(of pipeline: String, isNotified: Bool = false) async throws -> Bool {
    guard let record = try await people.record(of: pipeline) else { return true }
    if !isNotified { try await notices.endNotices(of: pipeline) }
    guard try await !store.jobs(of: pipeline).isEmpty || record.watchFault != nil else { return true }
    try await store.dropJobs(of: pipeline)
    return false
  }

  func notifier(_ report: @escaping @Sendable (_ pipeline: String, _ text: String) -> Void) -> Notifier {
    Notifier(
      // The notifier has its own transport, because requests of the shared transport are counted as requests to vendors and forges.
      store: store, notices: notices, transport: HTTPTransport(), credentials: composition.credentials,
      now: time.now, report: report)
  }

  static func paused(_ pipeline: String, _ pause: PipelinePause) -> PipelineError {
    PipelineError(
      .refused, operation: "run pipeline \(pipeline)",
      detail: "\(pause.by) paused it on \(pause.since.formatted(.iso8601))"
        + (pause.reason.map { " (\($0))" } ?? "") + ". Resume it with `dragoman pipelines resume \(pipeline)`",
      disposition: .askPerson)
  }
}
