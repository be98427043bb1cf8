internal import HTTPTransport
internal import Localization

/// A language model as a translation engine.
struct LLMEngine: TranslationEngine {
  static let kind = "llm"
  let settings: LLMSettings
  let client: LLMClient
  let books: LLMBooks

  var batchSize: Int { settings.batch }
  var fingerprint: String { settings.fingerprint }

  func translate(
    _ requests: [EngineRequest], from source: LocaleIdentifier, to code: String,
    keep: ([Int: EngineAnswer]) throws -> Void
  ) async throws {
    guard let first = requests.first else { return }
    let pair = LLMLanguagePair(source: source, target: first.context.language, code: code)
    let round = first.context.round
    var work = LLMWork(
      requests, check: LLMAnswerCheck(pair: pair, glossary: settings.glossary), corrections: settings.corrections,
      tokens: settings.tokens)
    while let group = work.next() {
      do {
        try Task.checkCancellation()
        let prompt = try LLMPrompt(group, pair, settings)
        try books.check(LLMClient.expected(prompt), round: round)
        work.take(try await client.ask(prompt, round: round).end, for: group)
      } catch {
        // The texts that were already translated are kept. The next pull requests the remaining texts.
        guard work.hasAnswers else { throw error }
        work.postpone(group, "\(error)")
      }
      try keep(work.takeAnswers())
    }
  }

  /// Returns an empty list, because a model may be used for any language, although the quality differs between languages.
  func languages() async throws -> [String] { [] }

  func probe() async throws -> VendorProbe? { try await client.probe() }
}
