import FoundationEssentials
import Localization
import Pipeline

/// Functions that record planned rounds with their sources, shipments and sent units.
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

  /// Records the sources of a round, and returns their ids. A source that several units share is recorded once.
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
    let last = try transaction.value(Int64.self, "SELECT max(id) FROM source") ?? 0
    let ids = try transaction.insertAll(
      """
      INSERT INTO source
        (pipeline, catalog, key, pin, canonical, forms, commit_id, author, brought_commit, brought_author, brought_seconds)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (pipeline, catalog, key, pin) DO UPDATE SET commit_id = excluded.commit_id, author = excluded.author
      RETURNING id
      """, rows)
    try addGrams(ofSourcesAfter: last)
    return places.mapValues { ids[$0] }
  }

  /// Adds the trigrams of new sources. If the pipeline has no stored trigrams yet, the trigrams of all its sources are added.
  /// - Parameter id: the highest id of the earlier sources; new sources have greater ids.
  private func addGrams(ofSourcesAfter id: Int64) throws {
    let isFirst = try transaction.first("SELECT 1 FROM source_gram WHERE pipeline = ? LIMIT 1", [pipeline]) == nil
    var sources: [Int64: [Int64]] = [:]
    try transaction.forEach(
      "SELECT id, key, forms FROM source WHERE id > ? AND pipeline = ? ORDER BY id", [isFirst ? 0 : id, pipeline]
    ) { row in
      var grams = TextGrams()
      grams.add(row[1])
      if let source = try LedgerRows.translation(row[2]) { grams.add(source.allText) }
      for gram in grams.values { sources[gram, default: []].append(row[0]) }
    }
    try transaction.executeAll(
      TextGrams.insert,
      sources.sorted { $0.key < $1.key }.map { gram, ids in [pipeline, gram, TextGrams.list(of: ids)] })
  }
}
