internal import Foundation
internal import Localization

/// A Transifex resource without a file as a platform. At Transifex, a string's key is our name of the string, and the string's context is the
/// catalog's path.
///
/// The API can filter strings only by a single key, so methods that read strings or translations read the whole resource.
struct TransifexPlatform: TranslationPlatform {
  static let kind = "transifex"
  static let keepsPlurals = true
  /// The tag of strings that no longer exist on any branch. Transifex has no archive for strings.
  static let goneTag = "dragoman-gone"

  /// The maximum length of Transifex's instructions for a string. Comments are sent as instructions, because Transifex's developer comments, which
  /// have no limit, cannot be changed.
  static let commentLimit: Int? = 1000
  static let countsPlaceholders = false

  let client: TransifexClient

  func languages() async throws -> [String] { try await client.languages().map(\.attributes.code) }

  func sourceLanguage() async throws -> String? { try await client.sourceLanguage() }

  func sourceFacts() async throws -> [String] {
    try await client.checkResource()
    return ["Source texts are in \(try await client.sourceLanguage())."]
  }

  func strings(_ ids: Set<PlatformID>) async throws -> [PlatformID: StoredString] {
    try await stored(ids).mapValues { string in
      StoredString(
        source: string.text, comment: string.attributes.instructions.flatMap { $0.isEmpty ? nil : $0 },
        isArchived: string.attributes.tags.contains(Self.goneTag),
        limit: StoredLimit(string.attributes.character_limit))
    }
  }

  func add(_ strings: [PlatformString]) async throws {
    let categories = try await client.sourceCategories()
    let new = strings.map { self.new($0, categories) }
    try await client.send("POST", "resource_strings", new, isRepeatable: false, accepting: [409]) { part, _ in
      // Somebody else added one of the strings, so the server rejected the whole part.
      let there = Set(try await client.strings().map(\.platformID))
      let missing = part.filter {
        !there.contains(PlatformID(catalog: TreePath(trusted: $0.attributes.context), name: $0.attributes.key))
      }
      try await client.send("POST", "resource_strings", missing, isRepeatable: false)
    }
  }

  func change(_ strings: [PlatformString]) async throws {
    let known = try await stored(Set(strings.map(\.id)))
    let categories = try await client.sourceCategories()
    var changes: [TransifexMessages.StringChange] = []
    var replaced: [PlatformString] = []
    for string in strings {
      guard let found = known[string.id] else { continue }
      guard found.attributes.pluralized == string.source.isPlural else {
        replaced.append(string)
        continue
      }
      var attributes = TransifexMessages.StringChange.Attributes()
      let texts = string.source.transifexStrings(categories)
      if texts != found.attributes.strings { attributes.strings = texts }
      let comment = string.comment ?? ""
      if comment != found.attributes.instructions ?? "" { attributes.instructions = comment }
      if let limit = string.maxLength, StoredLimit(limit) != StoredLimit(found.attributes.character_limit) {
        attributes.character_limit = limit
      }
      if found.attributes.tags.contains(Self.goneTag) {
        attributes.tags = found.attributes.tags.filter { $0 != Self.goneTag }
      }
      if !attributes.isEmpty { changes.append(.init(id: found.id, attributes: attributes)) }
    }
    try await client.send("PATCH", "resource_strings", changes)
    guard !replaced.isEmpty else { return }
    // Transifex cannot change whether a string has plural forms, so the string is deleted and added again.
    try await delete(Set(replaced.map(\.id)))
    try await add(replaced)
  }

  func seed(_ translations: [PlatformTranslation], code: String) async throws {
    let wanted = Dictionary(translations.map { ($0.id, $0) }) { first, _ in first }
    let language = try await client.languages().first { $0.attributes.code == code }
    guard let categories = language?.categories else { return }
    let changes = try await client.translations(code).compactMap { found -> TransifexMessages.TranslationChange? in
      guard let ours = wanted[found.string.platformID] else { return nil }
      let stored = found.translation.attributes.strings.map {
        PlatformText(transifex: $0, isPlural: found.string.attributes.pluralized)
      }
      guard Self.isEmpty(found.translation) || stored.map(ours.mayReplace) ?? false else { return nil }
      return .init(id: found.translation.id, attributes: .init(strings: ours.text.transifexStrings(categories)))
    }
    try await client.send("PATCH", "resource_translations", changes)
  }

  func translations(_ ids: Set<PlatformID>, code: String) async throws -> [PlatformTranslation] {
    try await client.translations(code).compactMap { found in
      guard ids.contains(found.string.platformID), let strings = found.translation.attributes.strings,
        !Self.isEmpty(found.translation)
      else { return nil }
      return PlatformTranslation(
        id: found.string.platformID, source: found.string.text.asSource,
        text: PlatformText(transifex: strings, isPlural: found.string.attributes.pluralized),
        state: Self.state(found.translation, found.string))
    }
  }

  func archive(_ ids: Set<PlatformID>) async throws {
    let changes = try await stored(ids).values.sorted { $0.id < $1.id }.map { string in
      TransifexMessages.StringChange(
        id: string.id,
        attributes: .init(tags: string.attributes.tags.filter { $0 != Self.goneTag } + [Self.goneTag]))
    }
    try await client.send("PATCH", "resource_strings", changes)
  }

  func delete(_ ids: Set<PlatformID>) async throws {
    let there = try await stored(ids).values.map { TransifexMessages.Reference(type: "resource_strings", id: $0.id) }
    try await client.send("DELETE", "resource_strings", there.sorted { $0.id < $1.id }, accepting: [404])
  }

  /// Returns the state of a translation. Transifex does not mark translations when their source text changes. A translation that was neither
  /// made nor reviewed after the change therefore needs review.
  static func state(
    _ translation: TransifexMessages.ResourceTranslation, _ string: TransifexMessages.ResourceString
  ) -> PlatformState {
    let attributes = translation.attributes
    let looks = [
      attributes.datetime_translated, attributes.reviewed ? attributes.datetime_reviewed : nil,
      attributes.proofread ? attributes.datetime_proofread : nil,
    ]
    if let last = looks.compactMap({ $0.flatMap(date) }).max(),
      let changed = date(string.attributes.strings_datetime_modified), last < changed
    {
      return .needsReview
    }
    if attributes.reviewed || attributes.proofread { return .reviewed }
    let origin = attributes.origin ?? ""
    return origin.hasPrefix("MT:") || origin == "TX:AUTOMATED" ? .suggested : .translated
  }

  /// Parses a time such as `2026-01-05T10:00:00Z`, with or without fractions of a second.
  private static func date(_ text: String) -> Date? {
    let style = Date.ISO8601FormatStyle()
    return (try? style.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
  }

  private static func isEmpty(_ translation: TransifexMessages.ResourceTranslation) -> Bool {
    translation.attributes.strings?.values.allSatisfy(\.isEmpty) ?? true
  }

  private func new(_ string: PlatformString, _ categories: [PluralCategory]) -> TransifexMessages.NewString {
    TransifexMessages.NewString(
      attributes: .init(
        key: string.name, context: string.catalog.text, strings: string.source.transifexStrings(categories),
        pluralized: string.source.isPlural, instructions: string.comment,
        character_limit: string.maxLength),
      relationships: .init(resource: .init(data: .init(type: "resources", id: client.resource))))
  }

  private func stored(_ ids: Set<PlatformID>) async throws -> [PlatformID: TransifexMessages.ResourceString] {
    let wanted = try await client.strings().filter { ids.contains($0.platformID) }
    return Dictionary(wanted.map { ($0.platformID, $0) }) { first, _ in first }
  }
}
