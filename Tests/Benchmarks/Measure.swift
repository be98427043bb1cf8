import Foundation

/// Medians of repeated runs, and children with their peak memory.
enum Measure {
  /// Seconds that each of several pieces of work takes, the median of `rounds`; the pieces take turns, so that a busy machine slows them alike.
  static func medians(rounds: Int, of works: [() throws -> Void]) throws -> [Double] {
    var samples = [[Double]](repeating: [], count: works.count)
    for _ in 0..<rounds {
      for (index, work) in works.enumerated() {
        let start = ContinuousClock.now
        try work()
        samples[index].append((ContinuousClock.now - start).seconds)
      }
    }
    return samples.map { $0.sorted()[$0.count / 2] }
  }

  struct Child {
    var seconds: Double
    /// The peak of its resident memory.
    var bytes: Int
    var status: Int32
    var error: String
  }

  /// Runs a program to its end, its output thrown away.
  static func child(_ program: String, _ arguments: [String], directory: String? = nil) throws -> Child {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // `env` gives its place to the program; GNU time would be one more package.
    process.arguments = ["python3", "-c", peak, program] + arguments
    if let directory { process.currentDirectoryURL = URL(filePath: directory) }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let fields = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard fields.count == 3 else { throw BenchmarkFailure("python3 said: \(String(decoding: data, as: UTF8.self))") }
    return Child(seconds: fields[0], bytes: Int(fields[1]) * 1024, status: Int32(fields[2]), error: "")
  }

  private static let peak = """
    import os, resource, subprocess, sys, time
    start = time.time()
    status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    print(time.time() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, status)
    """
}

struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// A number with so many decimals, for people.
func decimal(_ value: Double, _ places: Int = 2) -> String {
  let scale = [1.0, 10, 100, 1000][places]
  let scaled = Int((value * scale).rounded())
  guard places > 0 else { return String(scaled) }
  let fraction = String(scaled % Int(scale))
  return "\(scaled / Int(scale))." + String(repeating: "0", count: places - fraction.count) + fraction
}
