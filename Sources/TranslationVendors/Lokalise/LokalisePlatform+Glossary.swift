// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// The glossary of a Lokalise project. Dragoman finds existing terms by their texts, and never deletes terms.
extension LokalisePlatform {
  static let takesGlossary = true
  /// The number of terms on one page: the API's maximum.
  private static let termPage = 500

  func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] {
    guard let language = try await language(code) else { return [:] }
    let there = try await storedTerms(Set(terms.map(\.text)))
    var (new, changed, left) = ([LokaliseMessages.TermEntry](), [LokaliseMessages.TermEntry](), [String: String]())
    for term in terms {
      let own = LokaliseMessages.TermTranslation(langId: language, translation: term.translation, description: "")
      guard let known = there[term.text] else {
        new.append(
          .init(
            term: term.text, description: term.description ?? "", caseSensitive: false, translatable: true,
            forbidden: false, translations: [own]))
        continue
      }
      // A term that is not translatable is the same in all languages.
      let stored =
        known.translatable == false
        ? known.term : known.translations.first { $0.langId == language }?.translation
      switch term.step(over: stored) {
      case .keep: break
      case .leave: left[term.text] = stored
      case .enter:
        // The translations into other languages are sent too, because the server might otherwise remove these translations.
        let others = known.translations.filter { $0.langId != language && !$0.translation.isEmpty }
        changed.append(.init(id: known.id, translations: others + [own]))
      }
    }
    try await send("POST", new)
    try await send("PUT", changed)
    return left
  }

  private func send(_ method: String, _ terms: [LokaliseMessages.TermEntry]) async throws {
    guard !terms.isEmpty else { return }
    try Task.checkCancellation()
    let request = try VendorHTTP.Request(
      method, ["projects", project, "glossary-terms"], json: LokaliseMessages.TermEntries(terms: terms))
    let response = try await client.json(request, as: LokaliseMessages.Terms.self)
    guard response.data.count == terms.count else {
      throw VendorError(
        kind: .protocolFault, at: "lokalise: \(method) /projects/\(project)/glossary-terms",
        detail: "Lokalise accepted \(response.data.count) of \(terms.count) terms")
    }
  }

  /// Returns Lokalise's ID of a language; `nil` if the project does not have the language.
  private func language(_ code: String) async throws -> Int? {
    try await client.json(
      VendorHTTP.Request("GET", ["projects", project, "languages"], query: [("limit", "500")]),
      as: LokaliseMessages.Languages.self
    ).languages.first { $0.lang_iso == code }?.lang_id
  }

  /// Returns the project's terms with these texts. If several terms have the same text, the oldest is returned.
  private func storedTerms(_ texts: Set<String>) async throws -> [String: LokaliseMessages.Term] {
    var found: [String: LokaliseMessages.Term] = [:]
    var cursor: Int?
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      var query = [(name: "limit", value: "\(Self.termPage)")]
      if let cursor { query.append((name: "cursor", value: "\(cursor)")) }
      let page = try await client.json(
        VendorHTTP.Request("GET", ["projects", project, "glossary-terms"], query: query),
        as: LokaliseMessages.Terms.self)
      for term in page.data where texts.contains(term.term) && term.id < found[term.term]?.id ?? .max {
        found[term.term] = term
      }
      guard page.meta?.hasMore == true, let next = page.meta?.cursor, next != cursor else { break }
      cursor = next
    }
    return found
  }
}

extension LokaliseMessages {
  struct Terms: Decodable {
    struct Place: Decodable {
      /// The cursor of the next page.
      var cursor: Int?
      var hasMore: Bool?
    }

    var data: [Term]
    var meta: Place?
  }

  struct Term: Decodable {
    var id: Int
    var term: String
    /// Whether the term can be translated. A term that is not translatable is the same in all languages.
    var translatable: Bool?
    /// One translation for each language of the project. The translation's text is empty if the term is not translated into the language.
    var translations: [TermTranslation]
  }

  struct TermTranslation: Codable {
    var langId: Int
    var translation: String
    var description: String?
  }

  struct TermEntries: Encodable {
    var terms: [TermEntry]
  }

  /// A new term or, with an ID, a change of an existing term.
  struct TermEntry: Encodable {
    var id: Int?
    var term: String?
    var description: String?
    var caseSensitive: Bool?
    var translatable: Bool?
    var forbidden: Bool?
    var translations: [TermTranslation]
  }
}
