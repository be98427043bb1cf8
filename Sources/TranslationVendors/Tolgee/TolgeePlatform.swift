internal import Localization

/// A Tolgee project as a platform. Each catalog is a namespace, and each string of the catalog is a key in this namespace. The source text is the
/// translation into the project's base language.
struct TolgeePlatform: TranslationPlatform {
  static let kind = "tolgee"
  static let keepsPlurals = true
  static let commentLimit: Int? = 2000
  /// The tag of keys that no longer exist on any branch. Tolgee has no archive.
  static let goneTag = "dragoman-gone"
  /// The maximum lengths of a namespace and of a key's name, in bytes.
  static let limits = (namespace: 100, name: 2000)

  let client: TolgeeClient
  let locales: VendorLocales

  /// The project's base language.
  private struct Source {
    var tag: String
    var language: LocaleIdentifier
  }

  func languages() async throws -> [String] {
    // This call throws an error if the project cannot store our keys.
    _ = try await source()
    return try await client.languages().filter { !$0.base }.map(\.tag)
  }

  func sourceLanguage() async throws -> String? { try await source().tag }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    let source = try await source()
    return try await keys(ids, [source.tag]).mapValues { key in
      StoredString(
        source: key.text(in: source.tag), comment: key.keyDescription.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: key.keyTags.contains { $0.name == Self.goneTag })
    }
  }

  func add(_ strings: [PlatformString]) async throws {
    let source = try await source()
    try await client.add(
      strings.filter(Self.canBeImported).map { string in
        TolgeeMessages.Import.Key(
          name: Self.name(string.id), namespace: Self.namespace(string.catalog), description: string.comment,
          translations: [source.tag: string.source.tolgeeText(source.language)])
      })
    for string in strings where !Self.canBeImported(string) {
      try Task.checkCancellation()
      try await client.create(
        TolgeeMessages.NewKey(
          name: Self.name(string.id), namespace: Self.namespace(string.catalog), description: string.comment,
          isPlural: string.source.isPlural,
          translations: [source.tag: string.source.tolgeeText(source.language)], maxCharLimit: string.maxLength,
          branch: client.branch))
    }
  }

  /// Returns whether an import can add a string. The import API has no properties for plural forms or length limits.
  private static func canBeImported(_ string: PlatformString) -> Bool {
    !string.source.isPlural && string.maxLength == nil
  }

  func change(_ strings: [PlatformString]) async throws {
    let source = try await source()
    let known = try await keys(Set(strings.map(\.id)), [source.tag])
    for string in strings {
      try Task.checkCancellation()
      guard let key = known[string.id] else { continue }
      let tags = key.keyTags.map(\.name)
      let isChanged =
        key.keyIsPlural != string.source.isPlural
        || key.text(in: source.tag) != string.source.limited(to: source.language)
      try await client.change(
        key.keyId,
        TolgeeMessages.Change(
          name: key.keyName, namespace: Self.namespace(string.catalog), description: string.comment ?? "",
          isPlural: string.source.isPlural,
          translations: isChanged ? [source.tag: string.source.tolgeeText(source.language)] : nil,
          tags: tags.contains(Self.goneTag) ? tags.filter { $0 != Self.goneTag } : nil, maxCharLimit: string.maxLength,
          branch: client.branch))
    }
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let known = try await keys(Set(translations.map(\.id)), [code])
    let language = locales.language(of: code) ?? LocaleIdentifier(code)
    let missing = translations.filter { translation in
      guard let key = known[translation.id], key.keyIsPlural == translation.text.isPlural else { return false }
      let stored = key.translations[code]
      return stored?.state != "DISABLED"
        && ((stored?.text ?? "").isEmpty
          || key.fault(in: code) == nil && translation.mayReplace(key.text(in: code)))
    }
    try await client.seed(
      missing.map { translation in
        TolgeeMessages.Seeds.Key(
          name: Self.name(translation.id), namespace: Self.namespace(translation.id.catalog),
          translations: [
            code: .init(
              text: translation.text.tolgeeText(language),
              resolution: translation.replaces == nil ? "EXPECT_NO_CONFLICT" : "OVERRIDE")
          ])
      })
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let source = try await source()
    return try await keys(ids, [source.tag, code]).sorted { $0.key < $1.key }.compactMap { id, key in
      guard let stored = key.translations[code], let state = Self.state(stored) else { return nil }
      let text = key.text(in: code)
      let fault = key.fault(in: code).map {
        "skipped the translation of “\(id.name.withVisibleControls)” into \(code): \($0)"
      }
      guard !text.isEmpty || fault != nil else { return nil }
      return PlatformTranslation(
        id: id, source: key.text(in: source.tag).asSource, text: text, state: state, fault: fault)
    }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    for key in try await keys(ids, [try await source().tag]).values.map(\.keyId).sorted() {
      try Task.checkCancellation()
      try await client.tag(key, Self.goneTag)
    }
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    try await client.delete(try await keys(ids, [try await source().tag]).values.map(\.keyId).sorted())
  }

  /// Returns the state of a translation; `nil` for an untranslated or disabled text.
  static func state(_ translation: TolgeeMessages.Translation) -> PlatformState? {
    switch translation.state {
    case "TRANSLATED", "REVIEWED":
      if translation.outdated { return .needsReview }
      if translation.state == "REVIEWED" { return .reviewed }
      return translation.auto ? .suggested : .translated
    default: return nil
    }
  }

  static func namespace(_ catalog: TreePath) -> String { PlatformID.short(catalog.text, limit: limits.namespace) }
  private static func name(_ id: PlatformID) -> String { PlatformID.short(id.name, limit: limits.name) }

  private func source() async throws -> Source {
    let project = try await client.details()
    guard let tag = project.baseLanguage?.tag else {
      throw VendorError(
        kind: .configuration, at: "tolgee: project \(client.project)",
        detail:
          "the project has no base language. Set it in the project's settings to the language of the source texts.")
    }
    guard project.useNamespaces ?? true else {
      throw VendorError(
        kind: .configuration, at: "tolgee: project \(client.project)",
        detail:
          "the project has no namespaces, but each catalog needs one. Turn them on in the project's advanced settings.")
    }
    return Source(tag: tag, language: locales.language(of: tag) ?? LocaleIdentifier(tag))
  }

  /// Returns the project's keys with these names, including their texts in these languages.
  private func keys(_ ids: Set<PlatformID>, _ tags: [String]) async throws -> [PlatformID: TolgeeMessages.Key] {
    var found: [PlatformID: TolgeeMessages.Key] = [:]
    for (catalog, ids) in Dictionary(grouping: ids, by: \.catalog).sorted(by: { $0.key < $1.key }) {
      let names = Dictionary(ids.map { (Self.name($0), $0) }) { first, _ in first }
      for key in try await client.keys(Self.namespace(catalog), tags) {
        if let id = names[key.keyName] { found[id] = key }
      }
    }
    return found
  }
}
