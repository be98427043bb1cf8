import Foundation
import Pipeline

/// A benchmark of a daemon that is stopped while it reads a large commit for the first time.
struct ShutdownBenchmark {
  let dragoman: String

  func run(files: Int = 24_000) throws {
    try BenchmarkFolder.with { folder in
      try folder.create("pipelines")
      try MadeRepository.make(folder.file("large.git"), files: files, strings: 20, in: folder)
      try MadeRepository.make(folder.file("small.git"), files: 1, strings: 5, in: folder)
      try FleetBenchmark.makePipeline("large", url: folder.file("large.git"), poll: "60s", in: folder)
      try FleetBenchmark.makePipeline("small", url: folder.file("small.git"), poll: "1s", in: folder)
      let served = try ServedProcess(dragoman, in: folder)
      let hasBegun = served.wait(atMost: .seconds(60), every: .milliseconds(100)) {
        $0.contains { $0.event.stage == .extract && $0.event.pipeline == "large" && $0.event.state == .began }
      }
      let start = ContinuousClock.now
      // The time limit is long enough for several polls, and shorter than the extraction.
      _ = served.wait(atMost: .seconds(8), every: .milliseconds(100)) { !$0.ended(.extract, of: "large").isEmpty }
      let end = ContinuousClock.now
      let isCold = served.reports.ended(.extract, of: "large").isEmpty
      let gap = served.reports.longestGap(of: "small", from: start, to: end)
      let seconds = served.terminate()
      guard hasBegun, isCold else {
        throw BenchmarkFailure("the extraction ended before the daemon was stopped: \(served.messages)")
      }
      print(
        "SIGTERM during a cold extraction of \(files) files: ended after \(decimal(seconds)) s with status \(served.status)"
          + " (at most 3: grace 2 s + 1 s); meanwhile, for \(decimal((end - start).seconds, 1)) s, the longest time without a"
          + " poll of a pipeline with `poll: 1s` was \(decimal(gap)) s (at most 2)")
    }
  }
}
