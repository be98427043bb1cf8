import GRDB
import Pipeline
import TestSupport
import Testing

@testable import LedgerStore
@testable import SQLiteStore

struct QueryPlanTests {
  static let queries: [(name: String, sql: String)] = [
    ("sent units", LedgerQueries.sentUnits), ("returned units", LedgerQueries.returnedUnits),
    ("returns", LedgerQueries.returns), ("earlier returns", LedgerQueries.earlierReturns),
    ("unsent shipments", LedgerQueries.unsentShipments),
    ("withdrawal notices", LedgerQueries.withdrawalNotices), ("answered units", LedgerQueries.answeredUnits),
    ("last compared", LedgerQueries.lastCompared),
    ("outstanding languages", LedgerQueries.outstandingLanguages), ("counters", LedgerQueries.counters),
    ("pending shipments", LedgerQueries.pendingShipments), ("pending notices", LedgerQueries.pendingNotices),
    ("planned", LedgerQueries.planned), ("last deliveries", LedgerQueries.lastDeliveries),
    ("own commits", LedgerQueries.ownCommits), ("delivery targets", LedgerQueries.deliveryTargets),
    ("open deliveries", LedgerQueries.openDeliveries), ("rounds", LedgerQueries.rounds),
    ("units of a round", LedgerQueries.unitsOfRound), ("held units", LedgerQueries.heldUnits),
    ("removed units", LedgerQueries.removedUnits), ("former head", LedgerQueries.headWhenSending),
    ("held shipments", LedgerQueries.heldShipments), ("returned shipments", LedgerQueries.returnedShipments),
    ("newest returns", LedgerQueries.newestReturns),
    ("variants", LedgerQueries.variants),
    ("withdraw round", LedgerQueries.withdrawRound), ("reopen round", LedgerQueries.reopenRound),
    ("sent ledger", LedgerQueries.sentLedgerUnits), ("page of a round", LedgerQueries.pageOfRound),
    ("origins of a round", LedgerQueries.originsOfRound),
    ("outstanding", PortfolioQueries.outstanding.sql(.some([]))), ("held", PortfolioQueries.held.sql(.some([]))),
    ("findings", PortfolioQueries.findings.sql(.some([]))),
    ("failed jobs", PortfolioQueries.failedJobs.sql(.some([]))),
    ("last rounds", PortfolioQueries.rounds.sql(.some([]))),
    ("last of deliveries", PortfolioQueries.lastDeliveries.sql(.some([]))),
    ("pauses", PortfolioQueries.controls(.some([]))), ("completions", PortfolioQueries.completions(.some([]))),
    ("candidates of a search", SearchQueries.candidates), ("searched sources", SearchQueries.sources),
  ]

  /// The steps that may scan all rows: a list from the caller, candidates found by an index, and units that are held now.
  private static let allowed = [
    "SCAN wanted VIRTUAL TABLE", "SCAN json_each VIRTUAL TABLE", "SCAN p VIRTUAL TABLE", "SCAN c",
    "SCAN o USING INDEX branch_outcome_held",
  ]

  @Test("no query scans a whole table", arguments: queries.map(\.name))
  func scans(name: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(folder: folder.path)
    let query = try #require(Self.queries.first { $0.name == name })
    let steps = try plan(query.sql, store)
    #expect(!steps.isEmpty)
    for step in steps where step.hasPrefix("SCAN") {
      #expect(Self.allowed.contains { step == $0 || step.hasPrefix($0 + " ") }, "\(step) in \(steps)")
    }
  }

  @Test("the queries of every poll and of the dashboard's first page use partial indexes")
  func partial() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(folder: folder.path)
    for (sql, index) in [
      (LedgerQueries.pendingShipments, "books_outstanding"), (LedgerQueries.pendingNotices, "sent_unit_to_notify"),
      (LedgerQueries.planned, "delivery_planned"), (LedgerQueries.outstandingLanguages, "books_outstanding"),
      (PortfolioQueries.failedJobs.sql(.all), "job_failed"), (PortfolioQueries.findings.sql(.all), "job_findings"),
      (PortfolioQueries.totalWithProblem, "job_failed"), (PortfolioQueries.totalWithProblem, "job_findings"),
      (LedgerQueries.dueJob, "job_unfinished"), (DueJobs.claimable, "SEARCH other USING INDEX job_unfinished"),
    ] {
      let steps = try plan(sql, store)
      #expect(steps.contains { $0.contains(index) }, "\(steps)")
    }
  }

  private func plan(_ sql: String, _ store: SQLiteStore) throws -> [String] {
    try store.database.read { database in
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN " + sql)
      statement.setUncheckedArguments([])
      return try Row.fetchAll(statement).map { $0["detail"] }
    }
  }
}
