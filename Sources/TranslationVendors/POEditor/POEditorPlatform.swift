internal import Localization

/// A POEditor project as a platform. At POEditor, a term's text is our name of the string, and its context is the catalog's path. The source text is
/// the term's translation into the project's default reference language.
///
/// The API has no pages and no filter by name, so every request for terms reads all terms of the project.
struct POEditorPlatform: TranslationPlatform {
  static let kind = "poeditor"
  static let keepsPlurals = true
  /// The maximum number of terms or translations in one request. POEditor documents no limit.
  static let batch = 500
  /// The tag of terms that are no longer on any branch. POEditor has no archive.
  static let goneTag = "dragoman-gone"

  let client: POEditorClient
  let locales: VendorLocales

  func languages() async throws -> [String] {
    try await client.send(["languages", "list"], as: POEditorMessages.LanguagesResult.self).languages.map(\.code)
  }

  func sourceLanguage() async throws -> String? { try await reference() }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    try await terms(ids, code: try await reference()).mapValues { term in
      // If a plural term has no texts yet, an empty plain text is returned. The empty text differs from the source text, so the string is sent again.
      StoredString(
        source: term.text.isEmpty ? .plain("") : term.text, comment: term.comment.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: term.tags?.contains(Self.goneTag) ?? false)
    }
  }

  func add(_ strings: [PlatformString]) async throws {
    for part in strings.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { Self.data($0) }
      _ = try await client.send(
        ["terms", "add"], data: data, as: POEditorMessages.TermsDone.self, isRepeatable: false)
    }
    try await send(strings, stalesTranslations: false)
  }

  func change(_ strings: [PlatformString]) async throws {
    let known = try await terms(Set(strings.map(\.id)), code: try await reference())
    let there = strings.filter { known[$0.id] != nil }
    for part in there.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { string in
        var data = Self.data(string)
        if let tags = known[string.id]?.tags, tags.contains(Self.goneTag) {
          data.tags = tags.filter { $0 != Self.goneTag }
        }
        return data
      }
      _ = try await client.send(["terms", "update"], data: data, as: POEditorMessages.TermsDone.self)
    }
    let language = try await referenceLanguage()
    let changed = there.filter { string in known[string.id]?.text != string.source.limited(to: language) }
    try await send(changed, stalesTranslations: true)
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let known = try await terms(Set(translations.map(\.id)), code: code)
    let missing = translations.filter { known[$0.id]?.text.isEmpty ?? false }
    let language = locales.language(of: code) ?? LocaleIdentifier(code)
    let replaced = translations.filter { translation in
      known[translation.id].map { !$0.text.isEmpty && translation.mayReplace($0.text) } ?? false
    }
    for part in replaced.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { Self.data($0.id, $0.text.limited(to: language)) }
      _ = try await client.send(
        ["languages", "update"], language: code, [("fuzzy_trigger", "0")], data: data,
        as: POEditorMessages.TranslationsDone.self)
    }
    for part in missing.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { Self.data($0.id, $0.text.limited(to: language)) }
      // Unlike `languages/update`, this request does not change existing translations.
      _ = try await client.send(
        ["translations", "add"], language: code, data: data, as: POEditorMessages.TranslationsDone.self)
    }
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let sources = try await terms(ids, code: try await reference())
    return try await terms(ids, code: code).sorted { $0.key < $1.key }.compactMap { id, term in
      guard !term.text.isEmpty else { return nil }
      let state: PlatformState =
        term.translation?.fuzzy == 1 ? .needsReview : term.translation?.proofread == 1 ? .reviewed : .translated
      return PlatformTranslation(id: id, source: sources[id]?.text.asSource, text: term.text, state: state)
    }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    let known = try await terms(ids, code: try await reference()).sorted { $0.key < $1.key }
    for part in known.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { id, term in
        POEditorMessages.TermData(
          term: id.name, context: id.catalog.text,
          tags: (term.tags ?? []).filter { $0 != Self.goneTag } + [Self.goneTag])
      }
      _ = try await client.send(["terms", "update"], data: data, as: POEditorMessages.TermsDone.self)
    }
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    for part in ids.sorted().batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { POEditorMessages.TermData(term: $0.name, context: $0.catalog.text) }
      _ = try await client.send(["terms", "delete"], data: data, as: POEditorMessages.TermsDone.self)
    }
  }

  /// Enters the source texts.
  /// - Parameter stalesTranslations: whether the existing translations of these strings become fuzzy.
  private func send(_ strings: [PlatformString], stalesTranslations: Bool) async throws {
    guard !strings.isEmpty else { return }
    let code = try await reference()
    let language = try await referenceLanguage()
    for part in strings.batches(of: Self.batch) {
      try Task.checkCancellation()
      let data = part.map { Self.data($0.id, $0.source.limited(to: language)) }
      _ = try await client.send(
        ["languages", "update"], language: code, [("fuzzy_trigger", stalesTranslations ? "1" : "0")], data: data,
        as: POEditorMessages.TranslationsDone.self)
    }
  }

  private static func data(_ string: PlatformString) -> POEditorMessages.TermData {
    POEditorMessages.TermData(
      term: string.name, context: string.catalog.text, plural: string.source.isPlural ? string.name : "",
      comment: string.comment ?? "")
  }

  private static func data(_ id: PlatformID, _ text: PlatformText) -> POEditorMessages.TranslationData {
    POEditorMessages.TranslationData(
      term: id.name, context: id.catalog.text, translation: .init(content: FormsInJSON(text)))
  }

  /// Returns the code of the project's default reference language. The translations into this language are the source texts.
  private func reference() async throws -> String {
    let project = try await client.send(["projects", "view"], as: POEditorMessages.ProjectResult.self).project
    guard let code = project.reference_language, !code.isEmpty else {
      throw VendorError(
        kind: .configuration, at: "poeditor: project \(client.project)",
        detail:
          "the project has no default reference language. Set it in the project's settings to the language of the "
          + "source texts.")
    }
    return code
  }

  private func referenceLanguage() async throws -> LocaleIdentifier {
    let code = try await reference()
    return locales.language(of: code) ?? LocaleIdentifier(code)
  }

  /// Returns the project's terms for these strings, with their translations into a language.
  private func terms(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformID: POEditorMessages.Term] {
    let all = try await client.send(["terms", "list"], [("language", code)], as: POEditorMessages.TermsResult.self)
    var found: [PlatformID: POEditorMessages.Term] = [:]
    for term in all.terms {
      let id = PlatformID(catalog: TreePath(trusted: term.context), name: term.term)
      if ids.contains(id) { found[id] = term }
    }
    return found
  }
}
