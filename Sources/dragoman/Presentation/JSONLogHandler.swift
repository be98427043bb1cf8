import Daemon
import Foundation
import Logging

/// A log handler that writes the messages of libraries as lines of JSON, in the form of the daemon's log.
struct JSONLogHandler: LogHandler {
  let console: Console
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let level: LogEntry.Level =
      switch event.level {
      case .trace, .debug: .debug
      case .info, .notice: .info
      case .warning: .warning
      case .error, .critical: .error
      }
    let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
    let words = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    console.line(
      LogEntry(time: Date(), level: level, message: (["\(event.message)"] + words).joined(separator: " ")).json)
  }
}
