internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `POST /hooks/<pipeline>`.
struct WebhookRoute: Sendable {
  let gate: WebhookGate
  let daemon: RunningDaemon
  /// The largest body, in bytes.
  let limit: Int

  private struct Outcome: Encodable {
    var result: String
  }

  func add(to router: Router<some RequestContext>) {
    router.post("/hooks/:pipeline") { request, context in
      try await answer(request, context.parameters.require("pipeline"))
    }
    router.get("/hooks/:pipeline") { _, _ in
      var response = Answer.problem(.methodNotAllowed, "method", "webhooks are sent with POST")
      response.headers[.allow] = "POST"
      return response
    }
  }

  private func answer(_ request: Request, _ pipeline: String) async throws -> Response {
    // What can be refused without the body is refused at once.
    guard daemon.hasWebhook(pipeline) else { return unknown() }
    let proof = WebhookProof(request.headers)
    guard proof != nil else {
      _ = try await gate.receive([], nil, for: pipeline)
      return Answer.problem(
        .unauthorized, "signature", "the request has no signature. Set a secret in the webhook's settings")
    }
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { return tooLarge() }
    let body: [UInt8]
    do { body = Array(buffer: try await request.body.collect(upTo: limit)) } catch is NIOTooManyBytesError {
      return tooLarge()
    }
    do {
      switch try await gate.receive(body, proof, for: pipeline) {
      case .accepted?: return Answer.json(.accepted, Outcome(result: "accepted"))
      case .ignored?: return Answer.json(.ok, Outcome(result: "ignored"))
      case .repeated?: return Answer.json(.ok, Outcome(result: "repeated"))
      case .refused?:
        return Answer.problem(
          .unauthorized, "signature",
          "the signature does not match the secret of this pipeline, or is older than five minutes")
      case .unreadable?:
        return Answer.problem(
          .badRequest, "body", "the body is not a JSON object. Select application/json in the webhook's settings")
      case nil: return unknown()
      }
    } catch {
      // The message names the place of the secret, which is only for the operator.
      return Answer.problem(
        .serviceUnavailable, "secret", "the secret of this pipeline's webhook cannot be read. Dragoman's log says why")
    }
  }

  private func unknown() -> Response {
    Answer.problem(.notFound, "pipeline", "no pipeline of this name has a webhook (repository.webhook)")
  }

  private func tooLarge() -> Response {
    Answer.problem(.contentTooLarge, "size", "the body has more than \(limit) bytes. Polling will find the change")
  }
}
