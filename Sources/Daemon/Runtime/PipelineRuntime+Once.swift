import LedgerStore
import Localization
import Pipeline

/// The operation of `dragoman run --once`, and of the first round of `dragoman demo`.
extension PipelineRuntime {
  /// Processes the work of every pipeline that can be done now. The run recovers the jobs of a killed process, polls the repositories and vendors
  /// once, and runs all due jobs. Units that a vendor has not yet returned stay outstanding.
  ///
  /// After a signal to stop, no more work begins, and polls are cancelled. Running stages can finish within the grace period. The jobs of interrupted
  /// stages return to the queue.
  /// - Parameter takesSignals: whether SIGTERM and SIGINT stop the run.
  /// - Returns: the results. Failures of pipelines are part of the results and are not thrown.
  /// - Throws: `StoreError` if the store cannot be used, `InputFault` if the folder of pipeline files cannot be listed, `PipelineError` if the
  ///   database has other workers or its pipelines are not free, `CancellationError`, and `RunInterruption` if a signal stopped the run.
  package func runOnce(takesSignals: Bool = false) async throws -> RunReport {
    let stop = StopRequest()
    let running = RunningStages()
    var observer = observer
    observer.progress = { [progress = observer.progress] event in
      running.note(event)
      progress(event)
    }
    observer.planning = { running.notePlanning(of: $0, $1) }
    let journal = RunJournal(passingOnTo: observer)
    let signals =
      takesSignals
      ? SignalWatch(
        SignalWatch.stopping, grace: settings.shutdownGrace,
        actions: SignalWatch.Actions(
          stop: { stop.request($0) }, hangUp: {}, running: { running.description })) : nil
    defer { signals?.end() }
    do {
      return try await stop.run(cancellingAfter: settings.shutdownGrace) { try await runOnce(until: stop, journal) }
    } catch let interruption as RunInterruption {
      await shared?.finish()
      throw interruption
    }
  }

  private func runOnce(until stop: StopRequest, _ journal: RunJournal) async throws -> RunReport {
    let readings = try source.readings(first: files.known(among: source.paths()))
    guard let fleet else { return try await runOnce(readings, until: stop, journal) }
    return try await fleet.alone(with: Set(readings.compactMap { $0.definition?.name }), store) {
      try await runOnce(readings, until: stop, journal)
    }
  }

  private func runOnce(
    _ readings: [PipelineReading], until stop: StopRequest, _ journal: RunJournal
  ) async throws -> RunReport {
    try await store.recoverJobs(except: owner)
    registry.setPaused(Set(try await people.controls(of: nil).filter { $0.value.pause != nil }.keys))
    if dryRun == nil, source.hasPaths, fleet == nil {
      let defined = readings.definedPipelines
      for name in files.removed() where !defined.contains(name) {
        _ = try await endProblems(of: name)
        files.forget(name)
      }
    }
    var parts: [(name: String, context: PipelineContext?, before: Standing)] = []
    var composed: [String: String] = [:]
    for reading in readings {
      try stop.check()
      guard let definition = reading.definition else {
        journal.observer.found(reading.path, reading.diagnostics)
        fail(reading.path, Self.fault(of: reading), journal)
        parts.append((reading.path, nil, Standing()))
        continue
      }
      do {
        let context = try await compose(definition, journal.observer)
        registry.set(context)
        composed[context.name] = reading.path
        parts.append((context.name, context, try await standing(of: context)))
        if let pause = try await people.controls(of: context.name)[context.name]?.pause {
          // A renamed pipeline has just taken over the pause of its former name.
          registry.pause(context.name)
          fail(context.name, Self.paused(context.name, pause), journal)
          continue
        }
        let known = dryRun == nil ? [] : try await store.heads(of: context.name)
        _ = try await stop.run(cancellingAfter: .zero) {
          try await Watcher(context: context, observer: journal.observer).look(isThorough: true)
        }
        dryRun?.note(try await store.heads(of: context.name), before: known, of: context.name)
      } catch let error where error is CancellationError || error is RunInterruption || error is StoreError {
        throw error
      } catch {
        fail(definition.name, error, journal)
        if registry[definition.name] == nil { parts.append((definition.name, nil, Standing())) }
      }
      if registry[definition.name] != nil { try await store.wake(definition.name, stage: nil, scope: nil) }
    }
    if source.hasPaths { files.remember(composed) }
    try await drain(recordingHistoryOf: parts.compactMap(\.context), until: stop, journal)
    try stop.check()
    if dryRun == nil {
      await notifier { pipeline, text in
        journal.observer.found(pipeline, [Diagnostic(path: pipeline, severity: .warning, message: text)])
      }.turn(registry.definitions)
    }
    await recordHistory(of: parts.compactMap(\.context), until: stop, journal)
    try stop.check()
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
    await shared?.finish()
    return RunReport(pipelines: reports)
  }

  /// Runs all due jobs. The history of a branch is recorded concurrently, as soon as its new commit is read.
  private func drain(
    recordingHistoryOf contexts: [PipelineContext], until stop: StopRequest, _ journal: RunJournal
  ) async throws {
    let (extracted, continuation) = AsyncStream.makeStream(of: (pipeline: String, branch: String).self)
    var observer = journal.observer
    observer.progress = { [passOn = observer.progress] event in
      passOn(event)
      guard event.stage == .extract, event.state == .ended, let branch = event.branch else { return }
      continuation.yield((event.pipeline, branch))
    }
    async let history: Void = {
      for await (pipeline, branch) in extracted {
        await recordHistory(of: contexts.filter { $0.name == pipeline }, branch: branch, until: stop, journal)
      }
    }()
    let worker = worker(observer)
    try await worker.drain(isStopping: { stop.isRequested })
    continuation.finish()
    await history
    // While the history of a pipeline was written, PostgreSQL may have skipped jobs of this pipeline, so the queue is processed again.
    try await worker.drain(isStopping: { stop.isRequested })
  }

  /// The maximum number of commits of a pipeline that are recorded at a time: for a branch whose new commit was read, and at the end of the run.
  private static let historyLimit = 100

  /// Records the commits that are new since the last run. Only a daemon also records older commits.
  /// - Parameter branch: the branch to record; `nil` for all branches.
  private func recordHistory(
    of contexts: [PipelineContext], branch: String? = nil, until stop: StopRequest, _ journal: RunJournal
  ) async {
    let recorder = HistoryRecorder(history, scope: .new, mayContinue: { !stop.isRequested })
    for context in contexts {
      do { _ = try await recorder.turn(context, branch: branch, limit: Self.historyLimit) } catch {
        // Translations do not depend on the history, so an error in recording it does not fail the run.
        journal.observer.found(
          context.name,
          [Diagnostic(path: context.name, severity: .warning, message: "the history is incomplete: \(error)")])
      }
    }
  }

  private static func fault(of reading: PipelineReading) -> any Error {
    guard reading.isMissing else { return InputFault(reading.diagnostics) }
    return PipelineError(
      .notFound, operation: "read \(reading.path)", detail: "no such file", disposition: .permanent,
      diagnostics: reading.diagnostics)
  }

  private func fail(_ pipeline: String, _ error: any Error, _ journal: RunJournal) {
    journal.observer.failed(
      StageFailure(pipeline: pipeline, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: false))
  }
}
