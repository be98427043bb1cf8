import Foundation

// Measurements with a release build, run by `make bench`. Public projects are read from git mirrors outside this repository (MIRRORS, default
// ../.mirror). If a mirror is missing, its measurements are skipped with a notice. In addition, dragoman-benchmarks history REPOSITORY COMMITS
// compares the extraction of each commit with and without the cache.

let mirrors = ProcessInfo.processInfo.environment["MIRRORS"] ?? "../.mirror"
let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "dragoman").path
let arguments = CommandLine.arguments

do {
  if arguments.count == 4, arguments[1] == "cold" {
    // The extraction whose memory is measured runs in its own process.
    try ExtractionBenchmark(
      repository: arguments[2], name: "", takesAllTargets: arguments[3] == "all", megabytes: 0
    ).cold()
    exit(0)
  }
  if arguments.count == 6, arguments[1] == "format" {
    guard let work = FormatWork(rawValue: arguments[2]) else { throw BenchmarkFailure("no work '\(arguments[2])'") }
    print(try work.seconds(file: arguments[3], output: arguments[4], rounds: Int(arguments[5]) ?? 1))
    exit(0)
  }
  if arguments.count == 4, arguments[1] == "history" {
    try HistoryWalk(repository: arguments[2]).run(commits: Int(arguments[3]) ?? 30)
    exit(0)
  }
  if arguments.count == 5, arguments[1] == "vendor" {
    try await VendorBenchmark.child(Array(arguments.dropFirst(2)))
    exit(0)
  }
  let parts = Set(arguments.dropFirst())
  func wants(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
  if wants("large") {
    try withMirror("woocommerce+woocommerce-ios") {
      try ExtractionBenchmark(repository: $0, name: "WooCommerce", takesAllTargets: true, megabytes: 500).run()
    }
  }
  if wants("small") {
    try withMirror("Dimillian+IceCubesApp") {
      try ExtractionBenchmark(repository: $0, name: "IceCubesApp", megabytes: 150).run()
    }
  }
  if wants("rounds") {
    try withMirror("Dimillian+IceCubesApp") { try RoundBenchmark(dragoman: binary).round(on: $0, name: "IceCubesApp") }
    try RoundBenchmark(dragoman: binary).oneStringChanges()
    try RoundBenchmark(dragoman: binary).oneStringChanges(
      files: 400, limits: RoundBenchmark.Limits(change: 1.2, translation: 1.5))
  }
  if wants("branches") { try BranchBenchmark(dragoman: binary).run() }
  if wants("polls") { try PollBenchmark(dragoman: binary).run() }
  if wants("commits") { try await GitBenchmark.commits() }
  if wants("cycles") { try await GitBenchmark.cycles() }
  if wants("vendors") { try VendorServer.run(units: 20_000, languages: 10) }
  if wants("shutdown") { try ShutdownBenchmark(dragoman: binary).run() }
  if wants("fleet") {
    try FleetBenchmark(dragoman: binary).besideSilentRemotes()
    try FleetBenchmark(dragoman: binary).run()
  }
  if wants("gates") {
    try withMirror("woocommerce+woocommerce-ios") { try GateBenchmark(dragoman: binary).run(on: $0) }
  }
  if wants("dashboard") { try DashboardBenchmark(dragoman: binary).run() }
  if wants("stores") { try await StoreBenchmark.run() }
  if wants("formats") { try FormatBenchmark.run() }
} catch {
  print("benchmark failed: \(error)")
  exit(1)
}

func withMirror(_ name: String, _ body: (String) throws -> Void) throws {
  let path = mirrors + "/" + name + "/repo"
  guard FileManager.default.fileExists(atPath: path) else { return print("skipped \(name): no mirror at \(path)") }
  try body(path)
}
