/// A model's answer to one request, independent of the endpoint.
struct LLMReply: Sendable {
  enum End: Hashable, Sendable {
    case translations(LLMTranslations)
    /// The answer ended at the token limit: nothing in it is read.
    case cut
    /// The request does not fit into the model.
    case tooLong
    /// The model, or a filter, does not want to.
    case refused(String)
    /// The fault of the answer, for the model and for people.
    case unreadable(String)
  }

  var end: End
  /// `nil` if the endpoint does not return it.
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
