import LedgerStore
import Localization
import Pipeline

/// `dragoman run --once`.
extension PipelineRuntime {
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
    let controls = try await people.controls(of: nil)
    registry.setPaused(Set(controls.filter { $0.value.pause != nil }.keys))
    var parts: [(name: String, context: PipelineContext?, before: Standing)] = []
    var composed: [String: String] = [:]
    for reading in readings {
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
        if let pause = controls[context.name]?.pause {
          fail(context.name, Self.paused(context.name, pause), journal)
          continue
        }
        let known = dryRun == nil ? [] : try await store.heads(of: context.name)
        _ = try await Watcher(context: context, observer: journal.observer).look(isThorough: true)
        dryRun?.note(try await store.heads(of: context.name), before: known, of: context.name)
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
    if source.hasPaths { files.remember(composed) }
    try await drain(recordingHistoryOf: parts.compactMap(\.context), journal)
    if dryRun == nil {
      await notifier { pipeline, text in
        journal.observer.found(pipeline, [Diagnostic(path: pipeline, severity: .warning, message: text)])
      }.turn(registry.definitions)
    }
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
    await shared?.finish()
    return RunReport(pipelines: reports)
  }

  /// Runs all jobs that are due. The history of a branch is recorded at the same time, as soon as its new commit is read.
  private func drain(recordingHistoryOf contexts: [PipelineContext], _ journal: RunJournal) async throws {
    let (extracted, continuation) = AsyncStream.makeStream(of: (pipeline: String, branch: String).self)
    var observer = journal.observer
    observer.progress = { [passOn = observer.progress] event in
      passOn(event)
      guard event.stage == .extract, event.state == .ended, let branch = event.branch else { return }
      continuation.yield((event.pipeline, branch))
    }
    async let history: Void = {
      for await (pipeline, branch) in extracted {
        await recordHistory(of: contexts.filter { $0.name == pipeline }, branch: branch, journal)
      }
    }()
    let worker = worker(observer)
    try await worker.drain()
    continuation.finish()
    await history
    // PostgreSQL passes over jobs of a pipeline while its history is written.
    try await worker.drain()
  }

  /// Records the commits that came since the last run. A daemon also records older ones.
  /// - Parameter branch: `nil` for all branches.
  private func recordHistory(
    of contexts: [PipelineContext], branch: String? = nil, _ journal: RunJournal
  ) async {
    let recorder = HistoryRecorder(history, scope: .new)
    for context in contexts {
      do { _ = try await recorder.turn(context, branch: branch, limit: HistoryService.onceLimit) } catch {
        // The history does not decide about translations, so it does not fail a run.
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
