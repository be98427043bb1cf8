import FoundationEssentials
import Glibc
import LedgerStore
import Pipeline
import SQLiteStore
internal import Synchronization

/// The command `dragoman-simulation --days DAYS --pipelines COUNT`. It plays a story in which all days are alike, and prints the sizes of the ledger,
/// the mirrors, the cache and the process after each week.
///
/// The ledger keeps rounds, sent and returned units, deliveries and the changes of commits forever, so it may grow only with these rows.
/// Mirrors grow with their remotes. Commits that a remote dropped stay in its mirror for two weeks. SQLite keeps pages of the ledger in
/// memory, up to a limit for each connection. All other sizes must not grow after the first week.
enum GrowthCommand {
  /// The factor by which a size may grow before its growth is reported.
  private static let tolerance = 1.1
  /// The size of the cache for each pipeline in bytes, which is enough for about three days.
  private static let cacheBytes = 50_000

  static func run(days: Int, pipelines: Int) -> Int32 {
    let cache = FileManager.default.temporaryDirectory.path + "/dragoman-growth-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: cache) }
    do {
      let first = try play(days: min(7, days), pipelines: pipelines, cache: cache + "/first", prints: false)
      let whole = try play(days: days, pipelines: pipelines, cache: cache + "/whole", prints: true)
      for life in [first, whole] {
        print(
          "memory of the daemon after \(life.figures.last?.days ?? 0) days: \(life.memory / 1024) kB, and \(life.databaseMemory / 1024) kB of SQLite"
        )
      }
      var faults = first.violations + whole.violations
      faults += growth(whole.figures, pipelines: pipelines)
      if Double(whole.memory) > Double(first.memory) * tolerance + Double(pipelines * 5_000) {
        faults.append("the daemon's memory grows")
      }
      for fault in faults { print(fault) }
      return faults.isEmpty ? 0 : 1
    } catch {
      print("the story could not be played to its end: \(error)")
      return 70
    }
  }

  private struct Life: Sendable {
    var figures: [GrowthFigures] = []
    var violations: [String] = []
    /// The number of bytes that were freed when the daemon ended, without the bytes that SQLite freed.
    var memory = 0
    var databaseMemory = 0
  }

  private static func play(days: Int, pipelines: Int, cache folder: String, prints: Bool) throws -> Life {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let story = SteadyLife(days: days, pipelines: pipelines).story
    let world = World(story: story, logs: false, cache: SQLiteCache(folder: folder, limit: pipelines * cacheBytes))
    let player = StoryPlayer(world: world)
    return try SimulatedThread.run(on: world.time) {
      var life = Life()
      try await player.playSteadily(days: days) { day in
        guard day % 7 == 0 || day == days else { return }
        let figures = GrowthFigures(world, cache: folder, days: day)
        life.figures.append(figures)
        guard prints else { return }
        print(figures.description)
        fflush(nil)
      }
      let before = GrowthFigures.allocated
      player.daemon.kill()
      // Wait until the daemon's tasks have ended.
      await world.time.sleep(.seconds(3600))
      let after = GrowthFigures.allocated
      life.databaseMemory = before.byDatabases - after.byDatabases
      life.memory = before.all - after.all - life.databaseMemory
      life.violations = world.model.violations.map(\.description)
      return life
    }
  }

  private static func growth(_ all: [GrowthFigures], pipelines: Int) -> [String] {
    guard let first = all.first else { return [] }
    var faults: [String] = []
    func check(_ name: String, _ figure: (GrowthFigures) -> Double, upTo day: Int = 7, spare: Double = 0) {
      guard let base = all.filter({ $0.days <= day }).max(by: { figure($0) < figure($1) }) else { return }
      guard let later = all.first(where: { $0.days > day && figure($0) > figure(base) * tolerance + spare }) else {
        return
      }
      faults.append("\(name): \(figure(base)) after \(base.days) days, \(figure(later)) after \(later.days)")
    }
    check("bytes of the ledger for each row of history", { Double($0.ledgerBytes) / Double(max($0.history, 1)) })
    check("jobs for each branch", { Double($0.jobs) / Double(max($0.watchedBranches, 1)) })
    check("runs", { Double($0.runs) }, spare: 5)
    // A cache above its limit is pruned to three quarters of the limit.
    check("bytes of the cache", { Double($0.cacheBytes) }, spare: Double(pipelines * cacheBytes) / 2)
    // Unreachable commits are kept for two weeks. Their number depends on how deliveries were merged.
    check(
      "commits in mirrors that the remotes lack", { Double($0.mirrorCommits - $0.remoteCommits) }, upTo: 21, spare: 5)
    if first.days < 7 { faults.append("--days must be at least 7, because growth is compared with the first week") }
    return faults
  }
}

extension StoryPlayer {
  /// Plays the story without checking the result of each event. At the end of each day, people merge the branches that they were asked to merge.
  /// - Parameter look: called at the end of each day, with the number of days.
  func playSteadily(days: Int, look: (Int) -> Void) async throws {
    begin()
    var events = world.story.events[...]
    for day in 1...days {
      while let event = events.first, event.at < day * SteadyLife.day {
        events.removeFirst()
        await world.time.sleep(.seconds(event.at) - world.time.elapsed)
        perform(event)
      }
      await world.time.sleep(.seconds(day * SteadyLife.day) - world.time.elapsed)
      for pipeline in world.pipelines {
        for branch in branchesToMerge(of: pipeline) { _ = mergeByHand(branch, of: pipeline) }
      }
      look(day)
    }
  }
}
