internal import Localization

/// A check of a model's translations for faults that a program can find.
struct LLMAnswerCheck: Sendable {
  let pair: LLMLanguagePair
  let glossary: LLMGlossary

  /// Returns a description of the first fault, for the model and for people; `nil` if there is none.
  func fault(of text: String, for request: EngineRequest) -> String? {
    let source = request.source
    if text.allSatisfy(\.isWhitespace) { return "the text is empty" }
    if text.utf8.count > source.utf8.count * 10 + 200 { return "the text is much longer than the source text" }
    if let control = ControlCharacters.first(in: text, notIn: source) {
      return "the text has the control character \(control)"
    }
    for escape in ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;", "\\n", "\\\""]
    where text.contains(escape) && !source.contains(escape) {
      return "the text has the escape \(escape), which is not in the source text"
    }
    if let fault = placeholders(of: text, for: request) ?? TagCheck.fault(of: text, against: source) { return fault }
    if let fault = MarkupCheck.fault(of: text, against: source) { return fault }
    if let lost = glossary.terms(in: [source], from: pair.source, to: pair.target).first(where: {
      $0.stays && source.contains($0.source) && !text.contains($0.source)
    }) {
      return "“\(lost.source)” must stay as it is"
    }
    return language(of: text, for: source)
  }

  private func placeholders(of text: String, for request: EngineRequest) -> String? {
    let entry = CatalogEntry(
      translations: [pair.source: request.context.forms ?? Translation(request.source, state: .translated)])
    let forms = SourceForms(key: request.unit.key, entry: entry, sourceLanguage: pair.source)
    let path = request.context.forms == nil ? .root : request.path
    return PlaceholderCheck(source: forms).difference(of: .text(text), at: path)?.message
  }

  private func language(of text: String, for source: String) -> String? {
    guard pair.source.language != pair.target.language || pair.source.script != pair.target.script else { return nil }
    if text.isExactly(source) {
      return isTranslatable(source) ? "the text is the unchanged source text" : nil
    }
    return LanguageEvidence.fault(of: Self.words(of: text), source: Self.words(of: source), in: pair.target)
  }

  /// Returns whether the text has at least two words that should change in a translation. Words of one letter, words without lower-case letters, and
  /// terms that are not translated do not count.
  private func isTranslatable(_ source: String) -> Bool {
    var words = Self.words(of: source)
    for term in glossary.terms(in: [source], from: pair.source, to: pair.target) where term.stays {
      words = words.replacing(term.source, with: " ")
    }
    let lowercased = words.split(whereSeparator: { !$0.isLetter }).filter {
      $0.count > 1 && $0.contains(where: \.isLowercase)
    }
    return lowercased.count > 1
  }

  /// Returns the text without placeholders, markup and addresses.
  private static func words(of text: String) -> String {
    PseudoScanner.pieces(of: text).map { piece in
      if case .words(let words) = piece { words } else { " " }
    }.joined()
  }
}
