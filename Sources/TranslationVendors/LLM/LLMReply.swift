/// A model's answer to one request, independent of the endpoint.
struct LLMReply: Sendable {
  enum End: Hashable, Sendable {
    case translations(LLMTranslations)
    /// The answer was cut off at the token limit or at the end of the model's context window, so the answer is not read.
    case cut
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
