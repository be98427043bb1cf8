internal import CSimulatedMachine
import Glibc
import Pipeline
internal import Synchronization

/// The sizes of the ledger, the mirrors, the cache and the process at one moment.
struct GrowthFigures: Sendable {
  var days: Int
  var ledgerBytes: Int64
  /// The number of rows that the ledger keeps forever, such as rounds, sent and returned units, deliveries, and changes of commits.
  var history: Int64
  var rounds: Int64
  var jobs: Int64
  var runs: Int64
  var watchedBranches: Int
  /// The number of commits in all mirrors, and the number of these that the remotes also contain.
  var mirrorCommits: Int
  var remoteCommits: Int
  /// The total size of the files in `mirrorCommits`, and of those in `remoteCommits`. In each mirror, equal files count once.
  var mirrorBytes: Int
  var remoteBytes: Int
  var cacheBytes: Int
  /// The memory of the whole process, which also simulates the remotes, the vendors and the people.
  var residentBytes: Int

  init(_ world: World, cache: String, days: Int) {
    self.days = days
    func count(_ table: String) -> Int64 { world.disk.number(of: "SELECT count(*) FROM \(table)") }
    ledgerBytes = world.disk.figures.bytes
    rounds = count("round")
    jobs = count("job")
    runs = count("run")
    watchedBranches = world.pipelines.reduce(0) { $0 + $1.watched.count }
    history = Self.kept.reduce(0) { $0 + count($1) }
    (mirrorCommits, remoteCommits, mirrorBytes, remoteBytes) = (0, 0, 0, 0)
    for pipeline in world.pipelines {
      let held = pipeline.mirror.commits
      let there = world.history.reachable(from: pipeline.remote.branches.map(\.commit))
      mirrorCommits += held.count
      remoteCommits += held.intersection(there).count
      mirrorBytes += world.history.bytes(of: held)
      remoteBytes += world.history.bytes(of: held.intersection(there))
    }
    // The write-ahead log is not included, because SQLite empties it after every 1,000 pages.
    cacheBytes = Self.size(of: cache + "/cache.sqlite")
    residentBytes = Self.resident
  }

  private static let kept = [
    "round", "shipment", "source", "sent_unit", "books", "bundle", "returned_unit", "branch_outcome", "delivery",
    "rename", "history_commit", "history_change",
  ]

  private static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static var resident: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let words = line.split(separator: 32).map { String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self) }
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }

  /// The bytes that the process has allocated and not freed, in total and by SQLite.
  static var allocated: (all: Int, byDatabases: Int) {
    (Int(simulated_machine_allocated()), Int(simulated_machine_database_memory()))
  }

  var description: String {
    func kilobytes(_ bytes: some BinaryInteger) -> String { "\((bytes + 512) / 1024) kB" }
    return [
      "day \(days)", "ledger \(kilobytes(ledgerBytes))", "history \(history) rows", "rounds \(rounds)",
      "jobs \(jobs) of \(watchedBranches) branches",
      "runs \(runs)", "mirrors \(mirrorCommits) commits, \(kilobytes(mirrorBytes))",
      "of these in remotes \(remoteCommits), \(kilobytes(remoteBytes))", "cache \(kilobytes(cacheBytes))",
      "process \(kilobytes(residentBytes))",
    ].joined(separator: "; ")
  }
}
