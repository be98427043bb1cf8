import FoundationEssentials
import Localization
package import Pipeline

/// Functions for rounds and pipelines: queries for rounds, their units, held units and pipelines, and changes, such as cancelling a round.
extension SQLLedger {
  package func rounds(of pipeline: String?) async throws -> [Round] {
    try await read("read rounds") { transaction in
      let names =
        try pipeline.map { [$0] } ?? transaction.values(String.self, "SELECT DISTINCT pipeline FROM round")
      return try names.flatMap { try Self.rounds(LedgerQueries.rounds, [$0], in: transaction) }
        .sorted { $0.id < $1.id }
    }
  }

  package func rounds(of pipeline: String?, before id: RoundID?, limit: Int) async throws -> [Round] {
    try await read("read rounds") { transaction in
      try Self.rounds(
        LedgerQueries.newestRounds(ofOne: pipeline != nil),
        [id?.rawValue ?? .max, limit] + (pipeline.map { [$0] } ?? []), in: transaction)
    }
  }

  /// Returns the rounds that a query selects.
  /// - Parameter sql: a query for rounds with their books. The query must return the rows of a round consecutively.
  private static func rounds(
    _ sql: String, _ arguments: SQLArguments, in transaction: any SQLTransaction
  ) throws -> [Round] {
    var rounds: [Round] = []
    try transaction.forEach(sql, arguments) { row in
      let id = RoundID(rawValue: row[0])
      if rounds.last?.id != id {
        rounds.append(
          Round(
            id: id, pipeline: row[1], number: row[2], created: JobRows.date(row[3]),
            isCancelled: row[4], books: []))
      }
      guard let vendor: String = row[5], let language: String = row[6] else { return }
      rounds[rounds.count - 1].books.append(
        Books(
          vendor: vendor, language: LocaleIdentifier(language), sent: row[7], returned: row[8],
          outstanding: row[9],
          withdrawn: row[10], superseded: row[11]))
    }
    return rounds
  }

  package func units(of round: RoundID) async throws -> [RoundUnit] {
    try await read("read round") { try Self.units(LedgerQueries.unitsOfRound, [round.rawValue], in: $0) }
  }

  package func units(of round: RoundID, from start: Int, limit: Int) async throws -> [RoundUnit] {
    try await read("read round") { try Self.units(LedgerQueries.pageOfRound, [round.rawValue, limit, start], in: $0) }
  }

  private static func units(
    _ sql: String, _ arguments: SQLArguments, in transaction: any SQLTransaction
  ) throws -> [RoundUnit] {
    try transaction.rows(sql, arguments).map { row in
      RoundUnit(
        source: UnitSource(
          unit: UnitID(catalog: TreePath(trusted: row[0]), key: UnitKey(row[1])), pin: PinDigest(rawValue: row[2])),
        provenance: provenance(row, at: 4), sentFrom: CommitID(rawValue: row[3]))
    }
  }

  package func origins(of round: RoundID) async throws -> [(provenance: Provenance?, units: Int)] {
    try await read("read round") { transaction in
      try transaction.rows(LedgerQueries.originsOfRound, [round.rawValue]).map { (provenance($0, at: 0), $0[3]) }
    }
  }

  package func heldUnits(of pipeline: String?) async throws -> [HeldUnit] {
    try await read("read held units") { transaction in
      try transaction.rows(LedgerQueries.heldUnits, [pipeline]).map(LedgerRows.heldUnit)
    }
  }

  package func removedUnits(of pipeline: String) async throws -> [HeldUnit] {
    try await read("read removed units") { transaction in
      try transaction.rows(LedgerQueries.removedUnits, [pipeline]).map(LedgerRows.heldUnit)
        .filter { $0.reason?.removal != nil }
    }
  }

  package func pipelines() async throws -> [PipelineRecord] {
    try await read("read pipelines") { transaction in
      try transaction.rows("\(LedgerQueries.pipelines) ORDER BY name").map(LedgerRows.pipeline)
    }
  }

  package func setWatchFault(_ message: String?, of pipeline: String) async throws {
    try await write("record a fault", of: pipeline) { transaction in
      let now = try transaction.now().timeIntervalSince1970
      try transaction.execute(
        """
        INSERT INTO pipeline (name, revision, watch_fault, watch_fault_since) VALUES (?1, 0, ?2, ?3)
        ON CONFLICT (name) DO UPDATE SET watch_fault = ?2,
          watch_fault_since = CASE WHEN ?2 IS NULL THEN NULL ELSE coalesce(pipeline.watch_fault_since, ?3) END
        """, [pipeline, message, message == nil ? nil : now])
    }
  }

  package func cancelRound(_ id: RoundID) async throws {
    try await write("cancel round", of: nil) { transaction in
      try Self.writer(of: id, in: transaction).decide()
      try transaction.execute("UPDATE round SET cancelled = 1 WHERE id = ?", [id.rawValue])
      try transaction.execute(LedgerQueries.withdrawRound, [id.rawValue])
    }
  }

  package func retryRound(_ id: RoundID) async throws {
    try await write("retry round", of: nil) { transaction in
      try Self.writer(of: id, in: transaction).decide()
      try transaction.execute("UPDATE round SET cancelled = 0 WHERE id = ?", [id.rawValue])
      try transaction.execute(LedgerQueries.reopenRound, [id.rawValue])
    }
  }

  /// Returns a writer for the round's pipeline, and locks the pipeline.
  private static func writer(of id: RoundID, in transaction: any SQLTransaction) throws -> LedgerWriter {
    guard
      let pipeline = try transaction.value(String.self, "SELECT pipeline FROM round WHERE id = ?", [id.rawValue])
    else {
      throw PipelineError(
        .notFound, operation: "find round \(id.rawValue)",
        detail: "no such round; see `dragoman rounds list`", disposition: .permanent)
    }
    try transaction.lock([pipeline])
    return LedgerWriter(transaction: transaction, pipeline: pipeline)
  }
}

/// Reads a commit, its author and its time from three columns; `nil` if there is no commit.
private func provenance(_ row: SQLRow, at column: Int) -> Provenance? {
  let commit: String? = row[column]
  return commit.map {
    Provenance(commit: CommitID(rawValue: $0), author: row[column + 1] ?? "", seconds: row[column + 2] ?? 0)
  }
}
