// The members have the API's names.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import HTTPTransport
internal import Localization

/// A Lokalise project as a platform. The name of a key is `<catalog>::<name>`, which is unique over all catalogs of the project.
struct LokalisePlatform: TranslationPlatform {
  static let kind = "lokalise"
  static let keepsPlurals = true
  /// The number of keys in one request and on one page: the API's maximum.
  static let batch = 500
  /// The number of keys that one request reads again directly before their translations are written. Without this reading, a text that somebody has
  /// changed in the meantime would be overwritten, because the API has no conditional writes.
  static let readAgain = 4
  /// The maximum number of pages to read: more than any real project has. Without a limit, a faulty server could return pages forever.
  static let mostPages = 2000

  let client: VendorHTTP
  let project: String
  let platform: String

  /// A key of the project and the id of its string.
  struct Found {
    var id: PlatformID
    var key: LokaliseMessages.Key

    func text(in code: String) -> (translation: LokaliseMessages.Translation, text: PlatformText)? {
      guard let translation = key.translations?.first(where: { $0.language_iso == code }),
        let text = PlatformText(lokalise: translation.translation, isPlural: key.is_plural ?? false)
      else { return nil }
      return (translation, text)
    }
  }

  func languages() async throws -> [String] {
    try await client.json(
      VendorHTTP.Request("GET", ["projects", project, "languages"], query: [("limit", "500")]),
      as: LokaliseMessages.Languages.self
    ).languages.map(\.lang_iso)
  }

  func sourceLanguage() async throws -> String? {
    struct Project: Decodable {
      var base_language_iso: String?
    }
    return try await client.json(VendorHTTP.Request("GET", ["projects", project]), as: Project.self).base_language_iso
  }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    let source = try await sourceCode()
    var strings: [PlatformID: StoredString] = [:]
    for found in try await keys(ids) {
      let text = found.text(in: source)?.text ?? (found.key.is_plural == true ? .plural([:]) : .plain(""))
      let comment = found.key.description.flatMap { $0.isEmpty ? nil : $0 }
      strings[found.id] = StoredString(
        source: text, comment: comment, isArchived: found.key.is_archived ?? false,
        limit: StoredLimit(found.key.char_limit))
    }
    return strings
  }

  func add(_ strings: [PlatformString]) async throws {
    let source = try await sourceCode()
    var refused: [PlatformID: String] = [:]
    for start in stride(from: 0, to: strings.count, by: Self.batch) {
      try Task.checkCancellation()
      let part = strings[start..<min(start + Self.batch, strings.count)]
      let body = LokaliseMessages.NewKeys(
        keys: part.map { string in
          var isPlural = false
          if case .plural = string.source { isPlural = true }
          return LokaliseMessages.NewKey(
            key_name: string.id.text(), description: string.comment ?? "", platforms: [platform],
            filenames: [platform: string.catalog.text], is_plural: isPlural,
            char_limit: string.maxLength,
            translations: [.init(language_iso: source, translation: string.lokaliseSource(over: nil).lokaliseText)])
        })
      let request = try VendorHTTP.Request("POST", ["projects", project, "keys"], json: body)
      for error in try await client.json(request, as: LokaliseMessages.KeysDone.self).errors ?? [] {
        guard let string = part.first(where: { $0.id.text() == error.key_name?.text }) else { continue }
        refused[string.id] = client.redacted(error.message ?? "no reason given")
      }
    }
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }

  func change(_ strings: [PlatformString]) async throws {
    let source = try await sourceCode()
    let known = Dictionary(try await keys(Set(strings.map(\.id))).map { ($0.id, $0) }) { first, _ in first }
    var changes: [LokaliseMessages.KeyChanges.KeyChange] = []
    var ids: [Int: PlatformID] = [:]
    var texts: [(text: PlatformText, place: LokaliseMessages.Translation)] = []
    var translated: [Int] = []
    for string in strings {
      guard let found = known[string.id] else { continue }
      ids[found.key.key_id] = string.id
      let isOther = string.source.isPlural != (found.key.is_plural ?? false)
      changes.append(
        .init(
          key_id: found.key.key_id, description: string.comment ?? "", is_archived: false,
          char_limit: string.maxLength, is_plural: isOther ? string.source.isPlural : nil))
      guard let stored = found.text(in: source) else { continue }
      let text = string.lokaliseSource(over: stored.text)
      guard text != stored.text else { continue }
      if !stored.text.isEmpty { translated.append(found.key.key_id) }
      texts.append((text, stored.translation))
    }
    // The translations are marked as unverified before the texts change. Otherwise, a translation of the old text could be mistaken for a
    // translation of the new text. Lokalise itself marks translations only in projects that are configured for this.
    try await unverify(translated, except: source)
    var refused: [PlatformID: String] = [:]
    for error in try await update(changes) {
      // An error without the ID of one of these keys is ignored, because somebody may have deleted the key in the meantime. Such a key is added when
      // its string is pushed again.
      guard let id = error.key_id.flatMap({ ids[$0] }) else { continue }
      refused[id] = client.redacted(error.message ?? "no reason given")
    }
    // The texts are entered after the keys are updated, because only a plural key accepts plural forms.
    for (text, place) in texts {
      try await enter(LokaliseMessages.NewText(translation: text.lokaliseText), at: place)
    }
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }

  /// Writes each translation with its own request. If there are many translations, uploading files by hand once is faster (docs/vendors/lokalise.md).
  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let known = Dictionary(try await keys(Set(translations.map(\.id))).map { ($0.id, $0) }) { first, _ in first }
    let wanted = translations.filter { translation in
      known[translation.id]?.text(in: code).map { translation.mayReplace($0.text) } ?? false
    }
    for start in stride(from: 0, to: wanted.count, by: Self.readAgain) {
      let part = wanted[start..<min(start + Self.readAgain, wanted.count)]
      let present = try await keys(numbered: part.compactMap { known[$0.id]?.key.key_id })
      for translation in part {
        guard let found = known[translation.id], let key = present[found.key.key_id],
          let stored = Found(id: found.id, key: key).text(in: code), translation.mayReplace(stored.text)
        else { continue }
        var text = LokaliseMessages.NewText(translation: translation.text.lokaliseText)
        if !stored.text.isEmpty { text.is_unverified = false }
        try await enter(text, at: stored.translation)
      }
    }
  }

  /// Marks the translations of keys into all languages except the source language as unverified.
  private func unverify(_ numbers: [Int], except source: String) async throws {
    for number in numbers {
      guard let key = try await keys(numbered: [number])[number] else { continue }
      for translation in key.translations ?? []
      where translation.language_iso != source && !translation.translation.isEmpty && translation.is_unverified != true
      {
        try await enter(
          LokaliseMessages.NewText(translation: translation.translation, is_unverified: true, is_reviewed: false),
          at: translation)
      }
    }
  }

  private func enter(_ text: LokaliseMessages.NewText, at place: LokaliseMessages.Translation) async throws {
    _ = try await client.send(
      try VendorHTTP.Request(
        "PUT", ["projects", project, "translations", String(place.translation_id)], json: text))
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let source = try await sourceCode()
    return try await keys(ids).compactMap { found in
      guard let stored = found.text(in: code), !stored.text.isEmpty else { return nil }
      let state: PlatformState =
        stored.translation.is_unverified == true || stored.translation.is_fuzzy == true
        ? .needsReview : stored.translation.is_reviewed == true ? .reviewed : .translated
      return PlatformTranslation(
        id: found.id, source: found.text(in: source)?.text, text: stored.text, state: state,
        translator: Translator(name: nil, address: stored.translation.modified_by_email))
    }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    _ = try await update(
      try await keys(ids).map { .init(key_id: $0.key.key_id, description: nil, is_archived: true) })
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    let numbers = try await keys(ids).map(\.key.key_id).sorted()
    for start in stride(from: 0, to: numbers.count, by: Self.batch) {
      let part = Array(numbers[start..<min(start + Self.batch, numbers.count)])
      _ = try await client.send(
        try VendorHTTP.Request("DELETE", ["projects", project, "keys"], json: LokaliseMessages.KeyIDs(keys: part)),
        accepting: [404])
    }
  }

  /// Changes keys.
  /// - Returns: the refusals of keys that were not changed.
  private func update(
    _ changes: [LokaliseMessages.KeyChanges.KeyChange]
  ) async throws -> [LokaliseMessages.KeysDone.Refusal] {
    var refused: [LokaliseMessages.KeysDone.Refusal] = []
    for start in stride(from: 0, to: changes.count, by: Self.batch) {
      let part = Array(changes[start..<min(start + Self.batch, changes.count)])
      let request = try VendorHTTP.Request(
        "PUT", ["projects", project, "keys"], json: LokaliseMessages.KeyChanges(keys: part))
      refused += try await client.json(request, as: LokaliseMessages.KeysDone.self).errors ?? []
    }
    return refused
  }

  /// Returns Lokalise's code of the project's source language, or `en` if Lokalise does not report the language.
  private func sourceCode() async throws -> String { try await sourceLanguage() ?? "en" }

  /// Returns the project's keys for these strings. The keys are read file by file with the API's cursor. A key that appears on several pages is
  /// returned once. Because the API separates file names with commas, the whole project is read if a file name contains a comma.
  func keys(_ ids: Set<PlatformID>) async throws -> [Found] {
    let names = Dictionary(ids.map { ($0.text(), $0) }) { first, _ in first }
    var found: [Int: Found] = [:]
    let catalogs = Set(ids.map(\.catalog.text)).sorted()
    let filters: [String?] = catalogs.contains { $0.contains(",") } ? [nil] : catalogs
    for filter in filters {
      for key in try await keys(filter.map { (name: "filter_filenames", value: $0) }) {
        if let id = names[key.key_name.text] { found[key.key_id] = Found(id: id, key: key) }
      }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Reads the current state of keys by their IDs.
  private func keys(numbered numbers: [Int]) async throws -> [Int: LokaliseMessages.Key] {
    guard !numbers.isEmpty else { return [:] }
    let found = try await keys((name: "filter_key_ids", value: numbers.map(String.init).joined(separator: ",")))
    return Dictionary(found.map { ($0.key_id, $0) }) { first, _ in first }
  }

  private func keys(_ filter: (name: String, value: String)?) async throws -> [LokaliseMessages.Key] {
    var found: [LokaliseMessages.Key] = []
    var cursor: String?
    for _ in 0..<Self.mostPages {
      try Task.checkCancellation()
      var query = [
        ("pagination", "cursor"), ("limit", String(Self.batch)), ("include_translations", "1"),
        ("filter_archived", "include"),
      ].map { (name: $0.0, value: $0.1) }
      if let filter { query.append(filter) }
      if let cursor { query.append((name: "cursor", value: cursor)) }
      let request = VendorHTTP.Request("GET", ["projects", project, "keys"], query: query)
      let response = try await client.send(request)
      found += try client.decode(response, request, as: LokaliseMessages.Keys.self).keys
      let next = response.head.header("X-Pagination-Next-Cursor").flatMap { $0.isEmpty ? nil : $0 }
      guard let next, next != cursor else { break }
      cursor = next
    }
    return found
  }
}
