// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// The pipeline's glossary. It belongs to the Phrase account, and is assigned to the project. Dragoman finds the glossary by its name, and the terms
/// by their texts.
extension PhrasePlatform {
  static let takesGlossary = true

  func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] {
    guard let locale = try await locale(code)?.code else { return [:] }
    let account = try await client.account()
    let glossary = try await client.glossary(named: glossary, of: account)
    let place = ["accounts", account, "glossaries", glossary, "terms"]
    let there = Dictionary(
      try await client.pages(place, of: PhraseMessages.Term.self, id: \.id, isOfProject: false).map { ($0.term, $0) }
    ) { first, _ in first }
    var left: [String: String] = [:]
    for term in terms {
      try Task.checkCancellation()
      let known = there[term.text]
      let translation = known?.translations.first { $0.locale_code == locale }
      switch term.step(over: translation?.content) {
      case .keep: break
      case .leave: left[term.text] = translation?.content
      case .enter:
        var id = known?.id
        if id == nil { id = try await client.add(term, to: place) }
        guard let id else { continue }
        let body = PhraseMessages.TermText(locale_code: locale, content: term.translation)
        let texts = place + [id, "translations"]
        if let translation {
          _ = try await client.http.send(
            try VendorHTTP.Request("PATCH", texts + [translation.id], json: body, isRepeatable: true))
        } else {
          _ = try await client.http.send(try VendorHTTP.Request("POST", texts, json: body))
        }
      }
    }
    return left
  }
}

extension PhraseClient {
  /// Returns the ID of the project's account.
  func account() async throws -> String {
    let asked = VendorHTTP.Request("GET", ["projects", project])
    guard let id = try await http.json(asked, as: PhraseMessages.Project.self).account?.id else {
      throw VendorError(
        kind: .configuration, at: "phrase: project \(project)",
        detail:
          "Phrase does not return the account of the project. Use a token of a user who may see the account")
    }
    return id
  }

  /// Returns the ID of a glossary of the account. If the glossary is missing, it is created. If it is not assigned to the project, it is assigned.
  func glossary(named name: String, of account: String) async throws -> String {
    let place = ["accounts", account, "glossaries"]
    let all = try await pages(place, of: PhraseMessages.Glossary.self, id: \.id, isOfProject: false)
    guard let known = all.first(where: { $0.name == name }) else {
      let new = PhraseMessages.NewGlossary(name: name, project_ids: project)
      return try await http.json(
        try VendorHTTP.Request("POST", place, json: new), as: PhraseMessages.Glossary.self
      ).id
    }
    let projects = (known.projects ?? []).map(\.id)
    if !projects.contains(project) {
      let change = PhraseMessages.NewGlossary(project_ids: (projects + [project]).joined(separator: ","))
      _ = try await http.send(
        try VendorHTTP.Request("PATCH", place + [known.id], json: change, isRepeatable: true))
    }
    return known.id
  }

  func add(_ term: PlatformTerm, to place: [String]) async throws -> String {
    let new = PhraseMessages.NewTerm(term: term.text, description: term.description, translatable: true)
    let request = try VendorHTTP.Request("POST", place, json: new)
    return try await http.json(request, as: PhraseMessages.NewTermResponse.self).id
  }
}

extension PhraseMessages {
  struct Project: Decodable, Sendable {
    struct Account: Decodable, Sendable {
      var id: String
    }

    var account: Account?
  }

  struct Glossary: Decodable, Sendable {
    struct Project: Decodable, Sendable {
      var id: String
    }

    var id: String
    var name: String
    var projects: [Project]?
  }

  struct NewGlossary: Encodable {
    var name: String?
    /// The IDs of the projects, separated by commas.
    var project_ids: String
  }

  struct Term: Decodable, Sendable {
    struct Translation: Decodable, Sendable {
      var id: String
      var locale_code: String
      var content: String
    }

    var id: String
    var term: String
    var translations: [Translation]
  }

  struct NewTerm: Encodable {
    var term: String
    var description: String?
    var translatable: Bool
  }

  struct NewTermResponse: Decodable, Sendable {
    var id: String
  }

  struct TermText: Encodable {
    var locale_code: String
    var content: String
  }
}
