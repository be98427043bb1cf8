import Foundation

/// A benchmark of `status` and `check` of a large app, compared with `extract`. Each command runs cold in its own process, on a bare mirror without a
/// cache.
struct GateBenchmark {
  let dragoman: String

  func run(on repository: String) throws {
    let works = ["extract", "status", "check"]
    var seconds = [[Double]](repeating: [], count: works.count)
    var processor = [[Double]](repeating: [], count: works.count)
    // The commands run alternately, so that a busy machine slows all of them equally.
    for _ in 0..<5 {
      for (index, work) in works.enumerated() {
        let child = try Measure.child(dragoman, [work, repository, "--revision", "HEAD", "--format", "json"])
        // Exit code 1 means that strings are missing or that there are findings.
        guard [0, 1].contains(child.status), child.output.count > 100 else {
          throw BenchmarkFailure("dragoman \(work) ended with \(child.status)")
        }
        seconds[index].append(child.seconds)
        processor[index].append(child.processorSeconds)
      }
    }
    let medians = seconds.map { $0.sorted()[$0.count / 2] }
    let least = processor.map { $0.min() ?? 0 }
    print("WooCommerce, cold: extract \(milliseconds(medians[0])), \(milliseconds(least[0])) of processor time")
    for index in 1..<works.count {
      print(
        "  \(works[index]) \(milliseconds(medians[index])): \(decimal(medians[index] / medians[0])) of extract (under 1.2);"
          + " of processor time \(decimal(least[index] / least[0]))")
    }
  }
}
