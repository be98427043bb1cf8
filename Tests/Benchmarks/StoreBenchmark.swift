import Foundation
import Localization
import Pipeline
import PostgreSQLClient
import PostgreSQLStore
import SQLiteStore

/// A benchmark that measures the jobs per second, and the time to plan and to read a large round, on each store.
enum StoreBenchmark {
  private static let pipelines = 2_000
  private static let stages: [Stage] = [.extract, .diff, .push, .pull, .deliver]

  static func run() async throws {
    let cores = ProcessInfo.processInfo.activeProcessorCount
    print(
      "stores, with \(pipelines * stages.count) queued jobs of \(pipelines) pipelines, on a machine of \(cores) cores:")
    let folder = FileManager.default.temporaryDirectory.appending(path: "dragoman-bench-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let local = try SQLiteStore(folder: folder)
    try await measure("SQLite, 1 worker", [local])
    try await ledger("SQLite", local)
    try await withServer { url in
      for workers in [1, 2, 4] {
        let stores = try (0..<workers).map { _ in try PostgreSQLStore.open(PostgreSQLAddress(url: url)) }
        try await measure("PostgreSQL, \(workers) worker\(workers == 1 ? "" : "s")", stores)
      }
      try await ledger("PostgreSQL", try PostgreSQLStore.open(PostgreSQLAddress(url: url)))
    }
  }

  private static func measure(_ what: String, _ stores: [any Store]) async throws {
    let names = (0..<pipelines).map { "bench \($0)" }
    let plans = stages.map {
      JobPlan(
        stage: $0, scope: "", lane: "\($0)", waitsFor: [], inputs: UUID().uuidString,
        due: Date(timeIntervalSince1970: 0))
    }
    for name in names { _ = try await stores[0].arm(plans, of: name, retriesFailures: false) }
    let start = ContinuousClock.now
    let counts = try await withThrowingTaskGroup(of: Int.self) { group in
      for (number, store) in stores.enumerated() {
        // As in a fleet, each worker claims jobs only of its own pipelines, and only a few jobs at a time.
        let own = Set(names.enumerated().filter { $0.offset % stores.count == number }.map(\.element))
        group.addTask { try await drain(store, own, owner: "worker \(number)") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let seconds = (ContinuousClock.now - start).seconds
    let count = counts.reduce(0, +)
    guard count == pipelines * stages.count else {
      throw BenchmarkFailure("\(count) jobs of \(pipelines * stages.count) ran")
    }
    print(
      "  \(what): \(decimal(Double(count) / seconds, 0)) jobs per second (claimed and moved, each in separate transactions)"
    )
  }

  private static func drain(_ store: any Store, _ names: Set<String>, owner: String) async throws -> Int {
    var count = 0
    while true {
      let jobs = try await store.claimJobs(
        of: names, stages: Set(stages), owner: owner, lease: .seconds(120), limit: 8)
      guard !jobs.isEmpty else { return count }
      count += jobs.count
      try await withThrowingTaskGroup(of: Void.self) { group in
        for job in jobs { group.addTask { try await store.move(job, by: .succeed, changes: []) } }
        try await group.waitForAll()
      }
    }
  }

  /// Measures how long it takes to plan a round of 20,000 units and to read it back.
  private static func ledger(_ what: String, _ store: any Store) async throws {
    let commit = CommitID(rawValue: String(repeating: "a", count: 40))
    let round = PlannedRound(
      created: Date(timeIntervalSince1970: 0),
      shipments: ["de", "uk"].map { language in
        PlannedShipment(
          vendor: "v", language: LocaleIdentifier(language), sourceLanguage: "en",
          sentUnits: (0..<10_000).map { number in
            let key = UnitKey("A string of some length, number \(number)")
            return PlannedUnit(
              unit: UnitID(catalog: "Sources/Birds/Resources/Localizable.xcstrings", key: key),
              pin: SourcePin(canonical: key.text), source: nil, baseline: Translation("alt", state: .needsReview),
              commit: commit, author: "A")
          })
      })
    var start = ContinuousClock.now
    try await store.record([.plan(round)], of: "large")
    let written = (ContinuousClock.now - start).seconds
    start = ContinuousClock.now
    for _ in 0..<10 {
      let found = try await store.sentLedger(of: "large", includingReturned: true)
      guard found.units.count == 20_000 else { throw BenchmarkFailure("\(found.units.count) units in the ledger") }
    }
    let read = (ContinuousClock.now - start).seconds / 10
    print("  \(what): a round of 20,000 units is planned in \(decimal(written)) s and read in \(decimal(read)) s")
  }

  /// Starts a temporary PostgreSQL server, passes its URL to `body`, and stops the server. The server syncs to disk as in production.
  private static func withServer(_ body: (String) async throws -> Void) async throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-B", "Tests/Fleet/postgresql.py"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    defer {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    let url = try output.line()
    guard url.hasPrefix("postgresql://") else { throw BenchmarkFailure("PostgreSQL does not start") }
    try await body(url)
  }
}
