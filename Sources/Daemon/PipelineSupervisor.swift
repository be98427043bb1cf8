import FoundationEssentials
package import Localization
package import Pipeline

/// What became of a pipeline file or a pipeline while the daemon runs.
package enum SupervisorEvent: Sendable {
  /// A file that cannot be used. `keeps`: the pipeline whose earlier definition stays in force.
  case faults(path: String, [Diagnostic], keeps: String?)
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
    package var event: @Sendable (SupervisorEvent) -> Void

    package init(
      compose: @escaping @Sendable (PipelineDefinition) async throws -> PipelineContext,
      watch: @escaping @Sendable (PipelineContext) async -> Void, failed: @escaping @Sendable (StageFailure) -> Void,
      event: @escaping @Sendable (SupervisorEvent) -> Void
    ) {
      self.compose = compose
      self.watch = watch
      self.failed = failed
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
  private let registry: PipelineRegistry
  private let actions: Actions
  private let time: TimeSource
  private let interval: Duration
  private let policy = RetryPolicy()
  private let disk = BlockingPool("pipeline files", width: 1)
  private var members: [String: Member] = [:]
  private var stamps: [String: PipelineSource.Stamp]?
  private var told: [String: [Diagnostic]] = [:]
  private var isBusy = false
  private var mustRepeat = false

  /// - Parameter interval: how often the files are looked at.
  package init(
    source: PipelineSource, registry: PipelineRegistry, actions: Actions, time: TimeSource,
    interval: Duration = .seconds(2)
  ) {
    self.source = source
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
    } while mustRepeat
    isBusy = false
  }

  private func readFiles() async {
    let source = source
    let folder = if case .folder(let path) = source { path } else { "" }
    do {
      let stamps = try await disk.run { try source.stamps() }
      guard stamps != self.stamps else { return mend(folder) }
      let first = Set(members.values.filter { $0.inForce != nil }.map(\.path))
      let readings = try await disk.run { try source.readings(first: first) }
      // Read after the stamps were taken: what changes in between is seen at the next look.
      self.stamps = stamps
      mend(folder)
      take(readings)
    } catch let fault as InputFault {
      tell(folder, fault.diagnostics, keeps: nil)
    } catch {
      tell(folder, [Diagnostic(path: folder, severity: .error, message: "\(error)")], keeps: nil)
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
        tell(reading.path, reading.diagnostics, keeps: own.first { members[$0]?.inForce != nil })
        continue
      }
      if let other = members[definition.name], other.path != reading.path, paths.contains(other.path),
        readings.contains(where: { $0.path == other.path && $0.definition == nil })
      {
        let message = "the name \(definition.name) is that of the pipeline in \(other.path), which is still in force"
        tell(
          reading.path,
          [Diagnostic(path: reading.path, severity: .error, message: message, hint: "give each pipeline its own")],
          keeps: nil)
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
      guard var member = members[name], member.inForce != member.definition else { continue }
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

  /// Once, until something else is wrong.
  private func tell(_ path: String, _ diagnostics: [Diagnostic], keeps: String?) {
    guard told[path] != diagnostics else { return }
    told[path] = diagnostics
    actions.event(.faults(path: path, diagnostics, keeps: keeps))
  }

  private func mend(_ path: String) {
    if told.removeValue(forKey: path) != nil { actions.event(.mended(path: path)) }
  }
}
