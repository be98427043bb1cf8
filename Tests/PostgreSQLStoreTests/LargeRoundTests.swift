import FoundationEssentials
import LedgerStore
import Localization
import Pipeline
import PostgreSQLClient
import TestSupport
import Testing

@testable import PostgreSQLStore

/// Rounds with many units. PostgreSQL keeps every version of a row until the transaction ends.
struct LargeRoundTests {
  private let pipeline = StoreConformance.pipeline
  private let keys = (0..<700).map { UnitKey("key \($0)") }

  @Test("many units are planned, returned and withdrawn with few writes to the books")
  func books() async throws {
    guard let server = try await PostgreSQLServer.shared.value else { return }
    let store = try PostgreSQLStore.open(PostgreSQLAddress(url: try await server.database()))
    try await store.record([.plan(StoreConformance.round(keys))], of: pipeline)
    try await store.record([.receive(StoreConformance.bundle(store, keys: Array(keys.prefix(300))))], of: pipeline)
    let left = try await store.sentLedger(of: pipeline, includingReturned: false).units
    #expect(left.count == 1_100)
    try await store.record([.close(left.prefix(600).map(\.id), as: .withdrawn)], of: pipeline)
    let books = try await store.rounds(of: pipeline).flatMap(\.books)
    let sum = { (count: (Books) -> Int) in books.map(count).reduce(0, +) }
    #expect(
      [sum(\.sent), sum(\.returned), sum(\.outstanding), sum(\.withdrawn), sum(\.superseded)] == [
        1_400, 300, 500, 600, 0,
      ])
    _ = try await store.check()
    // If the books changed with each unit, 2,300 versions of two rows would take 20 pages or more.
    let pages = try await store.read("measure the books") { transaction in
      try transaction.value(
        Int64.self,
        "SELECT pg_relation_size('books') / current_setting('block_size')::bigint")
    }
    #expect(pages == 1)
  }
}
