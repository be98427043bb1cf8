import FoundationEssentials
import Localization
import Pipeline

/// Planned rounds: their sources, shipments and sent units.
extension LedgerWriter {
  func plan(_ round: PlannedRound) throws {
    let id = try insert(
      """
      INSERT INTO round (pipeline, number, created)
      SELECT ?1, coalesce(max(number), 0) + 1, ?2 FROM round WHERE pipeline = ?1 RETURNING id
      """, [pipeline, round.created.timeIntervalSince1970])
    let sources = try sources(of: round)
    for shipment in round.shipments {
      let shipmentID = try insert(
        "INSERT INTO shipment (pipeline, round_id, vendor, language, source_language) VALUES (?, ?, ?, ?, ?) RETURNING id",
        [pipeline, id, shipment.vendor, shipment.language.rawValue, shipment.sourceLanguage.rawValue])
      try transaction.insert(
        into: "sent_unit",
        ["pipeline", "round_id", "shipment_id", "source_id", "vendor", "language", "state", "baseline", "commit_id"],
        try shipment.sentUnits.map { unit in
          [
            pipeline, id, shipmentID, sources[PlannedSource(unit: unit.unit, pin: unit.pin)], shipment.vendor,
            shipment.language.rawValue, "outstanding", try unit.baseline.map(LedgerCoding.encode), unit.commit.rawValue,
          ]
        })
    }
  }

  private struct PlannedSource: Hashable {
    var unit: UnitID
    var pin: SourcePin
  }

  /// Records the sources of a round, each once.
  private func sources(of round: PlannedRound) throws -> [PlannedSource: Int64] {
    var places: [PlannedSource: Int] = [:]
    var rows: [SQLArguments] = []
    for unit in round.shipments.flatMap(\.sentUnits) {
      let source = PlannedSource(unit: unit.unit, pin: unit.pin)
      guard places[source] == nil else { continue }
      places[source] = rows.count
      rows.append([
        pipeline, unit.unit.catalog.text, unit.unit.key.text, PinDigest(unit.pin).rawValue, unit.pin.canonical,
        try unit.source.map(LedgerCoding.encode), unit.commit.rawValue, unit.author,
        unit.provenance?.commit.rawValue, unit.provenance?.author, unit.provenance?.seconds,
      ])
    }
    let ids = try transaction.insertAll(
      """
      INSERT INTO source
        (pipeline, catalog, key, pin, canonical, forms, commit_id, author, brought_commit, brought_author, brought_seconds)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (pipeline, catalog, key, pin) DO UPDATE SET commit_id = excluded.commit_id RETURNING id
      """, rows)
    try addGrams(of: round)
    return places.mapValues { ids[$0] }
  }

  /// Adds the trigrams of a round's texts, or those of all texts of the pipeline if it has none yet.
  private func addGrams(of round: PlannedRound) throws {
    var grams = TextGrams()
    if try transaction.first("SELECT 1 FROM source_gram WHERE pipeline = ? LIMIT 1", [pipeline]) == nil {
      try transaction.forEach("SELECT key, forms FROM source WHERE pipeline = ?", [pipeline]) { row in
        grams.add(row[0])
        if let source = try LedgerRows.translation(row[1]) { grams.add(source.allText) }
      }
    } else {
      var seen: Set<UnitID> = []
      for unit in round.shipments.flatMap(\.sentUnits) where seen.insert(unit.unit).inserted {
        grams.add(unit.unit.key.text)
        if let source = unit.source { grams.add(source.allText) }
      }
    }
    try run(
      """
      INSERT INTO source_gram (pipeline, gram) SELECT ?1, value FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING
      """, [pipeline, SQLValue.integers(grams.values.sorted())])
  }
}
