internal import HTTPTransport
internal import Localization

/// A Localazy project as a platform. Each catalog is a file, and each string is a key in the file.
struct LocalazyPlatform: TranslationPlatform {
  static let kind = "localazy"
  static let keepsPlurals = true
  static let replacesTranslations = false
  /// The maximum number of keys in one request that deprecates keys.
  static let batch = 1000

  let client: LocalazyClient
  let locales: VendorLocales

  func languages() async throws -> [String] { try await client.languages().targets }

  func sourceLanguage() async throws -> String? { try await client.languages().source }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    let source = try await client.languages().source
    return try await keys(ids, source).mapValues { key in
      StoredString(
        source: key.value?.content ?? .plain(""), comment: key.comment.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: (key.deprecated ?? -1) >= 0)
    }
  }

  func add(_ strings: [PlatformString]) async throws {
    let source = try await client.languages().source
    try await client.send(texts(strings, source), language: source, forceSource: false, filterSource: true)
    // An import cannot set comments.
    let commented = strings.filter { !($0.comment ?? "").isEmpty }
    if !commented.isEmpty { try await describe(commented, try await keys(Set(commented.map(\.id)), source)) }
  }

  func change(_ strings: [PlatformString]) async throws {
    let source = try await client.languages().source
    let known = try await keys(Set(strings.map(\.id)), source)
    let there = strings.filter { known[$0.id] != nil }
    let changed = texts(there, source).filter { known[$0.id]?.value?.content != $0.text }
    try await client.send(changed, language: source, forceSource: true, filterSource: true)
    try await describe(there, known)
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let known = try await keys(Set(translations.map(\.id)), code)
    let language = locales.language(of: code) ?? LocaleIdentifier(code)
    var missing = translations.filter { known[$0.id]?.value?.content?.isEmpty ?? true }
    // The list for a language may omit keys without a translation, so the list for the source language shows whether such a key exists.
    let unsure = Set(missing.map(\.id).filter { known[$0] == nil })
    if !unsure.isEmpty {
      let there = try await keys(unsure, try await client.languages().source)
      missing.removeAll { unsure.contains($0.id) && there[$0.id] == nil }
    }
    // An import never changes existing translations, even if they are translations of another source text.
    try await client.send(
      missing.map { ($0.id, $0.text.limited(to: language)) }, language: code, forceSource: false, filterSource: false)
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let sources = try await keys(ids, try await client.languages().source)
    return try await keys(ids, code).sorted { $0.key < $1.key }.compactMap { id, key in
      guard let text = key.value?.content, !text.isEmpty else { return nil }
      // The list contains only approved translations.
      return PlatformTranslation(id: id, source: sources[id]?.value?.content?.asSource, text: text, state: .reviewed)
    }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    let source = try await client.languages().source
    for part in try await keys(ids, source).values.map(\.id).sorted().batches(of: Self.batch) {
      try Task.checkCancellation()
      _ = try await client.http.send(
        try VendorHTTP.Request(
          "POST", ["projects", client.project, "keys", "deprecate"], json: LocalazyMessages.Phrases(phrases: part),
          isRepeatable: true))
    }
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    let source = try await client.languages().source
    for key in try await keys(ids, source).values.map(\.id).sorted() {
      try Task.checkCancellation()
      _ = try await client.http.send(
        VendorHTTP.Request("DELETE", ["projects", client.project, "keys", key]), accepting: [404])
    }
  }

  /// Updates comments that differ and reactivates deprecated keys, with one request for each key.
  private func describe(_ strings: [PlatformString], _ known: [PlatformID: LocalazyMessages.Key]) async throws {
    for string in strings {
      try Task.checkCancellation()
      guard let key = known[string.id] else { continue }
      let comment = string.comment ?? ""
      guard comment != key.comment ?? "" || (key.deprecated ?? -1) >= 0 else { continue }
      _ = try await client.http.send(
        try VendorHTTP.Request(
          "PUT", ["projects", client.project, "keys", key.id],
          json: LocalazyMessages.KeyChange(comment: comment, deprecated: -1)))
    }
  }

  private func texts(_ strings: [PlatformString], _ source: String) -> [(id: PlatformID, text: PlatformText)] {
    let language = locales.language(of: source) ?? LocaleIdentifier(source)
    return strings.map { ($0.id, $0.source.limited(to: language)) }
  }

  /// Returns the keys of these strings with their texts in a language. Strings without a key are left out.
  private func keys(_ ids: Set<PlatformID>, _ language: String) async throws -> [PlatformID: LocalazyMessages.Key] {
    var found: [PlatformID: LocalazyMessages.Key] = [:]
    let names = Dictionary(grouping: ids, by: \.catalog)
    for (catalog, file) in try await client.files(Set(names.keys)).sorted(by: { $0.key < $1.key }) {
      let wanted = Dictionary((names[catalog] ?? []).map { (LocalazyClient.key($0.name), $0) }) { first, _ in first }
      for key in try await client.keys(file, language) {
        if key.key.count == 1, let id = wanted[key.key[0]] { found[id] = key }
      }
    }
    return found
  }
}
