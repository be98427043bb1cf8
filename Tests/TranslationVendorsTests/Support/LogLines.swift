import Logging
import Synchronization

/// The log messages of a vendor.
final class LogLines: Sendable {
  private let all = Mutex<[String]>([])

  /// The messages, each with its metadata.
  var lines: [String] { all.withLock { $0 } }
  var handler: any LogHandler { Handler(lines: self) }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      lines.all.withLock { $0.append("\(event.message) \(event.metadata ?? [:])") }
    }
  }
}
