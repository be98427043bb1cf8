internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The route `POST /hooks/<pipeline>`.
struct WebhookRoute: Sendable {
  let gate: WebhookGate
  let daemon: RunningDaemon
  /// The maximum size of the body, in bytes.
  let limit: Int

  func add(to router: Router<some RequestContext>) {
    router.post("/hooks/:pipeline") { request, context in
      try await respond(to: request, context.parameters.require("pipeline"))
    }
    router.get("/hooks/:pipeline") { _, _ in WebhookExchange.onlyPost }
  }

  private func respond(to request: Request, _ pipeline: String) async throws -> Response {
    // If possible, requests are refused before their body is read.
    guard daemon.hasWebhook(pipeline) else { return unknown() }
    let proof = WebhookProof(request.headers)
    guard proof != nil else {
      _ = try await gate.receive([], nil, for: pipeline)
      return ServerResponse.problem(
        .unauthorized, "signature", "the request has no signature. Set a secret in the webhook's settings")
    }
    guard let body = try await request.body(upTo: limit) else {
      return ServerResponse.problem(
        .contentTooLarge, "size", "the body has more than \(limit) bytes. Polling will find the change")
    }
    do {
      let result = try await gate.receive(body, proof, for: pipeline)
      daemon.log?.noteWebhook(of: pipeline, nil)
      switch result {
      case .accepted?: return WebhookExchange.response(.accepted, .accepted)
      case .ignored?: return WebhookExchange.response(.ok, .ignored)
      case .repeated?: return WebhookExchange.response(.ok, .repeated)
      case .refused?:
        return ServerResponse.problem(
          .unauthorized, "signature",
          "the signature does not match the secret of this pipeline, or its time is more than five minutes off")
      case .unreadable?:
        return ServerResponse.problem(
          .badRequest, "body", "the body is not a JSON object. Select application/json in the webhook's settings")
      case nil: return unknown()
      }
    } catch {
      // The error contains the location of the secret, which only the operator may see.
      daemon.log?.noteWebhook(of: pipeline, error)
      return ServerResponse.problem(
        .serviceUnavailable, "secret", "the secret of this pipeline's webhook cannot be read. Dragoman's log says why")
    }
  }

  private func unknown() -> Response {
    ServerResponse.problem(
      .notFound, "pipeline", "no pipeline of this name has a webhook. Set repository.webhook in its file")
  }
}
