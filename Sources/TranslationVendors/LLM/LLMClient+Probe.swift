internal import HTTPTransport
internal import Localization

extension LLMClient {
  private struct Models: Decodable {
    struct Model: Decodable {
      var id: String
    }

    var data: [Model]
  }

  /// Checks whether the endpoint has the model. The requests of this check cost nothing.
  func probe() async throws -> VendorProbe {
    var probe = VendorProbe()
    let found = try await http.send(get(["models", settings.model]), accepting: [400, 404, 405])
    if found.head.isSuccess {
      probe.facts = [try access, "The endpoint has the model \(settings.model)."]
    } else {
      try await look(into: &probe)
    }
    probe.facts.append(
      settings.limit.map { "A round may cost at most \($0)." } ?? "No `limit` is set: a round may cost any amount.")
    return probe
  }

  /// A sentence about the key. Only the endpoints of OpenAI and Anthropic are known to check keys.
  private var access: String {
    get throws {
      VendorAccess(try http.environment.secret(), isChecked: settings.url == settings.api.standardURL).sentence("key")
    }
  }

  /// Searches the endpoint's list of models for the model. This is needed if the server does not have the model or cannot return a single model. Some
  /// servers do not have a list either.
  private func look(into probe: inout VendorProbe) async throws {
    let request = get(["models"])
    let response = try await http.send(request, accepting: [400, 404, 405])
    guard response.head.isSuccess else {
      probe.facts.append("The endpoint does not list its models, so the key and the model were not checked.")
      return
    }
    let models = try http.decode(response, request, as: Models.self).data.map(\.id)
    probe.facts.append(try access)
    if models.contains(settings.model) {
      probe.facts.append("The endpoint has the model \(settings.model).")
    } else {
      let names = models.sorted().prefix(20).joined(separator: ", ")
      probe.faults.append("The endpoint has no model \(settings.model). It has \(names). Correct `model`.")
    }
  }

  private func get(_ path: [String]) -> VendorHTTP.Request {
    VendorHTTP.Request("GET", path, headers: settings.api == .anthropic ? AnthropicMessages.headers : [])
  }
}
