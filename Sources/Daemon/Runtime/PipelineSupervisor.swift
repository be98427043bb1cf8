import FoundationEssentials
package import Localization
package import Pipeline

/// What became of a pipeline file or a pipeline while the daemon runs.
package enum SupervisorEvent: Sendable {
  /// A file that cannot be used. `keeps`: the pipeline whose earlier definition stays in force.
  case faults(path: String, [Diagnostic], keeps: String?)
  /// The folder of pipeline files cannot be read; every pipeline stays as it was.
  case folderFaults([Diagnostic])
  /// There is no pipeline file.
  case empty(folder: String)
  case mended(path: String)
  case started(String)
  case changed(String)
  case stopped(String)
}

/// Keeps the running pipelines in step with their files: a new file's pipeline starts, a removed one's stops, a changed one's new
/// definition takes effect. What cannot be used leaves the old state in force, is reported once, and is tried again.
package actor PipelineSupervisor {
  /// What it needs of the rest of the daemon.
  package struct Actions: Sendable {
    /// Puts a pipeline together.
    package var compose: @Sendable (PipelineDefinition) async throws -> PipelineContext
    /// Watches a pipeline until it is cancelled.
    package var watch: @Sendable (PipelineContext) async -> Void
    package var failed: @Sendable (StageFailure) -> Void
    /// A pipeline is in force as its file says, though nothing had to be put together for that.
    package var recovered: @Sendable (String) async -> Void
    /// How often people decided about rounds, by pipeline.
    package var decisions: @Sendable () async throws -> [String: Int64]
    package var event: @Sendable (SupervisorEvent) -> Void

    package init(
      compose: @escaping @Sendable (PipelineDefinition) async throws -> PipelineContext,
      watch: @escaping @Sendable (PipelineContext) async -> Void, failed: @escaping @Sendable (StageFailure) -> Void,
      recovered: @escaping @Sendable (String) async -> Void = { _ in },
      decisions: @escaping @Sendable () async throws -> [String: Int64] = { [:] },
      event: @escaping @Sendable (SupervisorEvent) -> Void
    ) {
      self.compose = compose
      self.watch = watch
      self.failed = failed
      self.recovered = recovered
      self.decisions = decisions
      self.event = event
    }
  }

  private struct Member {
    var path: String
    /// What the file says.
    var definition: PipelineDefinition
    /// What is in force; `nil` where the pipeline could not be put together yet.
    var inForce: PipelineDefinition?
    var watcher: Task<Void, Never>?
    var failures = 0
    /// Until the next attempt to put it together.
    var wait = Duration.zero
  }

  private let source: PipelineSource
  private let files: PipelineFiles?
  private let registry: PipelineRegistry
  private let actions: Actions
  private let time: TimeSource
  private let interval: Duration
  private let policy = RetryPolicy()
  private let disk = BlockingPool("pipeline files", width: 1)
  private var members: [String: Member] = [:]
  private var stamps: [String: PipelineSource.Stamp]?
  private var told: [String: [Diagnostic]] = [:]
  private var decisions: [String: Int64]?
  private var isEmptyTold = false
  private var isBusy = false
  private var mustRepeat = false

  /// - Parameters:
  ///   - files: from which file each pipeline was read when the process last ran.
  ///   - interval: how often the files are looked at.
  package init(
    source: PipelineSource, files: PipelineFiles? = nil, registry: PipelineRegistry, actions: Actions, time: TimeSource,
    interval: Duration = .seconds(2)
  ) {
    self.source = source
    self.files = files
    self.registry = registry
    self.actions = actions
    self.time = time
    self.interval = interval
  }

  /// Runs until it is cancelled; then every watcher has ended.
  package func run() async throws {
    await update(passed: .zero)
    do {
      while true {
        try await time.sleep(interval)
        await update(passed: interval)
      }
    } catch {
      let watchers = members.values.compactMap(\.watcher)
      for watcher in watchers { watcher.cancel() }
      for watcher in watchers { await watcher.value }
      throw error
    }
  }

  /// Looks at all files now, also those that do not look changed, and tries again what could not be put together.
  package func reload() async {
    stamps = nil
    for name in members.keys { members[name]?.wait = .zero }
    await update(passed: .zero)
  }

  /// One look at the files.
  func update(passed: Duration) async {
    guard !isBusy else {
      mustRepeat = true
      return
    }
    isBusy = true
    repeat {
      mustRepeat = false
      await readFiles()
      await putTogether(passed: passed)
      await takeUpDecisions()
    } while mustRepeat
    isBusy = false
  }

  private func readFiles() async {
    let source = source
    let folder = if case .folder(let path) = source { path } else { "" }
    do {
      let stamps = try await disk.run { try source.stamps() }
      guard stamps != self.stamps else { return mend(folder) }
      let inForce = Set(members.values.filter { $0.inForce != nil }.map(\.path))
      let (files, isStart) = (files, members.isEmpty)
      let readings = try await disk.run {
        try source.readings(first: isStart ? files?.known(among: source.paths()) ?? [] : inForce)
      }
      // Read after the stamps were taken: what changes in between is seen at the next look.
      self.stamps = stamps
      mend(folder)
      take(readings)
      if readings.isEmpty, !folder.isEmpty, !isEmptyTold { actions.event(.empty(folder: folder)) }
      isEmptyTold = readings.isEmpty
    } catch let fault as InputFault {
      tell(folder, fault.diagnostics, .folder)
    } catch {
      tell(folder, [Diagnostic(path: folder, severity: .error, message: "\(error)")], .folder)
    }
  }

  private func take(_ readings: [PipelineReading]) {
    let paths = Set(readings.map(\.path))
    for path in told.keys where !paths.contains(path) { told[path] = nil }
    var wanted: [String: PipelineReading] = [:]
    var kept: Set<String> = []
    for reading in readings {
      let own = members.filter { $0.value.path == reading.path }.keys.sorted()
      guard let definition = reading.definition else {
        kept.formUnion(own)
        tell(reading.path, reading.diagnostics, .file(keeps: own.first { members[$0]?.inForce != nil }))
        continue
      }
      if let other = members[definition.name], other.path != reading.path, paths.contains(other.path),
        readings.contains(where: { $0.path == other.path && $0.definition == nil })
      {
        let message = "the pipeline in \(other.path) has the name \(definition.name) too, and is still running"
        tell(
          reading.path,
          [Diagnostic(path: reading.path, severity: .error, message: message, hint: "give each pipeline its own name")],
          .file(keeps: nil))
        continue
      }
      mend(reading.path)
      wanted[definition.name] = reading
    }
    // First what ends, so that a pipeline that was renamed is not running under both names.
    for name in members.keys.sorted() where wanted[name] == nil && !kept.contains(name) {
      members[name]?.watcher?.cancel()
      registry.remove(name)
      members[name] = nil
      actions.event(.stopped(name))
    }
    for (name, reading) in wanted {
      guard let definition = reading.definition else { continue }
      var member = members[name] ?? Member(path: reading.path, definition: definition)
      member.path = reading.path
      if member.definition != definition { member.wait = .zero }
      member.definition = definition
      members[name] = member
    }
  }

  /// Puts together what is not in force as its file says.
  private func putTogether(passed: Duration) async {
    for name in members.keys.sorted() {
      guard var member = members[name] else { continue }
      guard member.inForce != member.definition else {
        // A definition that could not be put together was taken back.
        if member.failures > 0 { await actions.recovered(name) }
        members[name]?.failures = 0
        continue
      }
      member.wait -= min(passed, member.wait)
      members[name] = member
      guard member.wait <= .zero else { continue }
      do {
        let context = try await actions.compose(member.definition)
        // Not waited for: a look that hangs must not keep the other pipelines waiting.
        member.watcher?.cancel()
        let isNew = member.inForce == nil
        registry.set(context)
        member.inForce = member.definition
        member.failures = 0
        member.watcher = Task { [watch = actions.watch] in await watch(context) }
        members[name] = member
        if let files { try await disk.run { [path = member.path] in files.remember(name, at: path) } }
        actions.event(isNew ? .started(name) : .changed(name))
      } catch is CancellationError {
        return
      } catch {
        member.failures += 1
        member.wait = policy.delay(after: member.failures)
        members[name] = member
        actions.failed(
          StageFailure(pipeline: name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
      }
    }
  }

  /// What people decide about rounds comes from other processes: plans anew where they did.
  private func takeUpDecisions() async {
    // Where the store cannot be read now, the worker says so.
    guard var now = try? await actions.decisions() else { return }
    if let before = decisions {
      for (name, count) in now where before[name, default: 0] != count {
        guard let context = registry[name] else { continue }
        // Where it cannot be planned now, the next look tries again.
        do { try await context.reconciler.reconcile(context) } catch { now[name] = before[name, default: 0] }
      }
    }
    decisions = now
  }

  /// Once, until something else is wrong.
  private func tell(_ path: String, _ diagnostics: [Diagnostic], _ place: FaultPlace) {
    guard told[path] != diagnostics else { return }
    told[path] = diagnostics
    switch place {
    case .file(let keeps): actions.event(.faults(path: path, diagnostics, keeps: keeps))
    case .folder: actions.event(.folderFaults(diagnostics))
    }
  }

  private enum FaultPlace {
    case file(keeps: String?)
    case folder
  }

  private func mend(_ path: String) {
    if told.removeValue(forKey: path) != nil { actions.event(.mended(path: path)) }
  }
}
