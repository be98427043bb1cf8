import Foundation
import Pipeline

/// A benchmark of polling a repository without changes, measured for the complete daemon.
struct PollBenchmark {
  let dragoman: String

  func run(pipelines: Int = 20, seconds: Double = 30) throws {
    try BenchmarkFolder.with { folder in
      try MadeRepository.make(folder.file("quiet.git"), files: 1, strings: 5, in: folder)
      let server = try LoopbackServer(of: folder)
      defer { server.stop() }
      let http = try poll((0..<pipelines).map { server.url + "/\($0)/quiet.git" }, seconds: seconds, "http", in: folder)
      let local = try poll(
        (0..<pipelines).map { number in
          let copy = folder.file("local-\(number).git")
          try FileManager.default.copyItem(atPath: folder.file("quiet.git"), toPath: copy)
          return copy
        }, seconds: seconds, "local", in: folder)
      let other = try (0..<5).map { _ in try Measure.child("git", ["ls-remote", "--heads", server.url + "/quiet.git"]) }
      let git = other.map(\.processorSeconds).min() ?? 0
      print(
        "a poll without changes, processor time of the whole daemon: over HTTP \(decimal(http * 1000)) ms (at most 2),"
          + " \(decimal(http / git, 3)) of `git ls-remote` (\(decimal(git * 1000)) ms); of a local repository"
          + " \(decimal(local * 1000)) ms")
    }
  }

  /// Polls repositories for some time.
  /// - Returns: the daemon's processor time for each poll, in seconds.
  private func poll(_ urls: [String], seconds: Double, _ name: String, in folder: BenchmarkFolder) throws -> Double {
    try? FileManager.default.removeItem(atPath: folder.file("pipelines"))
    try folder.create("pipelines")
    for (number, url) in urls.enumerated() {
      try FleetBenchmark.makePipeline("\(name)-\(number)", url: url, poll: "1s", in: folder)
    }
    let served = try ServedProcess(dragoman, in: folder, store: name)
    defer { served.terminate() }
    let looked = served.wait(atMost: .seconds(60)) { Set($0.ended(.merge).map(\.event.pipeline)).count == urls.count }
    guard looked else { throw BenchmarkFailure("not all pipelines were polled: \(served.messages.prefix(3))") }
    Thread.sleep(forTimeInterval: 10)
    let before = try served.usage.processorSeconds
    let start = ContinuousClock.now
    Thread.sleep(forTimeInterval: seconds)
    let used = try served.usage.processorSeconds - before
    let looks = served.reports.ended(.watch).count { $0.instant >= start }
    guard looks > 0 else { throw BenchmarkFailure("no pipeline was polled") }
    return used / Double(looks)
  }
}
