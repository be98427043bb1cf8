import Foundation
import Pipeline

/// A benchmark of a pipeline with many branches that differ in one string.
struct BranchBenchmark {
  let dragoman: String

  func run(branches: Int = 40, files: Int = 60, strings: Int = 50) throws {
    try BenchmarkFolder.with { folder in
      let origin = folder.file("origin.git")
      try MadeRepository.make(origin, files: files, strings: strings, languages: ["de"], branches: branches, in: folder)
      try folder.write(pipeline(origin, folder.file("one"), "main"), to: "one.yaml")
      try folder.write(pipeline(origin, folder.file("all"), "release/*"), to: "all.yaml")
      let one = try folder.run(dragoman, "one.yaml", store: "state-one")
      let first = try folder.run(dragoman, "all.yaml")
      var again: [Double] = []
      for turn in 1...3 {
        try MadeRepository.change(
          origin, string: 700 + turn, strings: strings, on: "release/\(turn)", in: folder)
        again.append(try folder.run(dragoman, "all.yaml").seconds)
      }
      let nothing = try folder.run(dragoman, "all.yaml")
      let served = try serve(folder, origin, strings: strings)
      print(
        "\(branches) branches × \(files * strings) keys: first run \(decimal(first.seconds)) s (at most 6), processor"
          + " \(decimal(first.processorSeconds)) s, \(decimal(first.seconds / one.seconds)) of the time for one branch"
          + " (\(decimal(one.seconds)) s), peak \(decimal(Double(first.bytes) / 1e6, 0)) MB; one commit on one branch:"
          + " `run --once` \(decimal(again.sorted()[1])) s, without changes \(decimal(nothing.seconds)) s,"
          + " in `serve` from the poll to the round \(decimal(served)) s (at most 0.4)")
    }
  }

  /// Changes one string on each of three branches while a daemon runs.
  /// - Returns: the median of the seconds from the start of the extraction to the end of the push.
  private func serve(_ folder: BenchmarkFolder, _ origin: String, strings: Int) throws -> Double {
    try folder.create("pipelines")
    try FileManager.default.copyItem(atPath: folder.file("all.yaml"), toPath: folder.file("pipelines/all.yaml"))
    let served = try ServedProcess(dragoman, in: folder)
    defer { served.terminate() }
    var seconds: [Double] = []
    for turn in 1...3 {
      // After two polls without work, all earlier jobs are done.
      let before = served.reports.count
      _ = served.wait(atMost: .seconds(60), every: .milliseconds(200)) { $0.dropFirst(before).ended(.watch).count > 2 }
      let known = served.reports.count
      try MadeRepository.change(origin, string: 800 + turn, strings: strings, on: "release/\(turn + 3)", in: folder)
      _ = served.wait(atMost: .seconds(60), every: .milliseconds(200)) { !$0.dropFirst(known).ended(.push).isEmpty }
      let reports = Array(served.reports.dropFirst(known))
      let look = reports.first { $0.event.stage == .extract && $0.event.state == .began }
      guard let look, let push = reports.ended(.push).first else {
        throw BenchmarkFailure("the commit was not sent: \(served.messages.prefix(3))")
      }
      seconds.append((push.instant - look.instant).seconds)
    }
    return seconds.sorted()[1]
  }

  private func pipeline(_ origin: String, _ drop: String, _ branches: String) throws -> String {
    try FileManager.default.createDirectory(atPath: drop, withIntermediateDirectories: true)
    return """
      pipeline: branches
      repository: { url: "\(origin)", branches: ["\(branches)"], poll: 1s }
      languages: [de]
      rounds: { quiet: 0s, latest: 0s }
      vendors:
        - { vendor: folder, path: "\(drop)", settle: 0s }
      """
  }
}
