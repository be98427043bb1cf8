import CatalogFormats
import Localization
import Workspace

extension RoundMemory {
  /// Returns a memory with the known translations of some texts, and with all translations of the TMX files.
  func memory(
    of wanted: [ExchangeFile], heads: [WatchedHead], _ context: PipelineContext
  ) async throws -> TranslationMemory {
    let wanted = WantedTexts(wanted)
    var memory = TranslationMemory()
    guard !wanted.languages.isEmpty else { return memory }
    for snapshot in heads.compactMap(\.snapshot) {
      for (path, catalog) in snapshot.synced.sorted(by: { $0.key < $1.key }) {
        try Task.checkCancellation()
        for language in wanted.languages where language != catalog.sourceLanguage {
          let units = catalog.units(Set(catalog.entries.keys), for: language)
          memory.add(
            wanted.part(of: units, path.text, from: catalog.sourceLanguage, to: language).map { [$0] } ?? [])
        }
      }
    }
    let sourceLanguage = heads.lazy.compactMap(\.snapshot).first?.project.sourceLanguage ?? "en"
    for returned in try await context.store.takenReturns(of: context.name, in: wanted.languages) {
      let units = returned.units.map { unit in
        var unit = unit
        if unit.target?.finishedState == .translated { unit.target?.state = "translated" }
        return unit
      }
      memory.add(
        wanted.part(of: units, returned.unit.catalog.text, from: sourceLanguage, to: returned.language).map { [$0] }
          ?? [])
    }
    for document in try await documents() { memory.add(document) }
    return memory
  }
}

/// The texts to look up. A memory with only these texts is small.
private struct WantedTexts {
  let languages: Set<LocaleIdentifier>
  private let sources: Set<ExchangeText>

  init(_ files: [ExchangeFile]) {
    languages = Set(files.map(\.targetLanguage))
    sources = Set(files.flatMap { $0.units.compactMap(\.source) })
  }

  func part(
    of units: [ExchangeUnit], _ catalog: String, from source: LocaleIdentifier, to language: LocaleIdentifier
  ) -> ExchangeFile? {
    let wanted = units.filter { unit in unit.source.map(sources.contains) ?? false }
    guard !wanted.isEmpty else { return nil }
    return ExchangeFile(original: catalog, sourceLanguage: source, targetLanguage: language, units: wanted)
  }
}
