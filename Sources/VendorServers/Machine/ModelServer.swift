internal import Foundation
internal import Synchronization
package import TestSupport
import Testing

/// A test double of a language model with an OpenAI-compatible endpoint and an Anthropic endpoint. Tests choose whether the model's responses are
/// valid.
package final class ModelServer: Sendable {
  enum Behaviour: Equatable {
    case good
    /// Returns broken JSON with text before it.
    case brokenJSON
    /// Like `brokenJSON`, but only in the first response.
    case brokenOnce
    case losesPlaceholders
    case wrongLanguage
    /// Refuses requests with a text that contains this word.
    case refuses(String)
    /// Returns status 400 and a message for requests with a text that contains this word, like a model's content filter.
    case filters(String, message: String)
    /// Cuts off the response to a request with more than this number of texts, as if it had reached the token limit.
    case cuts(Int)
    case unknownIDs
    /// Adds a text with an id that was not in the request.
    case extraID
    /// Refuses requests with a response format.
    case takesNoFormat
  }

  /// The contents of one request.
  package struct Question: Sendable {
    package var texts: [String]
    var document: String
    var system: String
    var hasSchema: Bool
    /// The numbers of input and output tokens that the endpoint reports. The numbers are estimated from the number of bytes.
    var input = 0
    var output = 0
  }

  private struct State {
    var behaviour = Behaviour.good
    var questions: [Question] = []
    /// The number of reasoning tokens that the endpoint adds to the output tokens of each response.
    var thinking = 0
  }

  private static let translations: [String: String] = [
    "Bird": "Птах", "%1$lld of %2$@": "%1$lld із %2$@", "%lld bird": "%lld птах", "%lld birds": "%lld птахів",
    "Two\nlines & <b>bold</b> “quotes” \"it's\"": "Два\nрядки & <b>жирні</b> “лапки” \"це\"",
  ]
  private let state = Mutex(State())

  var behaviour: Behaviour {
    get { state.withLock { $0.behaviour } }
    set { state.withLock { $0.behaviour = newValue } }
  }
  var thinking: Int {
    get { state.withLock { $0.thinking } }
    set { state.withLock { $0.thinking = newValue } }
  }
  package var questions: [Question] { state.withLock { $0.questions } }

  /// The members that requests of the adapter may have, by the path of the request.
  private static let members: [String: Set<String>] = [
    "/v1/chat/completions": [
      "model", "messages", "max_completion_tokens", "max_tokens", "temperature", "response_format",
    ],
    "/v1/messages": [
      "model", "max_tokens", "system", "messages", "temperature", "output_config", "tools", "tool_choice",
    ],
  ]

  package init() {}

  package func respond(to request: RecordedRequest) -> LoopbackReply {
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body))) as? [String: Any] ?? [:]
    guard request.method == "POST", let known = Self.members[request.target], Set(body.keys).isSubset(of: known),
      let messages = body["messages"] as? [[String: Any]]
    else {
      Issue.record("the endpoint has no \(request.method) \(request.target) with \(body.keys.sorted())")
      return .respond(status: 599)
    }
    let isAnthropic = request.target == "/v1/messages"
    #expect(
      isAnthropic
        ? request.header("x-api-key") == "secret-token" && request.header("anthropic-version") == "2023-06-01"
        : request.header("Authorization") == "Bearer secret-token")
    let user = messages.last?["content"] as? String ?? ""
    let system = isAnthropic ? body["system"] as? String : messages.first?["content"] as? String
    let document = user.split(separator: "\n", maxSplits: 1).dropFirst().first?.split(separator: "\n</").first ?? ""
    let data = (try? JSONSerialization.jsonObject(with: Data(document.utf8))) as? [String: Any] ?? [:]
    let strings = data["strings"] as? [[String: Any]] ?? []
    let question = Question(
      texts: strings.compactMap { $0["text"] as? String }, document: String(document), system: system ?? "",
      hasSchema: body["response_format"] != nil || body["output_config"] != nil || body["tools"] != nil)
    #expect(!question.texts.isEmpty, "the document has strings")
    let (behaviour, number) = state.withLock { state in
      state.questions.append(question)
      return (state.behaviour, state.questions.count)
    }
    if behaviour == .takesNoFormat, question.hasSchema {
      return .json(["error": ["message": "Invalid parameter: 'response_format' is not supported"]], status: 400)
    }
    if case .filters(let word, let message) = behaviour, question.texts.contains(where: { $0.contains(word) }) {
      return .json(["error": ["message": message]], status: 400)
    }
    let input = ((system ?? "").utf8.count + user.utf8.count) / 4
    let output = question.texts.reduce(thinking) { $0 + $1.utf8.count / 2 + 10 }
    state.withLock { state in
      state.questions[number - 1].input = input
      state.questions[number - 1].output = output
    }
    return Self.reply(
      strings, behaviour, number, (input, output), isAnthropic: isAnthropic, usesTool: body["tools"] != nil)
  }

  private static func reply(
    _ strings: [[String: Any]], _ behaviour: Behaviour, _ number: Int, _ tokens: (input: Int, output: Int),
    isAnthropic: Bool, usesTool: Bool
  ) -> LoopbackReply {
    let texts = strings.map { $0["text"] as? String ?? "" }
    var translations = zip(strings, texts).map { string, text in
      ["id": string["id"] as? String ?? "", "text": translated(text, behaviour)]
    }
    if behaviour == .unknownIDs { translations[0]["id"] = "99" }
    if behaviour == .extraID { translations.append(["id": "99", "text": "Зайве"]) }
    let object: [String: Any] = ["translations": translations]
    var content =
      (try? JSONSerialization.data(withJSONObject: object)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if behaviour == .brokenJSON || (behaviour == .brokenOnce && number == 1) {
      content = "Sure! Here you are: \(content.dropLast(2))"
    }
    var end = "done"
    if case .refuses(let word) = behaviour, texts.contains(where: { $0.contains(word) }) { end = "refusal" }
    if case .cuts(let limit) = behaviour, texts.count > limit {
      end = "cut"
      content = String(content.prefix(20))
    }
    if isAnthropic {
      let block: [String: Any] =
        usesTool
        ? ["type": "tool_use", "id": "t", "name": "return_translations", "input": object]
        : ["type": "text", "text": content]
      return .json([
        "id": "m", "type": "message", "role": "assistant", "content": [block],
        "stop_reason": ["refusal": "refusal", "cut": "max_tokens"][end] ?? "end_turn",
        "usage": ["input_tokens": tokens.input, "output_tokens": tokens.output],
      ])
    }
    var message: [String: Any] = ["role": "assistant", "content": content]
    if end == "refusal" { message = ["role": "assistant", "content": NSNull(), "refusal": "I cannot help with that."] }
    return .json([
      "id": "c", "object": "chat.completion",
      "choices": [["index": 0, "message": message, "finish_reason": end == "cut" ? "length" : "stop"]],
      "usage": ["prompt_tokens": tokens.input, "completion_tokens": tokens.output],
    ])
  }

  private static func translated(_ text: String, _ behaviour: Behaviour) -> String {
    switch behaviour {
    case .losesPlaceholders: "Птахи"
    case .wrongLanguage: "Das ist ein deutscher Text und keine Übersetzung %1$lld %2$@"
    default: translations[text] ?? "Переклад"
    }
  }
}
