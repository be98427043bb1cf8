import Localization
import Pipeline
internal import Synchronization

/// A player of one story, which performs its events and checks the results.
struct StoryPlayer {
  let world: World
  let daemon: DaemonProcess

  init(world: World) {
    self.world = world
    daemon = DaemonProcess(world: world)
  }

  /// The time without events that follows the last event and each later action of people or vendors. At the end of this time, no work may
  /// be left to do.
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
    // The translators finish their work.
    for pipeline in world.pipelines {
      // Each pipeline has its own generator, so the returns of one pipeline do not affect other pipelines.
      var random = SeededRandom(seed: world.story.seed &+ 1 &+ UInt64(pipeline.number))
      for vendor in pipeline.vendors {
        while vendor.makeReturn(.all, to: pipeline.name, foreign: [], random: &random) != nil {}
      }
    }
    await quieten()
    try await checkQuiet()
    guard world.model.violations.isEmpty else { return }
    try await correctAll()
    daemon.kill()
  }

  /// Simulates people who review the delivered translations and correct some of them at the vendors.
  private func correctAll() async throws {
    var isDone = false
    for pipeline in world.pipelines {
      var random = SeededRandom(seed: world.story.seed &+ 101 &+ UInt64(pipeline.number))
      for vendor in pipeline.vendors where correct(vendor, of: pipeline, &random) != nil { isDone = true }
    }
    guard isDone else { return }
    await quieten()
    try await checkQuiet()
  }

  /// Creates the projects and starts the first process.
  func begin() {
    for pipeline in world.pipelines {
      var people = People(world: world, pipeline: pipeline, salt: world.story.seed)
      people.begin()
      world.model.languagesGo(to: pipeline.orders)
    }
    daemon.start()
  }

  /// Lets time pass without events. People only merge by hand when asked, and webhooks report corrections again.
  private func quieten() async {
    await world.time.sleep(Self.quietTime)
    for pipeline in world.pipelines {
      for branch in branchesToMerge(of: pipeline) where mergeByHand(branch, of: pipeline) {
        await world.time.sleep(Self.quietTime)
      }
    }
    await askForCorrections()
  }

  /// Calls the webhooks of vendors again. If a string was on no watched branch when the webhook reported its correction, the correction arrives with
  /// the daily poll. This call replaces that poll.
  private func askForCorrections() async {
    var isAsked = false
    for pipeline in world.pipelines {
      for vendor in pipeline.vendors where vendor.hasCorrections {
        daemon.noteChange(of: pipeline.name, at: vendor.name)
        isAsked = true
      }
    }
    if isAsked { await world.time.sleep(Self.quietTime) }
  }

  /// Returns the watched branches that a person was asked to merge into their delivery branches.
  func branchesToMerge(of pipeline: SimulatedPipeline) -> [String] {
    world.conflicts.withLock { $0 }.filter { $0.value && $0.key.pipeline == pipeline.name }.map(\.key.branch).sorted()
  }

  func mergeByHand(_ branch: String, of pipeline: SimulatedPipeline) -> Bool {
    var people = People(world: world, pipeline: pipeline, salt: world.story.seed)
    guard let done = people.mergeByHand(branch) else { return false }
    world.log(done)
    return true
  }

  /// Ends all faults, and starts the daemon if it does not run.
  private func heal() {
    world.log("everything works again")
    world.disk.setFull(false)
    world.disk.setLocked(false)
    for pipeline in world.pipelines {
      pipeline.remote.health = .healthy
      for vendor in pipeline.vendors { (vendor.health, vendor.fault) = (.healthy, nil) }
      for branch in pipeline.remote.refusals { pipeline.remote.refuse(branch, saying: nil) }
    }
    if daemon.life == nil { daemon.start() }
  }

  // MARK: Checks

  private func checkBooks() async {
    guard let store = daemon.store else { return }
    for pipeline in world.pipelines {
      // If the ledger cannot be read at this moment, the books are checked after the next event.
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
          name: pipeline.name, branches: branches, routes: pipeline.orders,
          rounds: try await store.rounds(of: pipeline.name), held: try await store.heldUnits(of: pipeline.name),
          open: Dictionary(uniqueKeysWithValues: pipeline.vendors.map { ($0.name, $0.open(of: pipeline.name)) }),
          doubtful: Dictionary(
            uniqueKeysWithValues: pipeline.vendors.map { ($0.name, $0.doubtful(of: pipeline.name)) }),
          unacknowledged: pipeline.vendors.flatMap { $0.unacknowledged(of: pipeline.name) }))
    }
  }
}
