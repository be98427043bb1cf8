import CatalogFormats
import FoundationEssentials
import GitSource
import HTTPTransport
package import Logging
package import Pipeline
import ProjectLayout
import SQLiteStore
import ServiceLifecycle
import StringExtraction
import UnixSignals

/// Pipelines put together and running: definition → mirror, layout, extractor, formats, vendors, store.
package struct PipelineRuntime: Sendable {
  private let context: [PipelineContext]
  private let store: any Store
  private let settings: Settings
  private let journal: RunJournal
  private let time: TimeSource
  private let logger: Logger

  /// Opens the store, which this process then has to itself, and puts the pipelines together. Nothing is fetched yet.
  /// - Parameters:
  ///   - isOnce: `run --once`: rounds go out at once, and bundles that are about to settle are waited for.
  ///   - decorate: puts something between the pipelines and their store, as tests do.
  ///   - observer: told about stages as they begin and end, failures and findings; called from several tasks.
  /// - Throws: `StoreError`; for a definition that cannot be put together `PipelineError`, `GitError`, or the vendor's own.
  package init(
    definitions: [PipelineDefinition], store location: StoreLocation, settings: Settings, environment: [String: String],
    isOnce: Bool, time: TimeSource = .system, decorate: (any Store) -> any Store = { $0 }, observer: WorkerObserver,
    logger: Logger
  ) throws {
    let store = decorate(try SQLiteStore(folder: location.folder))
    let cache = SQLiteCache(folder: location.folder) { logger.warning("\($0)") }
    let composition = Composition(
      location: location, settings: settings, credentials: Credentials(environment: environment), time: time,
      isOnce: isOnce, logger: logger, transport: HTTPTransport())
    context = try definitions.map { try composition.context(of: $0, store: store, cache: cache) }
    self.store = store
    self.settings = settings
    self.time = time
    self.logger = logger
    journal = RunJournal(passingOnTo: observer)
  }

  private var worker: Worker {
    Worker(
      pipelines: context, store: store, owner: "process \(ProcessInfo.processInfo.processIdentifier)",
      width: settings.workers, time: time, policy: RetryPolicy(attempts: settings.attempts), observer: journal.observer,
      logger: logger)
  }

  /// Takes every pipeline as far as it goes now: what a killed process left is taken up, the repositories and vendors are looked at
  /// once, and everything that is due is done. What waits for a vendor stays outstanding.
  /// - Returns: what happened; failures are part of it and not thrown.
  /// - Throws: what keeps the store itself from working, and cancellation.
  package func runOnce() async throws -> RunReport {
    try await store.recoverJobs(now: time.now(), all: true)
    var before: [String: Standing] = [:]
    for part in context {
      before[part.name] = try await standing(of: part)
      do {
        _ = try await Watcher(context: part, observer: journal.observer).look(isThorough: true)
      } catch is CancellationError {
        throw CancellationError()
      } catch let error as StoreError {
        throw error
      } catch {
        journal.observer.failed(
          StageFailure(
            pipeline: part.name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: false))
      }
      try await store.wake(part.name, now: time.now())
    }
    try await worker.drain()
    var reports: [PipelineReport] = []
    for part in context { reports.append(try await report(part, since: before[part.name] ?? Standing())) }
    return RunReport(pipelines: reports)
  }

  /// Runs until SIGTERM or SIGINT: then nothing more is claimed, stages may finish within the grace period, and what is interrupted goes
  /// back into the queue with its attempt given back.
  package func serve() async throws {
    try await store.recoverJobs(now: time.now(), all: true)
    var services: [any Service] = [WorkerService(worker: worker)]
    services += context.map { WatcherService(watcher: Watcher(context: $0, observer: journal.observer)) }
    var configuration = ServiceGroupConfiguration(
      services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = settings.shutdownGrace
    try await ServiceGroup(configuration: configuration).run()
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

  private func report(_ part: PipelineContext, since before: Standing) async throws -> PipelineReport {
    var report = PipelineReport(name: part.name)
    report.rounds = try await store.rounds(of: part.name).filter { round in
      before.rounds[round.id] != round || round.books.contains { $0.outstanding > 0 }
    }
    for delivery in try await delivered(part) where !before.delivered.contains(delivery.id) {
      report.commits += try await commits(of: delivery, part)
    }
    report.held = try await store.heldUnits(of: part.name)
    report.diagnostics = journal.diagnostics(of: part.name)
    report.failures = journal.failures(of: part.name)
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
  func run() async throws { try await worker.serve(isStopping: { Task.isShuttingDownGracefully }) }
}

private struct WatcherService: Service {
  let watcher: Watcher
  func run() async throws {
    // Waiting for the next look is nothing that has to be finished.
    try await cancelWhenGracefulShutdown {
      do { try await watcher.serve(isStopping: { Task.isShuttingDownGracefully }) } catch is CancellationError {}
    }
  }
}
