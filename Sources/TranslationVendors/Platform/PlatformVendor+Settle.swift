package import Localization

/// Handling of source texts that changed back to an earlier text, and of removed forms of source texts.
extension PlatformVendor {
  package func settle(_ texts: StandingTexts) async throws {
    let strings = strings(of: texts.sources)
    guard !strings.isEmpty else { return }
    let kept = Set(strings.map(\.id)).union(self.strings(of: texts.shapes).map(\.id))
    let former = ids(of: texts.formerPaths).union(former(among: strings)).subtracting(kept)
    let there = try await platform.strings(former.union(strings.map(\.id)))
    try await putAway(former.filter { there[$0]?.isArchived == false })
    let settled = strings.filter { !texts.outstanding.contains($0.unitID) }
    // The strings that are archived or have another source text at the platform. They get the text of `texts` again, for which the platform's current
    // translations were not made.
    var changed = settled.compactMap { string in
      there[string.id].flatMap { stored in
        stored.isArchived || Self.sourceDiffers(stored.source, string.source) ? string.changing(stored) : nil
      }
    }
    let ids = Set(changed.filter { there[$0.id]?.isArchived == false }.map(\.id))
    let before = try await translations(of: ids, for: texts)
    if !Platform.replacesTranslations {
      let stuck = Self.others(in: before, than: texts.translations)
      changed.removeAll { stuck.contains($0.id) }
    }
    try await restore(
      changed, settled.filter { there[$0.id] == nil && texts.returned.contains($0.unitID) }, over: there)
    let again = Set(settled.filter { texts.returned.contains($0.unitID) }.map(\.id)).union(changed.map(\.id))
    try await enter(texts, for: settled.filter { again.contains($0.id) }, before: before)
  }

  /// Returns the names of strings that have a translation in `found` that differs from the one in `files`, or is missing there.
  private static func others(
    in found: [LocaleIdentifier: [PlatformID: PlatformText]], than files: [ExchangeFile]
  ) -> Set<PlatformID> {
    let wanted = Dictionary(grouping: files, by: \.targetLanguage).mapValues { files in
      Dictionary(translations(of: files).map { ($0.id, $0.text) }) { first, _ in first }
    }
    return Set(
      found.flatMap { language, texts in texts.filter { wanted[language]?[$0.key] != $0.value }.map(\.key) })
  }

  /// Updates the changed strings and adds the missing strings.
  private func restore(
    _ changed: [PlatformString], _ missing: [PlatformString], over there: [PlatformID: StoredString]
  ) async throws {
    func prepared(_ strings: [PlatformString]) -> [PlatformString] {
      strings.map { string in
        var string = string
        prepare(&string, over: there[string.id])
        return string
      }
    }
    if !changed.isEmpty { try await describe(prepared(changed), as: "the source text of ") }
    guard !missing.isEmpty else { return }
    var search = RefusalSearch<PlatformString>(id: \.id) { strings in
      let there = try await platform.strings(Set(strings.map(\.id)))
      return strings.filter { there[$0.id] == nil }
    } send: { strings in
      try await platform.add(strings)
    }
    try await search.run(prepared(missing))
    warn(search.reasons)
  }

  /// Returns the platform's translations of strings into the languages of `texts`, by language. Languages that the platform does not have are left
  /// out.
  private func translations(
    of ids: Set<PlatformID>, for texts: StandingTexts
  ) async throws -> [LocaleIdentifier: [PlatformID: PlatformText]] {
    guard !ids.isEmpty else { return [:] }
    var found: [LocaleIdentifier: [PlatformID: PlatformText]] = [:]
    for language in Set(texts.translations.map(\.targetLanguage)).sorted() {
      try Task.checkCancellation()
      guard let code = try await knownCode(of: language) else { continue }
      let readable = try await platform.translations(ids, code: code).filter { $0.fault == nil }
      found[language] = Dictionary(readable.map { ($0.id, $0.text) }) { first, _ in first }
    }
    return found
  }

  /// Enters the translations of these strings where the platform has no translation, or has a translation of another source text.
  private func enter(
    _ texts: StandingTexts, for strings: [PlatformString], before: [LocaleIdentifier: [PlatformID: PlatformText]]
  ) async throws {
    let sources = Dictionary(strings.map { ($0.id, $0.source) }) { first, _ in first }
    guard !sources.isEmpty else { return }
    let others = Dictionary(grouping: texts.others, by: \.targetLanguage)
    for (language, files) in Dictionary(grouping: texts.translations, by: \.targetLanguage)
      .sorted(by: { $0.key < $1.key })
    {
      try Task.checkCancellation()
      let seeds = Self.translations(of: files).filter { sources[$0.id] != nil }
      guard !seeds.isEmpty, let code = try await knownCode(of: language) else { continue }
      let there = Dictionary(try await platform.translations(Set(seeds.map(\.id)), code: code).map { ($0.id, $0) }) {
        first, _ in first
      }
      let former = Dictionary(grouping: Self.translations(of: others[language] ?? []), by: \.id)
        .mapValues { Set($0.map(\.text)) }
      let wanted = seeds.compactMap { seed -> PlatformTranslation? in
        guard let source = sources[seed.id] else { return nil }
        var seed = seed
        seed.source = source
        guard let stored = there[seed.id] else {
          // Some platforms do not return translations of another source text.
          seed.replaces = before[language]?[seed.id]
          return seed
        }
        let isStale =
          stored.state < .translated || stored.source.map { Self.sourceDiffers($0, source) } ?? false
        let isOther =
          before[language]?[seed.id] == stored.text || former[seed.id, default: []].contains(stored.text)
        // If the stored text equals the wanted text and was not stored before, a person may have entered it in the meantime, so it is kept.
        guard isStale, isOther, stored.text != seed.text || before[language]?[seed.id] == stored.text else {
          return nil
        }
        seed.replaces = stored.text
        return seed
      }
      if !wanted.isEmpty { try await seed(wanted, code: code) }
    }
  }

  private static func translations(of files: [ExchangeFile]) -> [PlatformTranslation] {
    files.flatMap { file in
      var file = file
      for index in file.units.indices { file.units[index].target?.state = nil }
      return PlatformPacking.translations(of: file, keepsPlurals: Platform.keepsPlurals, areFinished: true)
    }
  }

  /// Returns the platform's code of a language; `nil` if the platform does not have the language. A missing language is reported when strings are
  /// sent in this language.
  private func knownCode(of language: LocaleIdentifier) async throws -> String? {
    do { return try await code(of: language) } catch let error as VendorError where error.kind == .unknownLanguage {
      return nil
    }
  }
}

extension PlatformString {
  fileprivate var unitID: UnitID { UnitID(catalog: catalog, key: unit) }

  /// Returns the string with the platform's comment.
  fileprivate func changing(_ stored: StoredString) -> PlatformString {
    var string = self
    string.comment = stored.comment
    return string
  }
}
