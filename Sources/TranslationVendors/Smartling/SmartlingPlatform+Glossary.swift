internal import HTTPTransport
internal import Localization

/// Upload of terms to the pipeline's glossary in the Smartling account. The glossary is identified by its name. An entry is identified by the entry's
/// term in the source language.
extension SmartlingPlatform {
  static let takesGlossary = true
  /// The maximum length of a term in characters. Smartling refuses longer terms.
  private static let mostText = 250

  func enter(
    _ terms: [PlatformTerm], from source: LocaleIdentifier, code: String
  ) async throws -> [String: String] {
    let project = try await client.details()
    let own = project.sourceLocaleId
    let place = try await client.glossary(named: glossary, of: project.accountUid, with: [own, code])
    var there: [String: SmartlingMessages.Entry] = [:]
    for entry in try await client.entries(place) {
      guard let text = entry[own]?.term, there[text] == nil else { continue }
      there[text] = entry
    }
    var left: [String: String] = [:]
    for term in terms where term.text.count <= Self.mostText && term.translation.count <= Self.mostText {
      try Task.checkCancellation()
      let known = there[term.text]
      let stored = known?[code]
      switch term.step(over: stored?.term) {
      case .keep: break
      case .leave: left[term.text] = stored?.term
      case .enter:
        var texts = stored ?? SmartlingMessages.EntryText(localeId: code)
        texts.term = term.translation
        let sourceText = known?[own] ?? SmartlingMessages.EntryText(localeId: own, term: term.text)
        var entry = known ?? SmartlingMessages.Entry(definition: term.description)
        entry.translations = [sourceText, texts]
        entry.skipMissingTranslations = known == nil ? nil : true
        try await client.put(entry, into: place)
      }
    }
    return left
  }
}

extension SmartlingClient {
  /// Returns the path of a glossary of the account. A missing glossary is created, and missing languages are added to the glossary.
  func glossary(named name: String, of account: String, with locales: [String]) async throws -> [String] {
    let place = ["glossary-api", "v3", "accounts", account, "glossaries"]
    let all = try await pages(
      place + ["search"], of: SmartlingMessages.Glossary.self, id: \.glossaryUid,
      SmartlingMessages.Search(query: name, glossaryState: "ACTIVE"))
    guard var known = all.first(where: { $0.glossaryName == name }) else {
      let new = SmartlingMessages.Glossary(glossaryName: name, localeIds: locales)
      let made = try await json(
        try VendorHTTP.Request("POST", place, json: new), as: SmartlingMessages.Glossary.self)
      return place + [try Self.id(of: made)]
    }
    let path = place + [try Self.id(of: known)]
    let missing = locales.filter { !(known.localeIds ?? []).contains($0) }
    if !missing.isEmpty {
      known.localeIds = (known.localeIds ?? []) + missing
      known.glossaryUid = nil
      _ = try await send(try VendorHTTP.Request("PUT", path, json: known, isRepeatable: true))
    }
    return path
  }

  private static func id(of glossary: SmartlingMessages.Glossary) throws -> String {
    guard let id = glossary.glossaryUid, !id.isEmpty else {
      throw VendorError(
        kind: .protocolFault, at: "smartling: glossary “\(glossary.glossaryName)”",
        detail: "the response has no glossaryUid")
    }
    return id
  }

  /// Returns all entries of a glossary.
  /// - Parameter glossary: the path of the glossary.
  func entries(_ glossary: [String]) async throws -> [SmartlingMessages.Entry] {
    try await pages(
      glossary + ["entries", "search"], of: SmartlingMessages.Entry.self, id: \.entryUid, SmartlingMessages.Search())
  }

  /// Adds an entry without an ID, or changes the existing entry with the same ID.
  func put(_ entry: SmartlingMessages.Entry, into glossary: [String]) async throws {
    var content = entry
    content.entryUid = nil
    if let id = entry.entryUid {
      _ = try await send(
        try VendorHTTP.Request("PUT", glossary + ["entries", id], json: content, isRepeatable: true))
    } else {
      _ = try await send(try VendorHTTP.Request("POST", glossary + ["entries"], json: content))
    }
  }

  /// Returns all results of a search.
  private func pages<Element: Decodable & Sendable>(
    _ path: [String], of type: Element.Type, id: (Element) -> String?, _ search: SmartlingMessages.Search
  ) async throws -> [Element] {
    try await OffsetPages.read(
      "smartling: POST /\(path.joined(separator: "/"))", id: id, mostPages: Self.mostPages
    ) { offset in
      var search = search
      search.paging = SmartlingMessages.Paging(offset: offset, limit: Self.pageSize)
      let page = try await json(
        try VendorHTTP.Request("POST", path, json: search, isRepeatable: true),
        as: SmartlingMessages.List<Element>.self)
      return OffsetPages.Page(elements: page.items, isLast: page.isLast(from: offset))
    }
  }
}

extension SmartlingMessages {
  struct Search: Encodable {
    var query: String?
    var glossaryState: String?
    var paging: Paging?
  }

  struct Paging: Encodable {
    var offset: Int
    var limit: Int
  }

  struct Glossary: Codable, Sendable {
    struct Fallback: Codable, Sendable {
      var fallbackLocaleId: String
      var localeIds: [String]
    }

    var glossaryUid: String?
    var glossaryName: String
    var description: String?
    var verificationMode: Bool?
    var localeIds: [String]?
    var fallbackLocales: [Fallback]?
  }

  /// An entry of a glossary. All properties that are read are also written back, so people's changes to them are kept.
  struct Entry: Codable, Sendable {
    var entryUid: String?
    var definition: String?
    var partOfSpeech: String?
    var labelUids: [String]?
    var customFieldValues: [CustomField]?
    var translations: [EntryText]?
    /// Whether languages that are missing in `translations` stay unchanged.
    var skipMissingTranslations: Bool?

    subscript(_ locale: String) -> EntryText? { translations?.first { $0.localeId == locale } }
  }

  struct EntryText: Codable, Sendable {
    var localeId: String
    var term: String?
    var notes: String?
    var caseSensitive: Bool?
    var exactMatch: Bool?
    var doNotTranslate: Bool?
    var disabled: Bool?
    var variants: [String]?
    var customFieldValues: [CustomField]?
  }

  struct CustomField: Codable, Sendable {
    var fieldUid: String
    var fieldValue: String?
  }
}
