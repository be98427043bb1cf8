// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The JSON of chat completions (`POST /chat/completions`), which OpenAI defined and many servers support.
enum OpenAIChat {
  struct Request: Encodable {
    struct Message: Encodable {
      var role: String
      var content: String
    }

    struct Format: Encodable {
      struct Schema: Encodable {
        var name: String
        var strict: Bool
        var schema: LLMSchema
      }

      var type: String
      var json_schema: Schema?
    }

    var model: String
    var messages: [Message]
    var max_completion_tokens: Int?
    var max_tokens: Int?
    var temperature: Double?
    var response_format: Format?
  }

  /// The response. Most members are optional, because compatible servers omit some of them.
  struct Response: Decodable {
    struct Choice: Decodable {
      struct Message: Decodable {
        var content: String?
        var refusal: String?
      }

      var message: Message
      var finish_reason: String?
    }

    var choices: [Choice]
    var usage: LLMReportedUsage?
  }

  static let path = ["chat", "completions"]

  static func request(_ prompt: LLMPrompt, _ settings: LLMSettings) -> Request {
    var request = Request(
      model: settings.model,
      // OpenAI accepts the role `system` for every model. Most other servers do not support the newer role `developer`.
      messages: [
        Request.Message(role: "system", content: prompt.system), Request.Message(role: "user", content: prompt.user),
      ], temperature: settings.temperature)
    switch settings.tokensKey {
    case .current: request.max_completion_tokens = settings.tokens
    case .older: request.max_tokens = settings.tokens
    }
    switch settings.format {
    case .schema:
      request.response_format = Request.Format(
        type: "json_schema",
        json_schema: Request.Format.Schema(name: "translations", strict: true, schema: LLMTranslations.schema))
    case .object: request.response_format = Request.Format(type: "json_object")
    case .tool, .text: break
    }
    return request
  }

  /// - Parameter tokens: the token limit of the request.
  static func reply(_ response: Response, tokens: Int) -> LLMReply {
    // A full context window has the same finish reason as the token limit. Some servers leave reasoning tokens out of the number.
    let isFull = (response.usage?["completion_tokens"]).map { $0 >= tokens } ?? false
    let usage = usage(response.usage)
    guard let choice = response.choices.first else {
      return LLMReply(end: .unreadable("the answer is empty"), usage: usage)
    }
    return LLMReply(end: end(of: choice, limit: isFull ? .tokens : .unknown), usage: usage)
  }

  /// - Parameter limit: the limit at which the answer was cut off, if it was.
  private static func end(of choice: Response.Choice, limit: LLMReply.Limit) -> LLMReply.End {
    if let refusal = choice.message.refusal, !refusal.isEmpty { return .refused(refusal) }
    switch choice.finish_reason {
    case "content_filter": return .refused("a filter of the endpoint stopped the answer")
    case "length": return .cut(limit)
    default: break
    }
    guard let text = choice.message.content, !text.isEmpty else { return .unreadable("the answer is empty") }
    return LLMReply.End(text: text)
  }

  private static func usage(_ usage: LLMReportedUsage?) -> LLMUsage? {
    LLMUsage(input: usage?["prompt_tokens"], output: usage?["completion_tokens"])
  }
}
