import FoundationEssentials
import GitSource
import Localization
import Pipeline

/// The daemon's own settings, read from the environment. An invalid value is an error, and is never replaced with the default.
///
/// | variable | meaning | default |
/// | --- | --- | --- |
/// | `DRAGOMAN_WORKERS` | the number of stages of each kind (local, network) that run concurrently, 1 to 64 | 4 |
/// | `DRAGOMAN_PARSE_THREADS` | the number of threads that parse the sources of one commit, 1 to 64 | the number of cores |
/// | `DRAGOMAN_SHUTDOWN_GRACE` | how long stages may continue after SIGTERM or SIGINT, such as `30s` | 30s |
/// | `DRAGOMAN_ATTEMPTS` | the number of attempts with temporary errors after which a job fails, 1 to 100 | 8 |
/// | `DRAGOMAN_FETCH_LIMIT` | maximum size of one fetch from a git server, in MiB, 1 to 1048576 | 16384 |
/// | `DRAGOMAN_WORKER_LEASE` | with PostgreSQL: how long an unresponsive worker keeps its pipelines, such as `30s` | 30s |
/// | `DRAGOMAN_FOLDER` | with PostgreSQL: the folder of the mirrors and the cache | .dragoman |
/// | `DRAGOMAN_SHARED_FACTS` | with PostgreSQL: where workers share facts: `store`, `off`, or `s3://BUCKET/PREFIX?credentials=env:NAME` | store |
/// | `DRAGOMAN_SHARED_FACTS_LIMIT` | with PostgreSQL: maximum size of the shared facts, in MiB, 16 to 1048576 | 4096 |
/// | `OTEL_EXPORTER_OTLP_ENDPOINT` | the URL of the collector to which traces are sent; its headers are in `OTEL_EXPORTER_OTLP_HEADERS` | no traces |
/// | `DRAGOMAN_RECORD` | a folder in which exchanges with vendors are recorded as fixtures, without secrets | none |
/// | `SOURCE_DATE_EPOCH` | the time of Dragoman's commits, in seconds since 1970 | the time when the job of the commit was armed |
package struct Settings: Hashable, Sendable {
  package var workers = 4
  package var parseThreads: Int
  package var shutdownGrace = Duration.seconds(30)
  package var attempts = 8
  package var workerLease = Duration.seconds(30)
  /// The maximum size of one fetch from a git server, in bytes.
  package var fetchLimit = GitNetworkChild.standardFetchLimit
  package var sharedFacts = SharedFactsPlace.database
  /// The maximum size of the shared facts, in bytes.
  package var sharedFactsLimit = 4 << 30
  /// The time limit of a statement about shared facts. A request to the bucket fails if it receives no data for this time, or if it takes twelve
  /// times as long in all. The limit is short, because the worker can compute the values again.
  package var sharedFactsPatience = Duration.seconds(10)
  /// The number of commits that are read concurrently.
  package var readers = 2
  package var commitSeconds: Int64?
  /// The collector of traces; `nil` if no traces are sent.
  package var traces: TraceCollector?
  /// The folder for recorded exchanges with vendors; `nil` if no exchanges are recorded.
  package var recordFolder: String?

  static func recordFolder(in environment: [String: String]) -> String? {
    environment["DRAGOMAN_RECORD"].flatMap { $0.isEmpty ? nil : $0 }
  }

  package init() { parseThreads = min(64, max(1, ProcessInfo.processInfo.activeProcessorCount)) }

  /// - Throws: one error that contains all faults.
  package init(environment: [String: String]) throws(SettingsFault) {
    self.init()
    var faults: [String] = []
    func number(_ name: String, _ range: ClosedRange<Int64>) -> Int64? {
      guard let text = environment[name], !text.isEmpty else { return nil }
      guard let value = Int64(text), range.contains(value) else {
        faults.append("\(name): '\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
      }
      return value
    }
    if let value = number("DRAGOMAN_WORKERS", 1...64) { workers = Int(value) }
    if let value = number("DRAGOMAN_PARSE_THREADS", 1...64) { parseThreads = Int(value) }
    if let value = number("DRAGOMAN_ATTEMPTS", 1...100) { attempts = Int(value) }
    if let value = number("DRAGOMAN_FETCH_LIMIT", 1...1 << 20) { fetchLimit = Int(value) << 20 }
    if let value = number("DRAGOMAN_SHARED_FACTS_LIMIT", 16...1 << 20) { sharedFactsLimit = Int(value) << 20 }
    do { sharedFacts = try SharedFactsPlace(environment["DRAGOMAN_SHARED_FACTS"] ?? "") } catch {
      faults += error.faults
    }
    commitSeconds = number("SOURCE_DATE_EPOCH", 0...253_402_300_799)
    func length(_ name: String, _ range: ClosedRange<Int>) -> Duration? {
      guard let text = environment[name], !text.isEmpty else { return nil }
      guard text.hasSuffix("s"), let seconds = Int(text.dropLast()), range.contains(seconds) else {
        let least = range.lowerBound > 0 ? "at least \(range.lowerBound)s, " : ""
        faults.append(
          "\(name): '\(text)' is not a number of seconds such as 30s (\(least)at most \(range.upperBound)s)")
        return nil
      }
      return .seconds(seconds)
    }
    if let value = length("DRAGOMAN_SHUTDOWN_GRACE", 0...3600) { shutdownGrace = value }
    if let value = length("DRAGOMAN_WORKER_LEASE", 5...3600) { workerLease = value }
    do { traces = try TraceCollector(environment: environment) } catch { faults += error.faults }
    recordFolder = Self.recordFolder(in: environment)
    if !faults.isEmpty { throw SettingsFault(faults: faults) }
  }
}

/// The error for invalid settings, and for an invalid location of the store.
package struct SettingsFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let faults: [String]
  package var description: String { faults.joined(separator: "\n") }
}
