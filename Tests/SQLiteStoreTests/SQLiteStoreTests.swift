import Foundation
import GRDB
import LedgerStore
import Localization
import Pipeline
import SQLiteStore
import TestSupport
import Testing

struct SQLiteStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("the store passes the conformance tests of a store", arguments: StoreConformance.checks.map(\.name))
  func conformance(name: String) async throws {
    let check = try #require(StoreConformance.checks.first { $0.name == name })
    let clock = TestClock()
    try await check.run(SQLiteStore(folder: folder.path, clock: { clock.now }), clock)
  }

  @Test(
    "the store keeps its guarantees for people's views and decisions",
    arguments: StoreConformance.peopleChecks.map(\.name))
  func people(name: String) async throws {
    let check = try #require(StoreConformance.peopleChecks.first { $0.name == name })
    let clock = TestClock()
    try await check.run(SQLiteStore(folder: folder.path, clock: { clock.now }), clock)
  }

  @Test("data survives a restart of the process")
  func reopening() async throws {
    do {
      let store = try SQLiteStore(folder: folder.path)
      try await store.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    }
    let store = try SQLiteStore(folder: folder.path)
    #expect(try await store.rounds(of: nil).first?.books.map(\.outstanding) == [1, 1])
  }

  @Test("a second process gets an error that names the process that has the store open")
  func inUse() throws {
    let first = try SQLiteStore(folder: folder.path)
    let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder.path) }
    #expect(error?.kind == .inUse)
    #expect(
      error?.description
        == "another dragoman (pid \(ProcessInfo.processInfo.processIdentifier)) is using \(folder.path); "
        + "stop it, or choose another folder with --store (with PostgreSQL: DRAGOMAN_FOLDER)")
    withExtendedLifetime(first) {}
  }

  @Test("a person can decide about a round while a daemon has the store open, and the daemon keeps its jobs")
  func deciding() async throws {
    let daemon = try SQLiteStore(folder: folder.path)
    try await daemon.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    let person = try SQLiteStore(deciding: folder.path)
    try await person.cancelRound(RoundID(rawValue: 1))
    #expect(try await daemon.rounds(of: nil).first?.books.map(\.withdrawn) == [1, 1])
    #expect(try await daemon.pipelines().map(\.decisions) == [1])
  }

  @Test("a ledger that is deleted or replaced while open is no longer used, and the error contains the next step")
  func replaced() async throws {
    let store = try SQLiteStore(folder: folder.path)
    try await store.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    let path = folder.path + "/ledger.sqlite"
    try FileManager.default.copyItem(atPath: path, toPath: path + ".restored")
    guard rename(path + ".restored", path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    for _ in 1...2 {
      let error = await #expect(throws: StoreError.self) {
        try await store.record([.plan(StoreConformance.round(["b"]))], of: StoreConformance.pipeline)
      }
      #expect(error?.kind == .replaced && error?.description.contains("Stop dragoman") == true)
      let idle = await #expect(throws: StoreError.self) {
        try await store.claimJobs(
          of: [StoreConformance.pipeline], stages: [.pull], owner: "a", lease: .seconds(60), limit: 1)
      }
      #expect(idle?.kind == .replaced)
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  @Test("a ledger of a newer version is refused and left unchanged")
  func newerSchema() throws {
    do { _ = try SQLiteStore(folder: folder.path) }
    let path = folder.path + "/ledger.sqlite"
    do {
      let queue = try DatabaseQueue(path: path)
      try queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9999 from the future')") }
    }
    let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder.path) }
    #expect(error?.kind == .newerSchema)
    #expect(error?.description.contains("newer version") == true)
  }

  @Test("a damaged ledger is refused with the next step")
  func damaged() throws {
    try Data(repeating: 0x41, count: 8192).write(to: URL(fileURLWithPath: folder.path + "/ledger.sqlite"))
    let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: folder.path) }
    #expect(error?.kind == .corrupt)
    #expect(error?.description.contains("backup") == true)
  }

  @Test("a folder that cannot be created is named in the error")
  func unwritable() throws {
    let path = folder.path + "/file"
    try Data().write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StoreError.self) { try SQLiteStore(folder: path + "/store") }
    #expect(error?.kind == .unwritable)
    #expect(error?.description.contains(path + "/store") == true)
  }

  @Test("database constraints reject books that do not balance, and the deletion of sent units")
  func constraint() async throws {
    do {
      let store = try SQLiteStore(folder: folder.path)
      try await store.record([.plan(StoreConformance.round(["a"]))], of: StoreConformance.pipeline)
    }
    let queue = try DatabaseQueue(path: folder.path + "/ledger.sqlite")
    for statement in [
      "UPDATE books SET returned = returned + 1", "UPDATE books SET sent = 0", "DELETE FROM sent_unit",
      "UPDATE books SET outstanding = 2, returned = -1",
    ] {
      #expect(throws: DatabaseError.self) { try queue.writeWithoutTransaction { try $0.execute(sql: statement) } }
    }
  }

  @Test("the books agree with the sent units after any order of events", arguments: 1...8)
  func books(seed: UInt64) async throws {
    var state = seed
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let store = try SQLiteStore(folder: folder.path)
    let pipeline = StoreConformance.pipeline
    for step in 0..<40 {
      let units = try await store.sentLedger(of: pipeline, includingReturned: false).units
      switch next(4) {
      case 0:
        try await store.record(
          [.plan(StoreConformance.round([UnitKey("k\(step)"), UnitKey("x\(step)")]))], of: pipeline)
      case 1 where !units.isEmpty:
        try await store.record([.close([units[next(units.count)].id], as: .withdrawn)], of: pipeline)
      case 2 where !units.isEmpty:
        try await store.record([.close([units[next(units.count)].id], as: .superseded)], of: pipeline)
      default:
        guard let unit = units.first else { continue }
        let returnedUnit = NewReturnedUnit(
          unit: UnitID(catalog: "L.xcstrings", key: "k"), language: unit.language, units: [], sentUnit: unit.id,
          source: unit.source, isFinished: next(2) == 0)
        let bundle = NewBundle(
          vendor: "v", reference: "", digest: "\(step)", received: Date(), review: nil, returnedUnits: [returnedUnit])
        try await store.record([.receive(bundle)], of: pipeline)
      }
      let books = try await store.rounds(of: pipeline).flatMap(\.books)
      #expect(books.filter { !$0.isBalanced }.isEmpty)
      let outstanding = try await store.sentLedger(of: pipeline, includingReturned: false).units.count
      #expect(books.map(\.outstanding).reduce(0, +) == outstanding)
    }
  }
}
