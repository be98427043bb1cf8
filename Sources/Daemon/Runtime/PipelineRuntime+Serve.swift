import FoundationEssentials
import GitSource
import Logging
import Pipeline
package import ServiceLifecycle

/// The operation of `dragoman serve` and `dragoman worker`, and of `dragoman run` and `dragoman demo` without `--once`.
extension PipelineRuntime {
  /// Runs the daemon until SIGTERM or SIGINT. Then no more jobs are claimed, and running stages can finish within the grace period. Interrupted jobs
  /// return to the queue, and the attempt is not counted. SIGHUP makes the daemon read the pipeline files again.
  /// - Parameters:
  ///   - takesSignals: whether the daemon handles the signals of the process. If not, the daemon is stopped by cancelling the task.
  ///   - listening: a gate that one of the services opens. The daemon reads, changes and sends nothing before the gate is open.
  ///   - services: returns services that run in addition to the worker, such as an HTTP server. If a service fails, the daemon stops with the
  ///     service's error.
  package func serve(
    takesSignals: Bool = false, after listening: StartGate = StartGate(isOpen: true),
    services: @Sendable (RunningDaemon) -> [any Service] = { _ in [] }
  ) async throws {
    raiseOpenFileLimit()
    let running = RunningStages()
    let stop = StopRequest()
    let historyQueue = HistoryQueue()
    var observer = observer
    observer.progress = { [progress = observer.progress, measurements, events] event in
      running.note(event)
      historyQueue.note(event)
      events.note(event)
      measurements.note(event)
      progress(event)
    }
    observer.planning = { running.notePlanning(of: $0, $1) }
    let observed = observer
    let notifier = notifier { log?.note($0, $1) }
    let supervisor = PipelineSupervisor(
      source: source, files: files, registry: registry, fleet: fleet,
      actions: PipelineSupervisor.Actions(
        compose: { try await compose($0, observed) },
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
          // If the store cannot be written now, the fault is cleared at the next start.
          try? await store.setWatchFault(nil, of: name)
        },
        decisions: { [store] in
          Dictionary(
            try await store.pipelines().map { ($0.name, $0.decisions) }, uniquingKeysWith: { first, _ in first })
        }, controls: { [people] in try await people.controls(of: nil) }, event: { log?.note($0) },
        faults: { [faults] in faults.set($0) },
        endProblems: { name, definition in
          if let definition { await notifier.remove(definition) }
          return try await endProblems(of: name, isNotified: definition?.notify.isEmpty == false)
        },
        checked: { [measurements, manager, registry] in
          if !measurements.hasStarted { manager?.note(.ready(pipelines: registry.names.count)) }
          measurements.noteCheck()
        }), time: time)
    let gate = StartGate()
    let opening = OpeningService(listening: listening, gate: gate) { [fleet, store, owner] in
      if let fleet { try await fleet.store.succeed(fleet.worker) }
      try await store.recoverJobs(except: owner)
    }
    let own: [any Service] = [
      WorkerService(worker: worker(observed), signal: registry.signal), SupervisorService(supervisor: supervisor),
      PulseService(
        pulse: Pulse(measurements: measurements, signal: registry.signal, manager: manager), time: time),
      NotifierService(notifier: notifier, registry: registry, time: time),
      MemoryService(time: time),
      HistoryService(
        turns: HistoryTurns(
          recorder: HistoryRecorder(history, mayContinue: { !running.isReading }), queue: historyQueue,
          registry: registry, time: time, report: { log?.note($0, $1) })),
    ]
    var configuration = ServiceGroupConfiguration(
      services: [opening] + own.map { GatedService(gate: gate, service: $0) }
        + services(
          RunningDaemon(
            store: store, people: people, history: history, events: events, registry: registry,
            credentials: composition.credentials,
            folder: location.folder,
            measurements: measurements, faults: faults, fleet: fleet?.store, sharedFacts: shared, log: log,
            now: time.now)),
      logger: logger)
    configuration.maximumGracefulShutdownDuration = settings.shutdownGrace
    let group = ServiceGroup(configuration: configuration)
    let signals =
      takesSignals
      ? SignalWatch(
        grace: settings.shutdownGrace,
        actions: SignalWatch.Actions(
          stop: { [manager] signal in
            stop.request(signal)
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
    // The membership ends after the services, so this worker holds its pipelines until its running stages have ended.
    let membership = fleet.map { fleet in
      Task { [store, registry] in
        guard (try? await gate.wait()) != nil else { return }
        await fleet.run(
          store, jobs: { registry.signal.ring() }, pipelines: { await supervisor.update(passed: .zero) },
          differences: { log?.note(differingFiles: $0) })
      }
    }
    let result: Result<Void, any Error>
    do { result = .success(try await group.run()) } catch is CancellationError where stop.isRequested {
      // The grace period is over, and the group has cancelled its services. The interrupted jobs are in the queue again.
      result = .success(())
    } catch { result = .failure(error) }
    membership?.cancel()
    await membership?.value
    await shared?.finish()
    try result.get()
  }
}
