internal import Foundation
internal import HTTPTransport
internal import Localization

/// A Crowdin project as a platform. In a file-based project, each catalog is a file whose keys are the names that Dragoman gives to strings.
/// To add or change texts, the whole file is uploaded. In a string-based project, a string's identifier is `<catalog>::<name>`.
struct CrowdinPlatform: TranslationPlatform {
  static let kind = "crowdin"
  static let keepsPlurals = true

  let client: CrowdinClient
  let locales: VendorLocales
  /// The project's place at the vendor, which is part of the keys for ``KeyedTurns``.
  let place: String
  /// The times when texts changed; `nil` unless Crowdin keeps translations whose source text changes.
  let times: CrowdinTextTimes?

  func languages() async throws -> [String] {
    // `open()` also checks that the branch exists.
    try await open().targets
  }

  func sourceLanguage() async throws -> String? { try await client.details().sourceLanguageId }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    try await stored(ids, try await open()).mapValues { string in
      StoredString(
        source: string.content, comment: string.context.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: string.isHidden ?? false, limit: StoredLimit(string.maxLength))
    }
  }

  func add(_ strings: [PlatformString]) async throws {
    let project = try await open()
    guard let branch = project.stringBranch else { return try await putFiles(strings, project) }
    try await add(strings, to: branch, project)
  }

  func change(_ strings: [PlatformString]) async throws {
    let project = try await open()
    guard let branch = project.stringBranch else { return try await putFiles(strings, project) }
    let known = try await stored(Set(strings.map(\.id)), project)
    var changes: [CrowdinMessages.Operation] = []
    var replaced: [PlatformString] = []
    for string in strings {
      guard let found = known[string.id] else { continue }
      if found.isPlural == string.source.isPlural {
        let text = string.source.limited(to: project.language)
        if found.content != text { changes.append(.replace(found.id, "text", .text(FormsInJSON(text)))) }
      } else {
        // Crowdin cannot change whether a string has plural forms, so the string is deleted and added again.
        replaced.append(string)
      }
    }
    try await client.patch(
      "strings", changes, query: [("updateOption", client.updateOption)], isRepeatable: true)
    if !replaced.isEmpty {
      try await delete(Set(replaced.map(\.id)))
      try await add(replaced, to: branch, project)
    }
    try await describe(strings, project)
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let project = try await open()
    let wanted = Dictionary(translations.map { ($0.id, $0) }) { first, _ in first }
    for part in try await parts(Set(wanted.keys), project) {
      let operations = try await missing(wanted, part, code)
      do {
        try await client.patch("translations", operations, isRepeatable: false)
      } catch let error as TransportError where error.kind == .status(400) {
        // Somebody may have entered one of the translations in the meantime. Crowdin then refuses the whole batch.
        let rest = try await missing(wanted, part, code)
        guard rest.count < operations.count else { throw error }
        try await client.patch("translations", rest, isRepeatable: false)
      }
    }
  }

  /// Returns operations that enter translations of strings that have no translation yet, or whose translation may be replaced. A replaced translation
  /// is not deleted; Crowdin returns one translation for each string (``CrowdinMessages/Translation``).
  private func missing(
    _ wanted: [PlatformID: PlatformTranslation], _ part: CrowdinPart, _ code: String
  ) async throws -> [CrowdinMessages.Operation] {
    let language = locales.language(of: code) ?? LocaleIdentifier(code)
    let there = Dictionary(try await client.translations(part.scope, code).map { ($0.stringId, $0.content) }) { a, _ in
      a
    }
    return try await stored(part).sorted { $0.key < $1.key }.flatMap { id, string -> [CrowdinMessages.Operation] in
      guard let translation = wanted[id], there[string.id].map(translation.mayReplace) ?? true,
        translation.text.isPlural == string.isPlural
      else { return [] }
      return Self.entries(translation.text.limited(to: language), string.id, code)
    }
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    let project = try await open()
    var found: [PlatformTranslation] = []
    for part in try await parts(ids, project) {
      try Task.checkCancellation()
      let texts = Dictionary(try await client.translations(part.scope, code).map { ($0.stringId, $0) }) { a, _ in a }
      guard !texts.isEmpty else { continue }
      let approved = try await client.approvals(part.scope, code)
      for (id, string) in try await stored(part).sorted(by: { $0.key < $1.key }) {
        guard let translation = texts[string.id], !translation.content.isEmpty else { continue }
        found.append(
          PlatformTranslation(
            id: id, source: string.content.asSource, text: translation.content,
            state: state(translation, of: string, approved), translator: translation.translator))
      }
    }
    return found
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    let strings = try await stored(ids, try await open()).values.map(\.id).sorted()
    try await client.patch("strings", strings.map { .replace($0, "isHidden", .flag(true)) }, isRepeatable: true)
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    let project = try await open()
    if project.stringBranch == nil { return try await deleteFromFiles(ids, project) }
    let strings = try await stored(ids, project).values.map(\.id).sorted()
    // A repeated request would fail, because the deleted strings no longer exist.
    try await client.patch("strings", strings.map { .remove($0) }, isRepeatable: false)
  }

  /// Returns the state of a translation. Crowdin removes approvals when a source text changes, unless the project's settings keep approvals. If the
  /// pipeline file keeps translations of changed texts (`changed: keep`), an unapproved translation that is older than its string's text needs
  /// review.
  private func state(
    _ translation: CrowdinMessages.Translation, of string: CrowdinMessages.SourceString, _ approved: Set<Int>
  ) -> PlatformState {
    if translation.translationIDs.allSatisfy(approved.contains) { return .reviewed }
    if client.changed == .keep, let changed = string.updatedAt.flatMap(Self.date),
      translation.times.compactMap(Self.date).contains(where: { $0 < changed })
    {
      return .needsReview
    }
    return .translated
  }

  private static func date(_ text: String) -> Date? { try? Date.ISO8601FormatStyle().parse(text) }

  private static func entries(
    _ text: PlatformText, _ string: Int, _ code: String
  ) -> [CrowdinMessages.Operation] {
    switch text {
    case .plain(let plain): [.add(.translation(.init(stringId: string, languageId: code, text: plain)))]
    case .plural(let forms):
      forms.named.sorted { $0.key < $1.key }.map { category, form in
        .add(.translation(.init(stringId: string, languageId: code, text: form, pluralCategoryName: category)))
      }
    }
  }

  private func add(_ strings: [PlatformString], to branch: Int, _ project: CrowdinProject) async throws {
    func send(_ strings: [PlatformString]) async throws {
      try await client.patch(
        "strings",
        strings.map { string in
          .add(
            .string(
              .init(
                text: FormsInJSON(string.source.limited(to: project.language)), identifier: string.id.text(),
                context: string.comment ?? "", branchId: branch, maxLength: string.maxLength)))
        }, isRepeatable: false)
    }
    do { try await send(strings) } catch let error as TransportError where error.kind == .status(400) {
      // Somebody may have added one of the strings in the meantime. Crowdin then refuses the whole batch.
      let known = try await stored(Set(strings.map(\.id)), project)
      guard !known.isEmpty else { throw error }
      try await send(strings.filter { known[$0.id] == nil })
    }
  }

  /// Returns whether Crowdin has any strings with keys from the file to which a string belongs. If so, Crowdin has read the file as a String Catalog
  /// and skipped only the missing string.
  private func isRead(_ id: PlatformID, _ project: CrowdinProject) async throws -> Bool {
    for part in try await parts([id], project) {
      if try await client.strings(part.scope).contains(where: { $0.identifier != nil }) { return true }
    }
    return false
  }

  /// Updates comments and length limits that differ, and makes hidden strings visible again.
  /// - Throws: `StringsRefused` for strings that Crowdin skipped when it read their files; `protocolFault` if Crowdin has no strings with keys from a
  ///   file.
  func describe(_ strings: [PlatformString], _ project: CrowdinProject) async throws {
    let known = try await stored(Set(strings.map(\.id)), project)
    var changes: [CrowdinMessages.Operation] = []
    var refused: [PlatformID: String] = [:]
    for string in strings {
      guard let found = known[string.id] else {
        // In a string-based project, somebody has deleted the string in the meantime. The string is added when it is pushed again.
        if project.stringBranch != nil { continue }
        if try await isRead(string.id, project) {
          refused[string.id] = "it is missing after the upload of \(CrowdinFile.path(of: string.catalog))"
          continue
        }
        throw VendorError(
          kind: .protocolFault, at: "crowdin: project \(client.project)",
          detail:
            "“\(string.name)” of \(string.catalog) is missing after its upload. Check whether Crowdin reads the file "
            + "\(CrowdinFile.path(of: string.catalog)) as a String Catalog")
      }
      let comment = string.comment ?? ""
      // If the string has no comment, the context at Crowdin is kept. Crowdin generates contexts for the strings of a file, and people can edit
      // contexts.
      if !comment.isEmpty, comment != found.context ?? "" {
        changes.append(.replace(found.id, "context", .text(.text(comment))))
      }
      if let limit = string.maxLength, StoredLimit(limit) != StoredLimit(found.maxLength) {
        changes.append(.replace(found.id, "maxLength", .number(limit)))
      }
      if found.isHidden == true { changes.append(.replace(found.id, "isHidden", .flag(false))) }
    }
    try await client.patch("strings", changes, isRepeatable: true)
    if !refused.isEmpty { throw StringsRefused(reasons: refused) }
  }
}
