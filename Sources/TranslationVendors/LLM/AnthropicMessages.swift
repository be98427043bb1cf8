// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The JSON of requests to Anthropic's Messages API (`POST /messages`) and of its responses.
enum AnthropicMessages {
  struct Request: Encodable {
    struct Message: Encodable {
      var role: String
      var content: String
    }

    struct OutputConfig: Encodable {
      struct Format: Encodable {
        var type: String
        var schema: LLMSchema
      }

      var format: Format
    }

    struct Tool: Encodable {
      var name: String
      var description: String
      var input_schema: LLMSchema
    }

    struct ToolChoice: Encodable {
      var type: String
      var name: String
    }

    var model: String
    var max_tokens: Int
    var system: String
    var messages: [Message]
    var temperature: Double?
    var output_config: OutputConfig?
    var tools: [Tool]?
    var tool_choice: ToolChoice?
  }

  struct Response: Decodable {
    struct Block: Decodable {
      private enum Key: String, CodingKey { case type, text, input }
      var type: String
      var text: String?
      /// The argument of a forced tool; `nil` if the argument is not the requested object, or if the block is not a call of the tool.
      var input: LLMTranslations?

      init(from decoder: any Decoder) throws {
        let block = try decoder.container(keyedBy: Key.self)
        type = try block.decode(String.self, forKey: .type)
        text = try? block.decode(String.self, forKey: .text)
        input = try? block.decode(LLMTranslations.self, forKey: .input)
      }
    }

    struct StopDetails: Decodable {
      var explanation: String?
    }

    var content: [Block]
    var stop_reason: String?
    var stop_details: StopDetails?
    var usage: LLMReportedUsage?
  }

  static let path = ["messages"]
  /// The header that every request must contain: the version of the API that this adapter supports.
  static let headers = [(name: "anthropic-version", value: "2023-06-01")]
  private static let tool = "return_translations"

  static func request(_ prompt: LLMPrompt, _ settings: LLMSettings) -> Request {
    var request = Request(
      model: settings.model, max_tokens: settings.tokens, system: prompt.system,
      messages: [Request.Message(role: "user", content: prompt.user)], temperature: settings.temperature)
    switch settings.format {
    case .schema:
      request.output_config = Request.OutputConfig(
        format: Request.OutputConfig.Format(type: "json_schema", schema: LLMTranslations.schema))
    case .tool:
      request.tools = [
        Request.Tool(name: tool, description: "Returns the translations.", input_schema: LLMTranslations.schema)
      ]
      request.tool_choice = Request.ToolChoice(type: "tool", name: tool)
    case .object, .text: break
    }
    return request
  }

  static func reply(_ response: Response) -> LLMReply { LLMReply(end: end(of: response), usage: usage(response.usage)) }

  private static func end(of response: Response) -> LLMReply.End {
    switch response.stop_reason {
    case "refusal": return .refused(response.stop_details?.explanation ?? "")
    case "max_tokens": return .cut(.tokens)
    case "model_context_window_exceeded": return .cut(.window)
    default: break
    }
    if let call = response.content.first(where: { $0.type == "tool_use" }) {
      return call.input.map { .translations($0) }
        ?? .unreadable("the tool was not called with the requested object")
    }
    let text = response.content.filter { $0.type == "text" }.compactMap(\.text).joined()
    return text.isEmpty ? .unreadable("the answer is empty") : LLMReply.End(text: text)
  }

  /// Returns the usage of a response. `input_tokens` does not include the input tokens that are written to the cache or read from it, so these tokens
  /// are added.
  private static func usage(_ usage: LLMReportedUsage?) -> LLMUsage? {
    guard let usage, let input = usage["input_tokens"] else { return nil }
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].compactMap { usage[$0] }
    return LLMUsage(
      input: cached.reduce(LLMUsage.clamped(input)) { $0 + LLMUsage.clamped($1) }, output: usage["output_tokens"])
  }
}
