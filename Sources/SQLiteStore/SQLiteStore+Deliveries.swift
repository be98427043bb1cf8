package import FoundationEssentials
internal import GRDB
import Localization
package import Pipeline

extension SQLiteStore: Store {
  package func returnedUnits(of pipeline: String, branch: String) async throws -> [ReturnedUnit] {
    try read("read arrivals") { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT a.id, a.catalog, a.key, a.language, a.units, a.source_id, o.pin, o.canonical, c.baseline, r.number,
            b.vendor, b.digest, b.received, p.state, p.reviewed, p.reason, p.translation, a.consignment_id,
            (SELECT q.translation FROM arrival e JOIN placement q ON q.arrival_id = e.id AND q.branch = ?
              WHERE e.pipeline = a.pipeline AND e.key = a.key AND e.catalog = a.catalog AND e.language = a.language
                AND e.id <> a.id AND q.state IN ('delivered', 'settled') ORDER BY e.id DESC LIMIT 1)
          FROM arrival a JOIN bundle b ON b.id = a.bundle_id
          LEFT JOIN consignment c ON c.id = a.consignment_id LEFT JOIN source o ON o.id = a.source_id
          LEFT JOIN round r ON r.id = c.round_id
          LEFT JOIN placement p ON p.arrival_id = a.id AND p.branch = ?
          WHERE a.pipeline = ? AND (p.state IS NULL OR p.state IN ('delivered', 'held')) ORDER BY a.id
          """,
        arguments: [branch, branch, pipeline])
      var arrivals: [ReturnedUnit] = []
      while let row = try rows.next() { arrivals.append(try arrival(row)) }
      return arrivals
    }
  }

  private func arrival(_ row: Row) throws -> ReturnedUnit {
    let id = ReturnedUnitID(rawValue: row[0])
    let source: Int64? = row[5]
    let pin: String? = row[6]
    let consignment: Int64? = row[17]
    var export: ExportRecord?
    if consignment != nil, let canonical: String = row[7] {
      let baseline: Data? = row[8]
      export = ExportRecord(
        pin: SourcePin(canonical: canonical), translation: try baseline.map { try Translation(encoded: Array($0)) })
    }
    return ReturnedUnit(
      id: id, unit: UnitID(catalog: TreePath(trusted: row[1]), key: UnitKey(row[2])),
      language: LocaleIdentifier(row[3]), units: try [ExchangeUnit](encoded: Array(row[4] as Data)),
      pin: pin.map(PinDigest.init(rawValue:)), source: source.map(SourceID.init(rawValue:)), vendor: row[10],
      bundle: row[11], received: JobRows.date(row[12]), round: row[9], export: export,
      outcome: try placement(row, of: id), standing: row[18])
  }

  private func placement(_ row: Row, of arrival: ReturnedUnitID) throws -> BranchOutcome? {
    guard let text: String = row[13], let reviewed: String = row[14] else { return nil }
    guard let state = BranchOutcome.State(rawValue: text) else { throw damaged("a placement has an unknown state") }
    return BranchOutcome(
      returnedUnit: arrival, state: state, reviewed: CommitID(rawValue: reviewed), reason: reason(row[15]),
      translation: row[16])
  }

  /// A reason of a version that knows more is no reason to fail.
  private func reason(_ text: String?) -> HoldReason? {
    text.flatMap { try? JSONDecoder().decode(HoldReason.self, from: Data($0.utf8)) }
  }

  package func openDeliveries(of pipeline: String, branch: String) async throws -> [Delivery] {
    try read("read deliveries") { database in
      try Row.fetchAll(
        database,
        sql: "SELECT * FROM delivery WHERE pipeline = ? AND branch = ? AND state IN ('planned', 'pushed') ORDER BY id",
        arguments: [pipeline, branch]
      ).map(delivery)
    }
  }

  package func deliveries(of pipeline: String, since: Date) async throws -> [Delivery] {
    try read("read deliveries") { database in
      try Row.fetchAll(
        database, sql: "SELECT * FROM delivery WHERE pipeline = ? AND created >= ? ORDER BY id",
        arguments: [pipeline, since.timeIntervalSince1970]
      ).map(delivery)
    }
  }

  private func delivery(_ row: Row) throws -> Delivery {
    guard let state = Delivery.State(rawValue: row["state"]) else { throw damaged("a delivery has an unknown state") }
    let expected: String? = row["expected"]
    return Delivery(
      id: DeliveryID(rawValue: row["id"]), pipeline: row["pipeline"], branch: row["branch"],
      source: CommitID(rawValue: row["source"]), target: row["target"],
      expected: expected.map(CommitID.init(rawValue:)),
      base: CommitID(rawValue: row["base"]),
      commits: (row["commits"] as String).split(separator: " ").map { CommitID(rawValue: String($0)) },
      units: row["units"], created: JobRows.date(row["created"]), state: state)
  }

  package func rounds(of pipeline: String?) async throws -> [Round] {
    try read("read rounds") { database in
      let books = try Row.fetchAll(database, sql: "SELECT * FROM books ORDER BY round_id, vendor, language")
      let byRound = Dictionary(grouping: books) { $0["round_id"] as Int64 }
      let rows = try Row.fetchAll(
        database, sql: "SELECT * FROM round WHERE ? IS NULL OR pipeline = ? ORDER BY id",
        arguments: [pipeline, pipeline])
      return rows.map { row in
        Round(
          id: RoundID(rawValue: row["id"]), pipeline: row["pipeline"], number: row["number"],
          created: JobRows.date(row["created"]), isCancelled: row["cancelled"],
          books: (byRound[row["id"]] ?? []).map {
            Books(
              vendor: $0["vendor"], language: LocaleIdentifier($0["language"]), sent: $0["sent"],
              returned: $0["returned"], outstanding: $0["outstanding"], withdrawn: $0["withdrawn"],
              superseded: $0["superseded"])
          })
      }
    }
  }

  package func heldUnits(of pipeline: String?) async throws -> [HeldUnit] {
    try read("read held units") { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT a.pipeline, p.branch, a.catalog, a.key, a.language, b.vendor, b.digest, b.received, p.reason, a.units,
            c.round_id
          FROM placement p JOIN arrival a ON a.id = p.arrival_id JOIN bundle b ON b.id = a.bundle_id
          LEFT JOIN consignment c ON c.id = a.consignment_id
          WHERE p.state = 'held' AND (? IS NULL OR a.pipeline = ?)
          ORDER BY a.pipeline, p.branch, a.catalog, a.key, a.language, a.id
          """,
        arguments: [pipeline, pipeline]
      ).map { row in
        let texts = try [ExchangeUnit](encoded: Array(row[9] as Data)).compactMap { unit -> String? in
          switch unit.target?.text {
          case .text(let text): text
          case .phrases(let phrases): phrases.joined(separator: "\n")
          case nil: nil
          }
        }
        let round: Int64? = row[10]
        return HeldUnit(
          pipeline: row[0], branch: row[1], round: round.map(RoundID.init(rawValue:)),
          unit: UnitID(catalog: TreePath(trusted: row[2]), key: UnitKey(row[3])),
          language: LocaleIdentifier(row[4]), vendor: row[5], bundle: row[6], received: JobRows.date(row[7]),
          reason: reason(row[8]), text: texts.joined(separator: "\n"))
      }
    }
  }

  package func cancelRound(_ id: RoundID) async throws { try cancelRoundNow(id) }

  private func cancelRoundNow(_ id: RoundID) throws {
    try write("cancel round") { database in
      try database.execute(sql: "UPDATE round SET cancelled = 1 WHERE id = ?", arguments: [id.rawValue])
      guard database.changesCount == 1 else { throw noSuchRound(id) }
      try database.execute(
        sql: "UPDATE consignment SET state = 'withdrawn' WHERE round_id = ? AND state = 'outstanding'",
        arguments: [id.rawValue])
    }
  }

  package func retryRound(_ id: RoundID) async throws { try retryRoundNow(id) }

  private func retryRoundNow(_ id: RoundID) throws {
    try write("retry round") { database in
      try database.execute(sql: "UPDATE round SET cancelled = 0 WHERE id = ?", arguments: [id.rawValue])
      guard database.changesCount == 1 else { throw noSuchRound(id) }
      try database.execute(
        sql: """
          DELETE FROM placement WHERE state = 'held' AND arrival_id IN
            (SELECT a.id FROM arrival a JOIN consignment c ON c.id = a.consignment_id WHERE c.round_id = ?)
          """,
        arguments: [id.rawValue])
    }
  }

  private func noSuchRound(_ id: RoundID) -> PipelineError {
    PipelineError(
      .notFound, operation: "find round \(id.rawValue)",
      detail: "there is no such round; 'dragoman rounds list' names those there are", disposition: .permanent)
  }
}
