import Localization
import Pipeline
internal import Synchronization

/// Lets a story happen, and looks at what came of it.
struct StoryPlayer {
  let world: World
  let daemon: DaemonProcess

  init(world: World) {
    self.world = world
    daemon = DaemonProcess(world: world)
  }

  /// After the last event and after each return that follows it, this long nothing happens: then nothing may be owed.
  static let quietTime = Duration.seconds(2 * 3600)

  func play() async throws {
    begin()
    let probe = world.story.width == 1 ? Task.detached { await watchLateness() } : nil
    defer { probe?.cancel() }
    for event in world.story.events {
      let wait = Duration.seconds(event.at) - world.time.elapsed
      if wait > .zero { await world.time.sleep(wait) }
      perform(event)
      await checkBooks()
      guard world.model.violations.isEmpty else { return }
    }
    let wait = Duration.seconds(world.story.end) - world.time.elapsed
    if wait > .zero { await world.time.sleep(wait) }
    heal()
    await quieten()
    try await checkQuiet()
    guard world.model.violations.isEmpty else { return }
    // The translators finish.
    for pipeline in world.pipelines {
      // Of its own, so that what one pipeline has to return changes nothing for another.
      var random = SeededRandom(seed: world.story.seed &+ 1 &+ UInt64(pipeline.number))
      for vendor in pipeline.vendors {
        while vendor.makeReturn(.all, to: pipeline.name, foreign: [], random: &random) != nil {}
      }
    }
    await quieten()
    try await checkQuiet()
    daemon.kill()
  }

  /// People begin their projects, and the first process starts.
  func begin() {
    for pipeline in world.pipelines {
      var people = People(world: world, pipeline: pipeline, salt: world.story.seed)
      people.begin()
      world.model.languagesGo(to: pipeline.routes)
    }
    daemon.start()
  }

  /// Nothing happens but that people merge by hand where they are asked to.
  private func quieten() async {
    await world.time.sleep(Self.quietTime)
    for pipeline in world.pipelines {
      for branch in branchesToMerge(of: pipeline) where mergeByHand(branch, of: pipeline) {
        await world.time.sleep(Self.quietTime)
      }
    }
  }

  /// The watched branches that a person was asked to merge into their delivery branches.
  func branchesToMerge(of pipeline: SimulatedPipeline) -> [String] {
    world.conflicts.withLock { $0 }.filter { $0.value && $0.key.pipeline == pipeline.name }.map(\.key.branch).sorted()
  }

  func mergeByHand(_ branch: String, of pipeline: SimulatedPipeline) -> Bool {
    var people = People(world: world, pipeline: pipeline, salt: world.story.seed)
    guard let done = people.mergeByHand(branch) else { return false }
    world.log(done)
    return true
  }

  /// Everything works again.
  private func heal() {
    world.log("everything works again")
    world.disk.setFull(false)
    world.disk.setLocked(false)
    for pipeline in world.pipelines {
      pipeline.remote.health = .healthy
      for vendor in pipeline.vendors { vendor.health = .healthy }
      for branch in pipeline.remote.refusals { pipeline.remote.refuse(branch, saying: nil) }
    }
    if daemon.life == nil { daemon.start() }
  }

  // MARK: Looking

  private func checkBooks() async {
    guard let store = daemon.store else { return }
    for pipeline in world.pipelines {
      // A ledger that cannot be read at this moment is read after the next event.
      guard let rounds = try? await store.rounds(of: pipeline.name) else { continue }
      world.model.checkBooks(rounds, of: pipeline.name)
    }
  }

  private func checkQuiet() async throws {
    guard let store = daemon.store else {
      world.model.violate(.nothingOwed, "no process runs")
      return
    }
    for pipeline in world.pipelines {
      let branches = pipeline.watched.map { branch in
        let target = pipeline.target(for: branch.name)
        return BranchView(
          name: branch.name, head: world.history[branch.commit]?.tree ?? FileTree(),
          delivery: target == branch.name ? nil : pipeline.remote.tree(of: target),
          base: pipeline.remote.head(of: target).flatMap { world.history.mergeBase(branch.commit, $0) }
            .flatMap { world.history[$0]?.tree } ?? FileTree(),
          deliveryHoldsDropped: pipeline.remote.head(of: target).map { tip in
            let had = world.model.commits(everOn: [branch.name], of: pipeline.remote.name)
            return world.history.history(of: tip, excluding: branch.commit).contains { had.contains($0.id) }
          } ?? false)
      }
      world.model.checkQuiet(
        PipelineView(
          name: pipeline.name, branches: branches, routes: pipeline.routes,
          rounds: try await store.rounds(of: pipeline.name), held: try await store.heldUnits(of: pipeline.name),
          open: Dictionary(uniqueKeysWithValues: pipeline.vendors.map { ($0.name, $0.open(of: pipeline.name)) }),
          doubtful: Dictionary(
            uniqueKeysWithValues: pipeline.vendors.map { ($0.name, $0.doubtful(of: pipeline.name)) }),
          unacknowledged: pipeline.vendors.flatMap { $0.unacknowledged(of: pipeline.name) }))
    }
  }
}
