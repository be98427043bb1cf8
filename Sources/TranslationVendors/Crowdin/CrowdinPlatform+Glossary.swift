internal import HTTPTransport
internal import Localization

/// The glossary that a Crowdin project uses. A concept groups the terms for one thing in all languages. Dragoman finds a concept by the concept's
/// term in the source language.
extension CrowdinPlatform {
  static let takesGlossary = true

  func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] {
    let project = try await client.details()
    guard let glossary = project.defaultGlossaryId ?? project.assignedGlossaries?.first else {
      throw VendorError(
        kind: .configuration, at: "crowdin: project \(client.project)",
        detail: "the project uses no glossary. Assign one in its settings under Glossaries")
    }
    let all = try await client.terms(glossary)
    var left: [String: String] = [:]
    for term in terms {
      try Task.checkCancellation()
      let own = all.first { $0.languageId == project.sourceLanguageId && $0.text == term.text }
      let stored = all.filter { $0.languageId == code && $0.conceptId != nil && $0.conceptId == own?.conceptId }
      // A concept may have several terms in one language.
      let known =
        stored.first { $0.text == term.translation } ?? stored.first { $0.text == term.entered } ?? stored.first
      switch term.step(over: known?.text) {
      case .keep: break
      case .leave: left[term.text] = known?.text
      case .enter:
        if let known {
          try await client.change(known.id, to: term.translation, in: glossary)
        } else {
          let concept = try await concept(of: term, own, project, glossary)
          _ = try await client.add(
            .init(languageId: code, text: term.translation, conceptId: concept), to: glossary)
        }
      }
    }
    return left
  }

  /// Returns the ID of a term's concept. If the glossary does not contain the term, it is added.
  private func concept(
    of term: PlatformTerm, _ own: CrowdinMessages.Term?, _ project: CrowdinMessages.Project, _ glossary: Int
  ) async throws -> Int {
    var known = own
    if known == nil {
      known = try await client.add(
        .init(languageId: project.sourceLanguageId, text: term.text, description: term.description), to: glossary)
    }
    guard let concept = known?.conceptId else {
      throw VendorError(
        kind: .protocolFault, at: "crowdin: POST /glossaries/\(glossary)/terms",
        detail: "the responses contain no concept for the term “\(term.text)”")
    }
    return concept
  }
}

extension CrowdinClient {
  func terms(_ glossary: Int) async throws -> [CrowdinMessages.Term] {
    try await list(["glossaries", "\(glossary)", "terms"], of: CrowdinMessages.Term.self, id: \.id)
  }

  func add(_ term: CrowdinMessages.NewTerm, to glossary: Int) async throws -> CrowdinMessages.Term {
    try await http.json(
      try VendorHTTP.Request("POST", ["glossaries", "\(glossary)", "terms"], json: term),
      as: CrowdinMessages.Envelope<CrowdinMessages.Term>.self
    ).data
  }

  func change(_ term: Int, to text: String, in glossary: Int) async throws {
    _ = try await http.send(
      try VendorHTTP.Request(
        "PATCH", ["glossaries", "\(glossary)", "terms", "\(term)"], json: [CrowdinMessages.TermChange(value: text)],
        isRepeatable: true))
  }
}

extension CrowdinMessages {
  struct Term: Decodable, Sendable {
    var id: Int
    var languageId: String
    var text: String
    /// The ID of the term's concept. The translations of a term have the same concept.
    var conceptId: Int?
  }

  struct NewTerm: Encodable {
    var languageId: String
    var text: String
    var description: String?
    /// The ID of the term's concept. If this ID is `nil`, Crowdin creates a concept.
    var conceptId: Int?
  }

  struct TermChange: Encodable {
    var op = "replace"
    var path = "/text"
    var value: String
  }
}
