internal import LedgerStore
internal import Localization
package import Pipeline

/// The lines that the HTTP server adds to the log.
extension ServiceLog {
  /// Logs the decision of a person.
  package func note(_ action: AuditAction) {
    let subject = action.subject == action.pipeline ? "" : " \(action.subject)"
    let detail = action.detail.map { " (\($0))" } ?? ""
    let actor = "\(action.actor.name) (\(action.actor.way.rawValue))"
    let message = "\(action.action)\(subject)\(detail) by \(actor)".withVisibleControls
    write(.info, message, text: (action.pipeline.map { "\($0): " } ?? "") + message) { $0.pipeline = action.pipeline }
  }

  /// Logs a request that could not be processed. If the ledger cannot be used at the moment, the error is logged as part of the ledger's outage
  /// instead.
  package func noteRequest(_ request: String, _ error: any Error) {
    if Self.isOutage(error) { return noteFailure(of: Self.ledger, error) }
    let message = "\(request): \(error)".withVisibleControls
    write(.error, message, text: "error: \(message)") { _ in }
  }

  /// Logs that the secret of a webhook can no longer be read, or that it can be read again.
  /// - Parameters:
  ///   - vendor: the vendor that has the webhook; `nil` for the webhook of the repository.
  ///   - error: the error; `nil` if the secret was read.
  package func noteWebhook(of pipeline: String, vendor: String? = nil, _ error: (any Error)?) {
    let topic = Topic(pipeline: pipeline, part: "webhook", about: vendor)
    func fill(_ entry: inout LogEntry) { entry.vendor = vendor }
    guard let error else { return noteSuccess(of: topic, fill) }
    noteFailure(of: topic, error, isRetried: false, fill)
  }

  /// Returns whether the error means that the ledger cannot be used at the moment.
  static func isOutage(_ error: any Error) -> Bool {
    switch (error as? StoreError)?.kind {
    case .busy?, .unreachable?, .userRefused?: true
    default: false
    }
  }
}
