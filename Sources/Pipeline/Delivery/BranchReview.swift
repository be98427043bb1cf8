import Localization

/// Reviews returned units against the catalogs of the commit that the next one will stand on.
struct BranchReview {
  let snapshot: Snapshot
  /// The other watched branches: what only they have is none of this branch's business.
  let others: [WatchedHead]
  /// Languages of which nothing is delivered yet.
  let withheld: Set<LocaleIdentifier>

  struct Result {
    /// Reviewed catalogs that change, over the catalogs in step with code.
    var catalogs: [TreePath: Catalog] = [:]
    /// The arrivals that change something, with where they stand.
    var taken: [Arrival] = []
    var placements: [Placement] = []
  }

  private struct Slot: Hashable {
    var unit: UnitID
    var language: LocaleIdentifier
  }

  func review(_ arrivals: [Arrival]) -> Result {
    var result = Result()
    let base = snapshot.commit.id
    var chosen: [Slot: Arrival] = [:]
    for arrival in arrivals where concerns(arrival) {
      let slot = Slot(unit: arrival.unit, language: arrival.language)
      guard let rival = chosen[slot] else {
        chosen[slot] = arrival
        continue
      }
      // Of several, the newest that was made for the source as it is.
      let isBetter = fits(arrival) || !fits(rival)
      chosen[slot] = isBetter ? arrival : rival
      result.placements.append(
        Placement(arrival: (isBetter ? rival : arrival).id, state: .passedOver, reviewed: base))
    }
    // Held against these very catalogs: nothing has changed since.
    chosen = chosen.filter { !($1.placement?.state == .held && $1.placement?.reviewed == base) }
    let incoming = chosen.values.sorted { $0.id < $1.id }
    guard !incoming.isEmpty else { return result }
    let reviewed = review(files(incoming), exports: chosen.mapValues(export))
    var outcomes: [Slot: [UnitOutcome]] = [:]
    for outcome in reviewed.outcomes {
      outcomes[Slot(unit: outcome.unit, language: outcome.language), default: []].append(outcome)
    }
    result.catalogs = reviewed.catalogs
    for arrival in incoming {
      let own = outcomes[Slot(unit: arrival.unit, language: arrival.language)] ?? []
      let reasons = own.compactMap(\.holdReason)
      if own.contains(where: { $0.verdict == .taken }) { result.taken.append(arrival) }
      let translation = (reviewed.catalogs[arrival.unit.catalog] ?? snapshot.synced[arrival.unit.catalog])?
        .entries[arrival.unit.key]?.translations[arrival.language]?.digest
      let state: Placement.State =
        if !reasons.isEmpty || own.isEmpty { .held } else if own.contains(where: { $0.verdict == .taken }) {
          .delivered
        } else { .settled }
      result.placements.append(
        Placement(
          arrival: arrival.id, state: state, reviewed: base,
          reason: reasons.first { !$0.isOutstanding } ?? reasons.first ?? (own.isEmpty ? .unknownCatalog : nil),
          translation: translation))
    }
    return result
  }

  private func review(_ files: [ExchangeFile], exports: [Slot: ExportRecord?]) -> ReviewedImport {
    let exported: @Sendable (UnitID, LocaleIdentifier) -> ExportRecord? = { unit, language in
      exports[Slot(unit: unit, language: language)] ?? nil
    }
    return ImportReview(
      catalogs: snapshot.synced, unreadable: snapshot.broken, languages: Set(snapshot.languages), exported: exported
    ).review(files)
  }

  /// What stood in the catalog when the unit was sent; where an earlier return of ours stands there now, that: a translator's second
  /// thought replaces the first, and only a person's change is one.
  private func export(_ arrival: Arrival) -> ExportRecord? {
    let current = snapshot.synced[arrival.unit.catalog]?.entries[arrival.unit.key]?.translations[arrival.language]
    guard var export = arrival.export, let current, current.digest == arrival.standing else { return arrival.export }
    export.translation = current
    return export
  }

  private func files(_ arrivals: [Arrival]) -> [ExchangeFile] {
    let grouped = Dictionary(grouping: arrivals) {
      Slot(unit: UnitID(catalog: $0.unit.catalog, key: ""), language: $0.language)
    }
    return grouped.sorted { ($0.key.unit, $0.key.language) < ($1.key.unit, $1.key.language) }.map { slot, arrivals in
      ExchangeFile(
        original: slot.unit.catalog.text, sourceLanguage: snapshot.project.sourceLanguage,
        targetLanguage: slot.language, units: arrivals.flatMap(\.units))
    }
  }

  /// Whether the unit is to be reviewed here now.
  private func concerns(_ arrival: Arrival) -> Bool {
    let catalog = arrival.unit.catalog
    guard !withheld.contains(arrival.language), !snapshot.isUncertain(catalog, in: arrival.language) else {
      return false
    }
    let standsElsewhere = others.contains { head in
      guard let pin = head.snapshot?.synced[catalog]?.pin(of: arrival.unit.key) else { return false }
      return arrival.pin == nil || arrival.pin == pin
    }
    guard let pin = snapshot.synced[catalog]?.pin(of: arrival.unit.key) else { return !standsElsewhere }
    return arrival.pin == nil || arrival.pin == pin || !standsElsewhere
  }

  private func fits(_ arrival: Arrival) -> Bool {
    guard let pin = snapshot.synced[arrival.unit.catalog]?.pin(of: arrival.unit.key) else { return false }
    return arrival.pin == pin
  }
}

extension Catalog {
  /// What a translation of an entry is made for; `nil` where there is no such entry.
  func pin(of key: UnitKey) -> PinDigest? {
    entries[key].map { PinDigest(SourcePin(key: key, entry: $0, sourceLanguage: sourceLanguage)) }
  }
}
