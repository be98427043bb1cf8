internal import Daemon
internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// The route `POST /hooks/<pipeline>/<vendor>`. The content of a request is ignored. A verified request only makes the pipeline check the vendor
/// soon.
struct VendorWebhookRoute: Sendable {
  let gate: WebhookGate
  let daemon: RunningDaemon
  /// The maximum size of the body, in bytes.
  let limit: Int

  func add(to router: Router<some RequestContext>) {
    router.post("/hooks/:pipeline/:vendor") { request, context in
      try await respond(
        to: request, try context.parameters.require("pipeline"), try context.parameters.require("vendor"))
    }
    router.get("/hooks/:pipeline/:vendor") { _, _ in WebhookExchange.onlyPost }
  }

  private func respond(to request: Request, _ pipeline: String, _ vendor: String) async throws -> Response {
    let vendor = vendor.removingPercentEncoding ?? vendor
    guard let webhook = daemon.vendorWebhook(of: pipeline, vendor) else { return unknown() }
    let proof = VendorProof(request.headers, of: webhook)
    guard proof != nil else {
      _ = try await gate.receive([], nil, from: vendor, for: pipeline)
      return ServerResponse.problem(
        .unauthorized, "signature",
        "the request has no signature of this vendor. The vendor's page in docs/vendors says how to set up its webhook")
    }
    guard let body = try await request.body(upTo: limit) else {
      return ServerResponse.problem(
        .contentTooLarge, "size", "the body has more than \(limit) bytes. The next poll will find the translations")
    }
    do {
      let result = try await gate.receive(body, proof, from: vendor, for: pipeline)
      daemon.log?.noteWebhook(of: pipeline, vendor: vendor, nil)
      switch result {
      // Some vendors accept only the status 200 as success.
      case let result? where result != .refused: return WebhookExchange.response(.ok, result)
      case nil: return unknown()
      default:
        return ServerResponse.problem(
          .unauthorized, "signature", "the signature does not match the secret of this vendor's webhook, or is too old")
      }
    } catch {
      // The error contains the location of the secret, which only the operator may see.
      daemon.log?.noteWebhook(of: pipeline, vendor: vendor, error)
      return ServerResponse.problem(
        .serviceUnavailable, "secret", "the secret of this vendor's webhook cannot be read. Dragoman's log says why")
    }
  }

  private func unknown() -> Response {
    ServerResponse.problem(
      .notFound, "vendor", "no vendor of this name has a webhook in a running pipeline of this name")
  }
}
