import FoundationEssentials
import Localization

/// Makes rounds of what is to be sent. One unit goes into a round once a language: a second source of it makes a second round.
struct RoundBuilder {
  let heads: [WatchedHead]
  /// Where new units come from, by the number of the head.
  var origins: [Int: [UnitSource: Provenance]] = [:]

  private struct Slot: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
  }

  private struct Parcel: Hashable {
    var vendor: String
    var language: LocaleIdentifier
  }

  func rounds(of picks: [RoundPlanner.Pick], created: Date) -> [PlannedRound] {
    var rounds: [PlannedRound] = []
    var rest = picks.filter(exportable(picks))
    while !rest.isEmpty {
      var taken: Set<Slot> = []
      var later: [RoundPlanner.Pick] = []
      var parcels: [Parcel: [PlannedConsignment]] = [:]
      for pick in rest {
        guard taken.insert(Slot(unit: pick.unit, language: pick.language)).inserted else {
          later.append(pick)
          continue
        }
        guard let consignment = consignment(pick) else { continue }
        parcels[Parcel(vendor: pick.vendor, language: pick.language), default: []].append(consignment)
      }
      let shipments = parcels.sorted { ($0.key.vendor, $0.key.language) < ($1.key.vendor, $1.key.language) }.map {
        PlannedShipment(
          vendor: $0.vendor, language: $0.language, sourceLanguage: sourceLanguage, consignments: $1)
      }
      if !shipments.isEmpty { rounds.append(PlannedRound(created: created, shipments: shipments)) }
      rest = later
    }
    return rounds
  }

  private var sourceLanguage: LocaleIdentifier {
    heads.lazy.compactMap(\.snapshot).first?.project.sourceLanguage ?? "en"
  }

  private func consignment(_ pick: RoundPlanner.Pick) -> PlannedConsignment? {
    guard let snapshot = heads[pick.head].snapshot, let catalog = snapshot.synced[pick.unit.catalog],
      let entry = catalog.entries[pick.unit.key]
    else { return nil }
    return PlannedConsignment(
      unit: pick.unit, pin: SourcePin(key: pick.unit.key, entry: entry, sourceLanguage: catalog.sourceLanguage),
      source: entry.translations[catalog.sourceLanguage], baseline: entry.translations[pick.language],
      commit: snapshot.commit.id, author: snapshot.commit.author.name,
      provenance: origins[pick.head]?[UnitSource(unit: pick.unit, pin: pick.pin)])
  }

  /// Units that an exporter writes nothing for (an empty key) could never come back, and are not sent.
  private func exportable(_ picks: [RoundPlanner.Pick]) -> (RoundPlanner.Pick) -> Bool {
    struct Place: Hashable {
      var head: Int
      var catalog: TreePath
      var language: LocaleIdentifier
    }
    var wanted: [Place: Set<UnitKey>] = [:]
    for pick in picks {
      let place = Place(head: pick.head, catalog: pick.unit.catalog, language: pick.language)
      wanted[place, default: []].insert(pick.unit.key)
    }
    var exported: [Place: Set<UnitKey>] = [:]
    for (place, keys) in wanted {
      guard let catalog = heads[place.head].snapshot?.synced[place.catalog] else { continue }
      let units = catalog.units(keys, for: place.language)
      exported[place] = Set(units.filter(\.isTranslatable).map(\.key))
    }
    return { pick in
      exported[Place(head: pick.head, catalog: pick.unit.catalog, language: pick.language)]?.contains(pick.unit.key)
        ?? false
    }
  }
}
