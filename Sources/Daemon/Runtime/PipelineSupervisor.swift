import FoundationEssentials
import Localization
package import Pipeline

/// An actor that updates the running pipelines when their files change. It starts pipelines with new files, stops pipelines with removed files, and
/// applies changed definitions. If a file cannot be used, its pipeline is left unchanged, and the fault is reported once. The file is read again when
/// it changes. The actor also applies the pauses, requests and decisions that other processes record in the ledger.
package actor PipelineSupervisor {
  /// The functions of the daemon that the supervisor calls.
  package struct Actions: Sendable {
    /// Composes the context of a pipeline.
    package var compose: @Sendable (PipelineDefinition) async throws -> PipelineContext
    /// Watches a pipeline until the task is cancelled.
    package var watch: @Sendable (PipelineContext) async -> Void
    package var failed: @Sendable (StageFailure) -> Void
    /// Called with the name of a pipeline whose file was changed back to the definition in use, after a definition that could not be composed.
    package var recovered: @Sendable (String) async -> Void
    /// Returns a number for each pipeline that increases when people's decisions about rounds or held units require planning again.
    package var decisions: @Sendable () async throws -> [String: Int64]
    /// Returns the pauses and checks that people requested, by pipeline.
    package var controls: @Sendable () async throws -> [String: PipelineControl]
    package var event: @Sendable (SupervisorEvent) -> Void
    /// Receives the faults of the files that are not used, after each check.
    package var faults: @Sendable ([FileFault]) -> Void
    /// Ends the problems of a pipeline whose file was removed. The second argument is the definition in the removed file; `nil` if this process never
    /// read the file. Returns `true` when no problem is left; until then, this function is called after each check.
    package var endProblems: @Sendable (String, PipelineDefinition?) async throws -> Bool
    /// Called after each check of the files.
    package var checked: @Sendable () -> Void

    package init(
      compose: @escaping @Sendable (PipelineDefinition) async throws -> PipelineContext,
      watch: @escaping @Sendable (PipelineContext) async -> Void, failed: @escaping @Sendable (StageFailure) -> Void,
      recovered: @escaping @Sendable (String) async -> Void = { _ in },
      decisions: @escaping @Sendable () async throws -> [String: Int64] = { [:] },
      controls: @escaping @Sendable () async throws -> [String: PipelineControl] = { [:] },
      event: @escaping @Sendable (SupervisorEvent) -> Void,
      faults: @escaping @Sendable ([FileFault]) -> Void = { _ in },
      endProblems: @escaping @Sendable (String, PipelineDefinition?) async throws -> Bool = { _, _ in true },
      checked: @escaping @Sendable () -> Void = {}
    ) {
      self.compose = compose
      self.watch = watch
      self.failed = failed
      self.recovered = recovered
      self.decisions = decisions
      self.controls = controls
      self.event = event
      self.faults = faults
      self.endProblems = endProblems
      self.checked = checked
    }
  }

  struct Member {
    var path: String
    /// The definition in the file.
    var definition: PipelineDefinition
    /// The definition in use; `nil` if the pipeline is not yet composed.
    var inForce: PipelineDefinition?
    var watcher: Task<Void, Never>?
    var failures = 0
    /// The time until the next attempt to compose the pipeline.
    var wait = Duration.zero
  }

  let source: PipelineSource
  let files: PipelineFiles?
  let fleet: FleetMembership?
  let registry: PipelineRegistry
  let actions: Actions
  private let time: TimeSource
  private let interval: Duration
  private let policy = RetryPolicy()
  let disk = BlockingPool("pipeline files", width: 1)
  var members: [String: Member] = [:]
  var stamps: [String: FileStamp]?
  /// The pipeline files as they were last read.
  var readings: [PipelineReading] = []
  /// The pipelines of a fleet that this worker holds, with the versions of their files; `nil` until the worker has attended the fleet.
  var held: [String: Int64]?
  var told: [String: [Diagnostic]] = [:]
  /// The pipelines whose file was removed and whose problems have not all ended, with their last definitions.
  var removed: [String: PipelineDefinition?] = [:]
  private var decisions: [String: Int64]?
  private var looks: [String: Int64]?
  var isEmptyTold = false
  private var isAskedToReload = false
  /// Whether the current check repeats faults that were reported before.
  private(set) var isReloading = false
  private var isBusy = false
  private var mustRepeat = false

  /// - Parameters:
  ///   - files: the record of the file from which each pipeline was last read.
  ///   - interval: the interval between checks of the files.
  package init(
    source: PipelineSource, files: PipelineFiles? = nil, registry: PipelineRegistry, actions: Actions, time: TimeSource,
    interval: Duration = .seconds(2)
  ) {
    self.init(
      source: source, files: files, registry: registry, fleet: nil, actions: actions, time: time, interval: interval)
  }

  /// - Parameter fleet: the membership that determines the pipelines of this worker; `nil` if this process runs all pipelines.
  init(
    source: PipelineSource, files: PipelineFiles?, registry: PipelineRegistry, fleet: FleetMembership?,
    actions: Actions, time: TimeSource, interval: Duration = .seconds(2)
  ) {
    self.source = source
    self.files = files
    self.fleet = fleet
    self.registry = registry
    self.actions = actions
    self.time = time
    self.interval = interval
  }

  /// Checks the files until the task is cancelled, and then waits until all watchers have ended.
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

  /// Reads all files now, even those with unchanged stamps, and retries pipelines that could not be composed.
  package func reload() async {
    isAskedToReload = true
    await update(passed: .zero)
  }

  /// Checks the files, people's controls and decisions once. If a check is already running, that check is repeated instead.
  /// - Parameter passed: the time since the last check.
  func update(passed: Duration) async {
    guard !isBusy else {
      mustRepeat = true
      return
    }
    isBusy = true
    repeat {
      mustRepeat = false
      beginReload()
      await takeUpControls()
      await readFiles()
      await attend()
      await putTogether(passed: passed)
      await endProblemsOfRemoved()
      if isReloading { actions.event(.reread(pipelines: members.count)) }
      isReloading = false
      await takeUpDecisions()
    } while mustRepeat
    isBusy = false
    let faults = fileFaults
    try? await disk.run { [actions] in actions.faults(faults) }
    actions.checked()
  }

  private func beginReload() {
    guard isAskedToReload else { return }
    (isAskedToReload, isReloading) = (false, true)
    stamps = nil
    isEmptyTold = false
    for name in members.keys { members[name]?.wait = .zero }
    actions.event(.rereading)
  }

  /// Composes the pipelines that do not yet run with the current definitions of their files. Their jobs and polls begin when all are composed.
  /// Otherwise, each new pipeline would make the worker search for the jobs of all pipelines, and a start with many pipelines would be slow.
  private func putTogether(passed: Duration) async {
    var composed: [PipelineContext] = []
    for name in members.keys.sorted() {
      guard var member = members[name] else { continue }
      guard member.inForce != member.definition else {
        // The file was changed back to the definition in use, after a definition that could not be composed.
        if member.failures > 0 { await actions.recovered(name) }
        members[name]?.failures = 0
        continue
      }
      member.wait -= min(passed, member.wait)
      members[name] = member
      guard member.wait <= .zero else { continue }
      do {
        let context = try await actions.compose(member.definition)
        member.watcher?.cancel()
        let isNew = member.inForce == nil
        member.inForce = member.definition
        member.failures = 0
        members[name] = member
        composed.append(context)
        actions.event(isNew ? .started(name) : .changed(name))
      } catch is CancellationError {
        break
      } catch {
        member.failures += 1
        member.wait = policy.delay(after: member.failures)
        members[name] = member
        actions.failed(
          StageFailure(pipeline: name, branch: nil, stage: .watch, vendor: nil, error: error, isRetried: true))
      }
    }
    // A renamed pipeline takes over the pause of its former name.
    if composed.contains(where: { !$0.definition.formerly.isEmpty }) { await takeUpControls() }
    registry.set(composed)
    var paths: [String: String] = [:]
    for context in composed {
      // The cancelled watcher is not awaited, because a poll that hangs must not block the other pipelines.
      members[context.name]?.watcher = Task { [watch = actions.watch] in await watch(context) }
      paths[context.name] = members[context.name]?.path
    }
    guard let files, source.hasPaths, !paths.isEmpty else { return }
    try? await disk.run { [paths] in files.remember(paths) }
  }

  /// Applies the pauses that other processes have recorded, and forwards their requests to check repositories.
  package func takeUpControls() async {
    guard let now = try? await actions.controls() else { return }
    registry.setPaused(Set(now.filter { $0.value.pause != nil }.keys))
    if let before = looks {
      for (name, control) in now where before[name, default: 0] != control.looks { registry.looks(of: name).ask() }
    }
    looks = now.mapValues(\.looks)
  }

  /// Plans the jobs of a pipeline again if another process has recorded decisions about its rounds or held units.
  private func takeUpDecisions() async {
    // If the store cannot be read, the worker reports the error.
    guard var now = try? await actions.decisions() else { return }
    if let before = decisions {
      for (name, count) in now where before[name, default: 0] != count {
        guard let context = registry[name] else { continue }
        // If planning fails now, the next check tries again.
        do { try await context.reconciler.reconcile(context) } catch { now[name] = before[name, default: 0] }
      }
    }
    decisions = now
  }
}
