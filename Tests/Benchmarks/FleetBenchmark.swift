import Foundation
import Pipeline

/// Benchmarks of a daemon with many pipelines.
struct FleetBenchmark {
  let dragoman: String
  var pipelines = 1_000

  /// Measures pipelines on local bare repositories that are polled every 60 s, each with an outstanding round: first with a new ledger, then with a
  /// ledger of version 0002 that has 400,000 finished jobs.
  func run() throws {
    try BenchmarkFolder.with { folder in
      try makeRepositories(in: folder)
      let alone = try measure("a new ledger", store: "state", in: folder)
      try folder.create("old")
      try folder.script(Self.oldLedger, [folder.file("old/ledger.sqlite"), String(pipelines)])
      let full = try measure("a ledger that had 400,000 finished jobs", store: "old", in: folder)
      print(
        "  with the history: \(decimal(full.processorSeconds / alone.processorSeconds)) of the processor time,"
          + " \(decimal(full.megabytes / alone.megabytes)) of the memory (flat: 1)")
    }
  }

  private func makeRepositories(in folder: BenchmarkFolder) throws {
    try folder.create("repositories")
    try MadeRepository.make(folder.file("template.git"), files: 1, strings: 5, in: folder)
    try folder.git(["-C", folder.file("template.git"), "repack", "-adq"])
    for name in try folder.names(in: "template.git/hooks") {
      try FileManager.default.removeItem(atPath: folder.file("template.git/hooks/" + name))
    }
    for number in 0..<pipelines {
      let origin = folder.file("repositories/\(number).git")
      try FileManager.default.copyItem(atPath: folder.file("template.git"), toPath: origin)
    }
  }

  /// Writes the pipeline files of a store. Each store has separate drop folders, because a drop folder belongs to one store.
  private func makePipelines(store: String, in folder: BenchmarkFolder) throws {
    try folder.create("pipelines-" + store)
    for number in 0..<pipelines {
      let drop = "drop-\(store)/\(number)"
      try folder.create(drop)
      try folder.write(
        """
        pipeline: fleet-\(number)
        repository: { url: "\(folder.file("repositories/\(number).git"))", poll: 60s }
        languages: [de, fr]
        vendors:
          - { vendor: folder, path: "\(folder.file(drop))" }
        """, to: "pipelines-\(store)/\(number).yaml")
    }
  }

  private func measure(_ what: String, store: String, in folder: BenchmarkFolder) throws -> ServedProcess.Usage {
    try makePipelines(store: store, in: folder)
    let served = try ServedProcess(dragoman, in: folder, pipelines: "pipelines-" + store, store: store)
    defer { served.terminate() }
    // Pipelines are counted instead of pushes, because a push whose inputs changed while it ran is queued again, even if it sent all units.
    func haveSent(_ reports: [ServedProcess.Report]) -> Int {
      Set(reports.ended(.push).filter { $0.event.detail?.contains(" sent to ") == true }.map(\.event.pipeline)).count
    }
    let isComplete = served.wait(atMost: .seconds(300)) { haveSent($0) == pipelines }
    let reports = served.reports
    let last = reports.ended(.push).map(\.instant).max() ?? served.started
    let pass =
      isComplete
      ? "the first pass of all within \(decimal((last - served.started).seconds, 1)) s (at most 60)"
      : "only \(haveSent(reports)) of them sent their round in 300 s"
    // After this time, the first polls have ended, and later polls are spread over the interval.
    Thread.sleep(forTimeInterval: 20)
    let before = try served.usage
    let start = ContinuousClock.now
    Thread.sleep(forTimeInterval: 60)
    var usage = try served.usage
    let seconds = (ContinuousClock.now - start).seconds
    usage.processorSeconds -= before.processorSeconds
    let ended = served.reports.filter { $0.instant >= start && $0.event.state == .ended }
    let stages = Dictionary(grouping: ended, by: \.event.stage).map { "\($0.key.rawValue) \($0.value.count)" }.sorted()
    print(
      "\(pipelines) pipelines on local repositories at 60 s, a round outstanding in each, \(what): \(pass);"
        + " then \(decimal(100 * usage.processorSeconds / seconds, 1)) % of a core (at most 10),"
        + " \(decimal(usage.megabytes, 0)) MB (at most 250), \(usage.threads) threads, \(usage.descriptors) descriptors;"
        + " stages in \(decimal(seconds, 0)) s: \(stages.joined(separator: ", "))")
    return usage
  }

  /// Measures healthy pipelines over HTTP, first alone and then together with silent remotes.
  func besideSilentRemotes(healthy: Int = 50, silent: Int = 300) throws {
    try BenchmarkFolder.with { folder in
      try folder.create("pipelines")
      try MadeRepository.make(folder.file("healthy.git"), files: 1, strings: 5, in: folder)
      let server = try LoopbackServer(of: folder)
      defer { server.stop() }
      let names = (0..<healthy).map { "healthy-\($0)" }
      for (number, name) in names.enumerated() {
        try Self.makePipeline(name, url: server.url + "/\(number)/healthy.git", poll: "5s", in: folder)
      }
      let served = try ServedProcess(dragoman, in: folder)
      defer { served.terminate() }
      func allLooked(_ reports: [ServedProcess.Report]) -> Bool {
        Set(reports.ended(.watch).map(\.event.pipeline)).count >= healthy
      }
      guard served.wait(atMost: .seconds(60), until: allLooked) else {
        throw BenchmarkFailure("not all healthy pipelines were polled: \(served.messages.prefix(3))")
      }
      let alone = try peak(of: served, names, seconds: 20)
      for number in 0..<silent {
        // Each remote has a separate host, because remotes on the same host share connections and limits.
        let url = "http://127.1.\(number / 200).\(number % 200 + 1):\(server.silentPort)/silent-\(number).git"
        try Self.makePipeline("silent-\(number)", url: url, poll: "5s", in: folder)
      }
      Thread.sleep(forTimeInterval: 10)
      let beside = try peak(of: served, names, seconds: 60)
      print(
        "\(silent) silent remotes together with \(healthy) healthy pipelines at 5 s: the longest time without a poll of a healthy one"
          + " \(decimal(beside.gap)) s, alone \(decimal(alone.gap)) s; \(beside.usage.threads) threads, alone"
          + " \(alone.usage.threads) (under 40 more); \(beside.usage.descriptors) descriptors, alone"
          + " \(alone.usage.descriptors) (under 200 more); processor"
          + " \(decimal(100 * beside.usage.processorSeconds, 1)) % of a core, alone"
          + " \(decimal(100 * alone.usage.processorSeconds, 1)) %; ended \(decimal(served.terminate())) s after SIGTERM"
          + " (grace 2 s)")
    }
  }

  static func makePipeline(_ name: String, url: String, poll: String, in folder: BenchmarkFolder) throws {
    try folder.write(
      """
      pipeline: \(name)
      repository: { url: "\(url)", poll: \(poll) }
      languages: [de]
      vendors: [ { vendor: pseudo } ]
      """, to: "pipelines/\(name).yaml")
  }

  /// Returns the maximum numbers of threads and descriptors in measurements taken each second, the seconds of processor time per second, and the
  /// longest time in seconds without a poll of one of the named pipelines.
  private func peak(
    of served: ServedProcess, _ names: [String], seconds: Int
  ) throws -> (usage: ServedProcess.Usage, gap: Double) {
    let start = ContinuousClock.now
    let before = try served.usage.processorSeconds
    var most = try served.usage
    for _ in 0..<seconds {
      Thread.sleep(forTimeInterval: 1)
      let usage = try served.usage
      most.threads = max(most.threads, usage.threads)
      most.descriptors = max(most.descriptors, usage.descriptors)
      most.processorSeconds = usage.processorSeconds
    }
    let end = ContinuousClock.now
    most.processorSeconds = (most.processorSeconds - before) / (end - start).seconds
    let reports = served.reports
    let gap = names.map { reports.longestGap(of: $0, from: start, to: end) }.max() ?? 0
    return (most, gap)
  }

  /// A Python script that creates a ledger of version 0002 with the migrations of that version, and with finished jobs as the daemon of that version
  /// stored them.
  private static let oldLedger = """
    import re, sqlite3, sys
    path, pipelines = sys.argv[1], int(sys.argv[2])
    schema = open('Sources/SQLiteStore/Migrations/Schema.swift').read()
    def migration(name): return re.search('static let %s = \\"{3}(.*?)\\"{3}' % name, schema, re.S).group(1)
    ledger = sqlite3.connect(path)
    ledger.executescript(migration('first') + migration('provenance'))
    ledger.execute('CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)')
    ledger.executemany('INSERT INTO grdb_migrations VALUES (?)', [('0001 runs, jobs, rounds and deliveries',), ('0002 provenance',)])
    run = 0
    for pipeline in range(pipelines):
        name = 'fleet-%d' % pipeline
        for commit in range(400000 // pipelines // 5):
            run += 1
            ledger.execute('INSERT INTO run VALUES (?, ?, ?, ?, ?, NULL)', (run, name, 'main', '%040x' % run, 1.7e9 + commit))
            for stage, scope in (('extract', ''), ('diff', ''), ('push', 'v'), ('merge', ''), ('deliver', '')):
                ledger.execute("INSERT INTO job (run_id, pipeline, stage, scope, lane, state, attempts, version, created) VALUES (?, ?, ?, ?, 'lane', 'succeeded', 1, 3, ?)",
                               (run, name, stage, scope, 1.7e9 + commit))
    ledger.commit()
    """
}
