/// A model's answer to one request, independent of the endpoint.
struct LLMReply: Sendable {
  /// A limit at which an answer is cut off.
  enum Limit: Hashable, Sendable {
    /// The maximum number of tokens of an answer, which the request contains.
    case tokens
    /// The model's context window, which must hold the request and the answer.
    case window
    /// One of the two limits. The endpoint does not report which.
    case unknown
  }

  enum End: Hashable, Sendable {
    case translations(LLMTranslations)
    /// The answer was cut off at a limit, so it is not read.
    case cut(Limit)
    /// The request is too long for the model.
    case tooLong
    /// The model or a filter refused the request, with this message.
    case refused(String)
    /// The answer cannot be used, because it has the described fault. The description is shown to the model and to people.
    case unreadable(String)
  }

  var end: End
  /// The numbers of tokens; `nil` if the endpoint does not return them.
  var usage: LLMUsage?
}

extension LLMReply.End {
  /// Parses the text of a model's answer.
  init(text: String) {
    switch LLMTranslations.read(text) {
    case .success(let translations): self = .translations(translations)
    case .failure(let fault): self = .unreadable(fault.words)
    }
  }
}
