import Foundation

/// Functions that measure the time of operations, and the time and peak memory of child processes.
enum Measure {
  /// The resources that an operation uses.
  struct Sample {
    /// The median wall time of the rounds, in seconds.
    var seconds: Double
    /// The minimum processor time of the rounds, in seconds. On an idle machine, it equals the wall time of work on one thread. On a busy machine, it
    /// is more stable than the wall time.
    var processorSeconds: Double
  }

  /// Returns the resources of several operations that run alternately, so that a busy machine slows all of them equally.
  static func samples(rounds: Int, of works: [() throws -> Void]) throws -> [Sample] {
    var times = [[Double]](repeating: [], count: works.count)
    var processor = [Double](repeating: .infinity, count: works.count)
    for _ in 0..<rounds {
      for (index, work) in works.enumerated() {
        let used = processorTime()
        let start = ContinuousClock.now
        try work()
        times[index].append((ContinuousClock.now - start).seconds)
        processor[index] = min(processor[index], processorTime() - used)
      }
    }
    return zip(times, processor).map { Sample(seconds: $0.sorted()[$0.count / 2], processorSeconds: $1) }
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  struct Child {
    var seconds: Double
    var processorSeconds: Double
    /// The peak of the process's resident memory.
    var bytes: Int
    var status: Int32
    /// The process's standard output.
    var output: String
  }

  /// Runs a program until it exits. Its standard error is discarded.
  static func child(_ program: String, _ arguments: [String], directory: String? = nil) throws -> Child {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // `env` is replaced by Python, which measures the program. GNU time would be an additional package.
    process.arguments = ["python3", "-c", peak, program] + arguments
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n", maxSplits: 1)
    let fields = lines.first?.split(separator: " ").compactMap { Double($0) } ?? []
    guard fields.count == 4 else {
      throw BenchmarkFailure("unexpected output of python3: \(String(decoding: data, as: UTF8.self))")
    }
    return Child(
      seconds: fields[0], processorSeconds: fields[1], bytes: Int(fields[2]) * 1024, status: Int32(fields[3]),
      output: lines.dropFirst().joined())
  }

  private static let peak = """
    import resource, subprocess, sys, time
    start = time.time()
    done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    took = time.time() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(took, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, done.returncode)
    sys.stdout.buffer.write(done.stdout)
    """
}

struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// Returns a number with this many decimals.
func decimal(_ value: Double, _ places: Int = 2) -> String {
  let scale = [1.0, 10, 100, 1000][places]
  let scaled = Int((value * scale).rounded())
  guard places > 0 else { return String(scaled) }
  let fraction = String(scaled % Int(scale))
  return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Returns seconds as text in milliseconds.
func milliseconds(_ seconds: Double) -> String { decimal(seconds * 1000, 0) + " ms" }
