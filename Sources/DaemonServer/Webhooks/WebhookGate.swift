internal import Daemon
internal import Foundation
internal import Localization
private import Synchronization

/// A gate that decides whether requests to webhooks are accepted. A verified event only makes the pipeline check its repository or the vendor soon.
final class WebhookGate: Sendable {
  /// The result of a request. The raw values are also labels of metrics.
  enum Result: String, Sendable {
    case accepted
    /// The request is verified, but its event moves no branch. An example is a comment.
    case ignored
    /// The same delivery arrived before, so the request has no effect.
    case repeated
    case refused
    /// The body is not a JSON object.
    case unreadable
  }

  private let daemon: RunningDaemon
  private let memories = Mutex<[String: ReplayMemory]>([:])

  init(daemon: RunningDaemon) { self.daemon = daemon }

  /// Checks a request to the webhook of a pipeline's repository, and counts the result.
  /// - Parameter proof: the proof of the request; `nil` if the request has no proof.
  /// - Returns: `nil` if the pipeline is not running or has no webhook.
  /// - Throws: `PipelineError` if the secret cannot be read.
  func receive(_ body: [UInt8], _ proof: WebhookProof?, for pipeline: String) async throws -> Result? {
    guard daemon.hasWebhook(pipeline) else { return nil }
    guard let result = try await result(of: body, proof, for: pipeline) else { return nil }
    return note(result, of: pipeline) { daemon.noteEvent(of: pipeline) }
  }

  /// Checks a request to a vendor's webhook, and counts the result.
  /// - Parameter proof: the proof of the request; `nil` if the request has no proof.
  /// - Returns: `nil` if the pipeline is not running or the vendor has no webhook.
  /// - Throws: `PipelineError` if the secret cannot be read.
  func receive(
    _ body: [UInt8], _ proof: VendorProof?, from vendor: String, for pipeline: String
  ) async throws -> Result? {
    guard daemon.vendorWebhook(of: pipeline, vendor) != nil else { return nil }
    var result = Result.refused
    if let proof {
      guard let secret = try await daemon.vendorWebhookSecret(of: pipeline, vendor) else { return nil }
      if proof.holds(for: body, secret: secret, now: daemon.now().timeIntervalSince1970) {
        let isNew = proof.identity(of: body).map { isFirst($0, at: "\(pipeline)/\(vendor)") }
        result = isNew ?? true ? .accepted : .repeated
      }
    }
    return note(result, of: pipeline) { daemon.noteEvent(of: pipeline, vendor: vendor) }
  }

  /// Counts a result, and requests a check if the request was accepted.
  private func note(_ result: Result, of pipeline: String, _ look: () -> Void) -> Result {
    daemon.measurements.noteWebhook(of: pipeline, result.rawValue)
    if result == .accepted { look() }
    return result
  }

  /// Remembers a delivery of a webhook.
  /// - Returns: whether the delivery is new, that is, not one of the remembered deliveries.
  private func isFirst(_ identity: [UInt8], at place: String) -> Bool {
    memories.withLock { $0[place, default: ReplayMemory()].insert(identity) }
  }

  private func result(of body: [UInt8], _ proof: WebhookProof?, for pipeline: String) async throws -> Result? {
    guard let proof else { return .refused }
    guard let secret = try await daemon.webhookSecret(of: pipeline) else { return nil }
    guard proof.holds(for: body, secret: secret, now: daemon.now().timeIntervalSince1970) else { return .refused }
    guard let event = try? WebhookEvent(body: body) else { return .unreadable }
    guard isFirst(proof.identity(of: body), at: pipeline) else { return .repeated }
    return event.canMoveBranches ? .accepted : .ignored
  }
}
