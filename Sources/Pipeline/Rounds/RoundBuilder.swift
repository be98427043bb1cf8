import FoundationEssentials
import Localization

/// Makes rounds from the candidates. A round contains each unit at most once for each language. A second source text of the unit goes into
/// a second round.
struct RoundBuilder {
  let heads: [WatchedHead]
  /// The provenance of new units, by the index of the head from which they are sent.
  var origins: [Int: [UnitSource: Provenance]] = [:]

  private struct ShipmentKey: Hashable {
    var vendor: String
    var language: LocaleIdentifier
  }

  func rounds(of candidates: [RoundPlanner.Candidate], created: Date) -> [PlannedRound] {
    var rounds: [PlannedRound] = []
    var rest = candidates.filter(exportable(candidates))
    while !rest.isEmpty {
      var taken: Set<UnitInLanguage> = []
      var later: [RoundPlanner.Candidate] = []
      var byVendor: [ShipmentKey: [PlannedUnit]] = [:]
      for candidate in rest {
        guard taken.insert(UnitInLanguage(unit: candidate.unit, language: candidate.language)).inserted else {
          later.append(candidate)
          continue
        }
        guard let sentUnit = sentUnit(candidate) else { continue }
        byVendor[ShipmentKey(vendor: candidate.vendor, language: candidate.language), default: []].append(sentUnit)
      }
      let shipments = byVendor.sorted { ($0.key.vendor, $0.key.language) < ($1.key.vendor, $1.key.language) }.map {
        PlannedShipment(
          vendor: $0.vendor, language: $0.language, sourceLanguage: sourceLanguage, sentUnits: $1)
      }
      if !shipments.isEmpty { rounds.append(PlannedRound(created: created, shipments: shipments)) }
      rest = later
    }
    return rounds
  }

  private var sourceLanguage: LocaleIdentifier {
    heads.lazy.compactMap(\.snapshot).first?.project.sourceLanguage ?? "en"
  }

  private func sentUnit(_ candidate: RoundPlanner.Candidate) -> PlannedUnit? {
    guard let snapshot = heads[candidate.head].snapshot, let catalog = snapshot.synced[candidate.unit.catalog],
      let entry = catalog.entries[candidate.unit.key]
    else { return nil }
    return PlannedUnit(
      unit: candidate.unit,
      pin: SourcePin(key: candidate.unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
      source: entry.translations[catalog.sourceLanguage], baseline: entry.translations[candidate.language],
      commit: snapshot.commit.id, author: snapshot.commit.author.name,
      provenance: origins[candidate.head]?[UnitSource(unit: candidate.unit, pin: candidate.pin)])
  }

  /// Returns a filter for units that can be exported and have a text. Other units, such as those with an empty key or source text, could
  /// never be returned, so they are not sent.
  private func exportable(_ candidates: [RoundPlanner.Candidate]) -> (RoundPlanner.Candidate) -> Bool {
    struct Place: Hashable {
      var head: Int
      var catalog: TreePath
      var language: LocaleIdentifier
    }
    var wanted: [Place: Set<UnitKey>] = [:]
    for candidate in candidates {
      let place = Place(head: candidate.head, catalog: candidate.unit.catalog, language: candidate.language)
      wanted[place, default: []].insert(candidate.unit.key)
    }
    var exported: [Place: Set<UnitKey>] = [:]
    for (place, keys) in wanted {
      guard let catalog = heads[place.head].snapshot?.synced[place.catalog] else { continue }
      let units = catalog.units(keys, for: place.language)
      exported[place] = Set(units.filter { $0.isTranslatable && $0.source?.isEmpty == false }.map(\.key))
    }
    return { candidate in
      exported[Place(head: candidate.head, catalog: candidate.unit.catalog, language: candidate.language)]?.contains(
        candidate.unit.key)
        ?? false
    }
  }
}
