internal import HTTPTransport
internal import Localization
internal import Logging

/// A client that sends prompts to the endpoint and records their cost.
struct LLMClient: Sendable {
  /// The maximum number of attempts to send a request if the server reports a failure.
  static let attempts = 3
  private static let largestResponse = 16 << 20

  let settings: LLMSettings
  let http: VendorHTTP
  let books: LLMBooks
  let environment: VendorEnvironment

  func ask(_ prompt: LLMPrompt, round: String) async throws -> LLMReply {
    var attempt = 1
    while true {
      do {
        return try await send(prompt, round: round)
      } catch let error as TransportError {
        guard case .status(let status) = error.kind else { throw error }
        if isTooLong(status, error) { return LLMReply(end: .tooLong) }
        if Self.isFiltered(status, error) { return LLMReply(end: .refused(error.detail)) }
        if let fault = formatFault(status, error) { throw fault }
        // The server reports a failure, so no response was generated. 529 means that Anthropic is overloaded.
        let pause = error.retryAfter ?? .seconds(1 << attempt)
        guard [409, 500, 502, 503, 529].contains(status), attempt < Self.attempts, pause <= VendorHTTP.longestPause
        else {
          throw error
        }
        try await environment.sleep(pause)
      }
      attempt += 1
    }
  }

  private func send(_ prompt: LLMPrompt, round: String) async throws -> LLMReply {
    let request = try request(prompt)
    let expected = Self.expected(prompt)
    do {
      let reply =
        switch settings.api {
        case .openai:
          OpenAIChat.reply(try await http.json(request, as: OpenAIChat.Response.self), tokens: settings.tokens)
        case .anthropic: AnthropicMessages.reply(try await http.json(request, as: AnthropicMessages.Response.self))
        }
      try note(reply.usage ?? expected, expected: expected, round: round)
      return reply
    } catch {
      // A response that was lost, came too late or cannot be decoded was most likely charged.
      if Self.mayHaveCost(error) { try note(expected, expected: expected, round: round) }
      throw error
    }
  }

  private func request(_ prompt: LLMPrompt) throws -> VendorHTTP.Request {
    var request =
      switch settings.api {
      case .openai:
        try VendorHTTP.Request("POST", OpenAIChat.path, json: OpenAIChat.request(prompt, settings))
      case .anthropic:
        try VendorHTTP.Request(
          "POST", AnthropicMessages.path, headers: AnthropicMessages.headers,
          json: AnthropicMessages.request(prompt, settings))
      }
    // The server sends nothing until it has generated the whole response, so both deadlines are equal.
    request.deadlines = Deadlines(stall: settings.timeout, whole: settings.timeout)
    request.responseLimit = Self.largestResponse
    return request
  }

  private func note(_ usage: LLMUsage, expected: LLMUsage, round: String) throws {
    let (cost, sum) = try books.note(usage, expected: expected, round: round)
    environment.logger.info(
      "sent a request to the model",
      metadata: [
        "vendor": "llm", "model": "\(settings.model)", "round": "\(round)", "input": "\(usage.input)",
        "output": "\(usage.output)", "estimated": "\(usage.isEstimated)", "cost": "\(cost)", "spent": "\(sum.cost)",
      ])
  }

  /// Returns the expected tokens of a request and its response. The response is assumed to be as long as ``LLMPrompt/user``, the part of the prompt
  /// with the texts.
  static func expected(_ prompt: LLMPrompt) -> LLMUsage {
    LLMUsage.estimate(input: prompt.size, output: prompt.user.utf8.count)
  }

  private func isTooLong(_ status: Int, _ error: TransportError) -> Bool {
    if status == 413 { return true }
    let words = error.detail.lowercased()
    return status == 400 && ["context_length", "context length", "prompt is too long"].contains { words.contains($0) }
  }

  /// Returns whether a filter of the endpoint refused a text. Refusals are recognized by phrases in the messages of Azure OpenAI, OpenAI and
  /// Anthropic.
  private static func isFiltered(_ status: Int, _ error: TransportError) -> Bool {
    let words = error.detail.lowercased()
    let marks = ["content_filter", "content management policy", "content filter", "invalid_prompt", "usage policy"]
    return status == 400 && marks.contains { words.contains($0) }
  }

  /// Returns the error for a model or server that does not support the requested `format`; `nil` for other faults.
  private func formatFault(_ status: Int, _ error: TransportError) -> VendorError? {
    let words = error.detail.lowercased()
    let names = ["response_format", "json_schema", "json_object", "tool_choice", "tools"]
    guard [400, 422].contains(status), names.contains(where: words.contains) else { return nil }
    return VendorError(
      kind: .configuration, at: "llm: format",
      detail:
        "\(settings.model) does not support `format: \(settings.format.rawValue)`: \(error.detail). Set another `format`, "
        + "such as `format: text`")
  }

  private static func mayHaveCost(_ error: any Error) -> Bool {
    if let error = error as? VendorError { return error.kind == .protocolFault }
    guard let error = error as? TransportError else { return false }
    switch error.kind {
    case .stalled, .timedOut, .connectionLost, .bodyTooLarge, .status(408), .status(504): return true
    default: return false
    }
  }
}
