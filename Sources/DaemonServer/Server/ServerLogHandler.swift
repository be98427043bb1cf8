package import Logging

/// A log handler that forwards the messages of the HTTP library. It drops the messages of cancelled tasks: when the daemon stops, the library reports
/// the cancellation of its tasks as errors.
private struct ServerLogHandler: LogHandler {
  var target: any LogHandler

  var logLevel: Logger.Level {
    get { target.logLevel }
    set { target.logLevel = newValue }
  }
  var metadata: Logger.Metadata {
    get { target.metadata }
    set { target.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { target[metadataKey: key] }
    set { target[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    guard !Task.isCancelled else { return }
    target.log(event: event)
  }
}

extension Logger {
  /// A logger that drops the messages of cancelled tasks.
  package var withoutCancellations: Logger {
    var logger = Logger(label: label) { _ in ServerLogHandler(target: handler) }
    logger.logLevel = logLevel
    return logger
  }
}
