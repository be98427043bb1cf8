import Foundation
import Pipeline
import Synchronization

/// A process that runs `dragoman serve`, with its reports, their times, and the resources it uses.
final class ServedProcess: Sendable {
  struct Report: Sendable {
    var instant: ContinuousClock.Instant
    var event: ProgressEvent
  }

  /// The resources that the process uses, read from `/proc`. The processor time includes that of ended children.
  struct Usage {
    var processorSeconds: Double
    var megabytes: Double
    var threads: Int
    var descriptors: Int
  }

  let started = ContinuousClock.now
  private let process: Process
  private let lines = Mutex<[(instant: ContinuousClock.Instant, text: Data)]>([])

  /// Starts the process.
  /// - Parameters:
  ///   - port: the local port of the daemon's web pages; `nil` for no web pages.
  ///   - core: the only processor core that the process may use; `nil` if the process may use all cores.
  init(
    _ dragoman: String, in folder: BenchmarkFolder, pipelines: String = "pipelines", store: String = "state",
    port: Int? = nil, core: Int? = nil
  ) throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      (core.map { ["taskset", "-c", "\($0)"] } ?? []) + [
        dragoman, "serve", "--pipelines", folder.file(pipelines), "--store", "sqlite:" + folder.file(store),
        "--progress", "json",
      ] + (port.map { ["--listen", "127.0.0.1:\($0)"] } ?? [])
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["DRAGOMAN_SHUTDOWN_GRACE"] = "2s"
    process.environment = environment
    process.standardOutput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    Thread.detachNewThread { [self] in
      var rest = Data()
      while case let data = pipe.fileHandleForReading.availableData, !data.isEmpty {
        let now = ContinuousClock.now
        rest += data
        while let end = rest.firstIndex(of: 0x0A) {
          let line = Data(rest[rest.startIndex..<end])
          rest = Data(rest[rest.index(after: end)...])
          lines.withLock { $0.append((now, line)) }
        }
      }
    }
  }

  /// All reports so far.
  var reports: [Report] {
    lines.withLock { $0 }.compactMap { line in
      (try? JSONDecoder().decode(ProgressEvent.self, from: line.text)).map { Report(instant: line.instant, event: $0) }
    }
  }

  /// The lines of the process's standard error that are not reports of stages.
  var messages: [String] {
    lines.withLock { $0 }.map { String(decoding: $0.text, as: UTF8.self) }.filter { !$0.hasPrefix("{") }
  }

  /// Waits until the reports satisfy a condition, which is checked once in each interval.
  /// - Returns: whether the reports satisfied the condition within the time limit, before the process ended.
  func wait(atMost limit: Duration, every interval: Duration = .seconds(1), until isDone: ([Report]) -> Bool) -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, process.isRunning {
      if isDone(reports) { return true }
      Thread.sleep(forTimeInterval: interval.seconds)
    }
    return isDone(reports)
  }

  var usage: Usage {
    get throws {
      let folder = "/proc/\(process.processIdentifier)"
      let words =
        try String(contentsOfFile: folder + "/stat", encoding: .utf8).split(separator: ")")
        .last?.split(separator: " ") ?? []
      let ticks = words[11...14].compactMap { Double($0) }.reduce(0, +)
      var status: [Substring: Double] = [:]
      for line in try String(contentsOfFile: folder + "/status", encoding: .utf8).split(separator: "\n") {
        let parts = line.split(whereSeparator: { $0 == ":" || $0 == "\t" || $0 == " " })
        if parts.count > 1 { status[parts[0]] = Double(parts[1]) }
      }
      return Usage(
        processorSeconds: ticks / Double(sysconf(Int32(_SC_CLK_TCK))), megabytes: (status["VmRSS"] ?? 0) / 1000,
        threads: Int(status["Threads"] ?? 0),
        descriptors: try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count)
    }
  }

  /// Sends SIGTERM to the process.
  /// - Returns: the seconds until the process ended.
  @discardableResult
  func terminate() -> Double {
    let start = ContinuousClock.now
    process.terminate()
    process.waitUntilExit()
    return (ContinuousClock.now - start).seconds
  }

  var status: Int32 { process.terminationStatus }
}

extension Sequence<ServedProcess.Report> {
  func ended(_ stage: Stage, of pipeline: String? = nil) -> [ServedProcess.Report] {
    filter {
      $0.event.stage == stage && $0.event.state == .ended && (pipeline ?? $0.event.pipeline) == $0.event.pipeline
    }
  }

  /// Returns the longest time, in seconds, without a poll of the pipeline between two instants.
  func longestGap(
    of pipeline: String, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant
  ) -> Double {
    let looks = ended(.watch, of: pipeline).map(\.instant).filter { $0 >= start && $0 <= end }
    return zip([start] + looks, looks + [end]).map { ($1 - $0).seconds }.max() ?? 0
  }
}
