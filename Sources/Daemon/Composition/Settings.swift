import FoundationEssentials
import GitSource
import Localization
import Pipeline

/// The daemon's own settings, from the environment. An invalid value is an error and is never replaced by the default.
///
/// | variable | meaning | default |
/// | --- | --- | --- |
/// | `DRAGOMAN_WORKERS` | how many stages of each kind (local, network) run at once, 1 to 64 | 4 |
/// | `DRAGOMAN_PARSE_THREADS` | how many threads parse the sources of one commit, 1 to 64 | the number of cores |
/// | `DRAGOMAN_SHUTDOWN_GRACE` | how long stages can run after SIGTERM, such as `30s` | 30s |
/// | `DRAGOMAN_ATTEMPTS` | how many attempts with temporary errors make a job fail permanently, 1 to 100 | 8 |
/// | `DRAGOMAN_FETCH_LIMIT` | maximum size of one fetch from a git server, in MiB, 1 to 1048576 | 16384 |
/// | `SOURCE_DATE_EPOCH` | the time of our commits, in seconds since 1970 | the time of their job |
package struct Settings: Hashable, Sendable {
  package var workers = 4
  package var parseThreads: Int
  package var shutdownGrace = Duration.seconds(30)
  package var attempts = 8
  /// In bytes.
  package var fetchLimit = GitNetworkChild.standardFetchLimit
  /// How many commits are read at once.
  package var readers = 2
  package var commitSeconds: Int64?

  package init() { parseThreads = min(64, max(1, ProcessInfo.processInfo.activeProcessorCount)) }

  /// - Throws: all faults at once.
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
    commitSeconds = number("SOURCE_DATE_EPOCH", 0...253_402_300_799)
    if let text = environment["DRAGOMAN_SHUTDOWN_GRACE"], !text.isEmpty {
      if text.hasSuffix("s"), let seconds = Int(text.dropLast()), (0...3600).contains(seconds) {
        shutdownGrace = .seconds(seconds)
      } else {
        faults.append("DRAGOMAN_SHUTDOWN_GRACE: '\(text)' is not a number of seconds such as 30s (at most 3600s)")
      }
    }
    if !faults.isEmpty { throw SettingsFault(faults: faults) }
  }
}

/// Invalid settings.
package struct SettingsFault: Error, Hashable, Sendable, CustomStringConvertible {
  package let faults: [String]
  package var description: String { faults.joined(separator: "\n") }
}

/// The location of the store: `--store`.
package struct StoreLocation: Hashable, Sendable {
  /// The folder of ledger, cache and mirrors.
  package let folder: String

  /// A folder in the current folder; git ignores it.
  package static let standard = StoreLocation(folder: ".dragoman")

  package init(folder: String) { self.folder = folder }

  /// - Parameter text: `sqlite:FOLDER`, or a folder.
  package init(_ text: String) throws {
    if text.hasPrefix("postgresql:") || text.hasPrefix("postgres:") {
      throw PipelineError(
        .notBuilt, operation: "open store", detail: "PostgreSQL is not built yet. Use sqlite:FOLDER",
        disposition: .permanent)
    }
    let path = text.hasPrefix("sqlite:") ? String(text.dropFirst(7)) : text
    guard !path.isEmpty else {
      throw PipelineError(
        .notFound, operation: "open store", detail: "'\(text)' has no folder. Use sqlite:FOLDER",
        disposition: .permanent)
    }
    folder = path
  }

  func mirror(of url: String) -> String {
    "\(folder)/mirrors/\(ContentDigest.hexadecimal(of: Array(url.utf8), bytes: 10)).git"
  }
}
