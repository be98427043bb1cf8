package import Localization
package import Workspace

/// Assigns units that were translated before to the translation memory instead of a vendor.
struct MemoryAssignment {
  private struct Place: Hashable {
    var head: Int
    var catalog: TreePath
    var language: LocaleIdentifier
  }

  let heads: [WatchedHead]
  let choice: VendorChoice
  let context: PipelineContext

  /// Returns the candidates. Candidates that the memory can translate get the memory as their vendor, unless their vendor receives every
  /// unit.
  func assign(_ candidates: [RoundPlanner.Candidate]) async throws -> [RoundPlanner.Candidate] {
    guard let source = context.memory, !candidates.isEmpty else { return candidates }
    let routes = context.routes
    var wanted: [Place: Set<UnitKey>] = [:]
    for candidate in candidates where isOpen(candidate, routes) {
      wanted[place(of: candidate), default: []].insert(candidate.unit.key)
    }
    let files = wanted.compactMap { place, keys -> (place: Place, catalog: Catalog, file: ExchangeFile)? in
      guard let catalog = heads[place.head].snapshot?.synced[place.catalog] else { return nil }
      return (
        place, catalog,
        ExchangeFile(
          original: place.catalog.text, sourceLanguage: catalog.sourceLanguage, targetLanguage: place.language,
          units: catalog.units(keys, for: place.language))
      )
    }
    let memory = try await source.memory(of: files.map(\.file), heads: heads, context)
    var known: [Place: Set<UnitKey>] = [:]
    for (place, catalog, file) in files {
      if let filled = memory.filled(file) { known[place] = Self.usable(filled, in: catalog) }
    }
    return candidates.map { candidate in
      guard isOpen(candidate, routes), known[place(of: candidate)]?.contains(candidate.unit.key) == true else {
        return candidate
      }
      var candidate = candidate
      candidate.vendor = MemoryVendor.reservedName
      return candidate
    }
  }

  /// Returns the keys whose translations would be accepted. Memories from other tools contain translations that would be held, for example
  /// because of wrong placeholders. A vendor translates these strings instead.
  private static func usable(_ filled: ExchangeFile, in catalog: Catalog) -> Set<UnitKey> {
    let review = ImportReview(catalogs: [catalog.path: catalog], languages: [filled.targetLanguage]).review([filled])
    return Set(filled.units.map(\.key)).subtracting(
      review.outcomes.filter { $0.holdReason != nil }.map(\.unit.key))
  }

  private func place(of candidate: RoundPlanner.Candidate) -> Place {
    Place(head: candidate.head, catalog: candidate.unit.catalog, language: candidate.language)
  }

  /// Returns whether the memory may get the unit: the unit is untranslated and in the first step of its route, its vendor does not receive
  /// every unit, and the memory did not refuse it.
  private func isOpen(_ candidate: RoundPlanner.Candidate, _ routes: VendorRoutes) -> Bool {
    candidate.step == 0 && candidate.isMissing && !routes.wantsAll(candidate.vendor)
      && candidate.sending.flatMap { choice.refusals[$0] }?.contains(MemoryVendor.reservedName) != true
  }
}

extension PipelineContext {
  /// Returns the translations that the translation memory has for some shipments.
  package func translationMemory(for shipments: [Shipment]) async throws -> TranslationMemory {
    guard let memory else { return TranslationMemory() }
    return try await memory.memory(of: shipments.flatMap(\.files), heads: WatchedHeads.load(self), self)
  }
}
