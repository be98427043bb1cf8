import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about the lists of the dashboard's pages.
extension StoreConformance {
  @Sendable static func search(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    try await store.record([.plan(round(["Birds seen", "100%_x", "c"]))], of: pipeline)
    try await store.record([.plan(round(["Birds heard"]))], of: "other")
    #expect(
      try await store.units(containing: "birds", in: nil, limit: 9).map(\.unit.key) == ["Birds seen", "Birds heard"])
    #expect(try await store.units(containing: "BIRDS", in: "other", limit: 9).map(\.pipeline) == ["other"])
    #expect(try await store.units(containing: "%_", in: nil, limit: 9).map(\.unit.key) == ["100%_x"])
    #expect(try await store.units(containing: "state", in: nil, limit: 9).isEmpty)
    #expect(try await store.units(containing: "", in: nil, limit: 2).count == 2)
    #expect(try await store.units(containing: "birds sung", in: nil, limit: 9).isEmpty)
    // A later round adds its texts, and the texts of a renamed pipeline are still found.
    try await store.record([.plan(round(["Alle Möwen und Birds"]))], of: "other")
    #expect(try await store.units(containing: "e möwen U", in: nil, limit: 9).map(\.pipeline) == ["other"])
    #expect(try await store.units(containing: "birds", in: nil, limit: 3).count == 3)
    try await store.takeOver(["other"], by: "another")
    #expect(try await store.units(containing: "möwen", in: nil, limit: 9).map(\.pipeline) == ["another"])
    #expect(try await store.units(containing: "birds", in: nil, limit: 2).map(\.pipeline) == ["another", "another"])
    // One pipeline has so many matching texts that all its texts are read. Only some texts of the pipelines before and after this pipeline are read.
    let many = (10...60).map { UnitKey("Birds \($0)") }
    try await store.record([.plan(round(many))], of: "bird watch")
    let found = try await store.units(containing: "birds", in: nil, limit: 99)
    #expect(found.map(\.pipeline) == found.map(\.pipeline).sorted() && found.count == 3 + many.count)
    #expect(found.filter { $0.pipeline == "bird watch" }.map(\.unit.key) == many)
    #expect(try await store.units(containing: "birds 3", in: nil, limit: 99).map(\.unit.key) == Array(many[20..<30]))
  }

  @Sendable static func portfolio(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let empty = try await store.portfolio(after: nil, limit: 9)
    #expect(empty.records.isEmpty && !empty.hasMore)
    #expect(empty.totals == PortfolioTotals(pipelines: 0, outstanding: 0, held: 0, withProblem: 0))
    for name in ["c", "a", "b"] {
      try await store.adopt([head()], of: name)
      try await store.record([.plan(round([UnitKey("\(name) 1"), UnitKey("\(name) 2")]))], of: name)
      var german = LanguageCompletion(language: "de")
      (german.total, german.new) = (2, 2)
      try await store.noteCompletion([german], of: name, branch: "main", commit: commit("a"))
    }
    try await store.setWatchFault("no response", of: "c")
    try await store.setPause(PipelinePause(since: now, by: "ann", reason: nil), of: "b")
    try await store.setPause(PipelinePause(since: now, by: "ann", reason: nil), of: "c")
    let first = try await store.portfolio(after: nil, limit: 2)
    #expect(first.records.map(\.name) == ["a", "b"] && first.hasMore)
    #expect(first.totals == PortfolioTotals(pipelines: 3, outstanding: 12, held: 0, withProblem: 1))
    #expect(try await store.standings(of: nil).filter { $0.key != "c" } == first.standings)
    #expect(first.controls.keys.sorted() == ["b"])
    #expect(first.completions == (try await store.completions(of: "a")) + (try await store.completions(of: "b")))
    #expect(first.completions.count == 2)
    let second = try await store.portfolio(after: "b", limit: 2)
    #expect(second.records == (try await store.pipelines().filter { $0.name == "c" }) && !second.hasMore)
    #expect(second.totals == first.totals && second.standings["c"]?.outstanding == 4)
    #expect(try await store.portfolio(after: nil, limit: 3).hasMore == false)
    // The findings of a job are shown on the page of its pipeline, so they count as a problem.
    _ = try await store.arm([plan(.extract, "main")], of: "a", retriesFailures: false)
    let job = try #require(try await claim(store, of: ["a"]).first)
    let finding = Diagnostic(path: "L.xcstrings", severity: .error, message: "not a String Catalog")
    try await store.move(job, by: .succeed, changes: [], findings: [finding])
    #expect(try await store.portfolio(after: nil, limit: 1).totals.withProblem == 2)
    #expect(try await store.standings(of: "a")["a"]?.findings == 1)
  }

  @Sendable static func partsOfRound(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    var planned = round((0..<5).map { UnitKey("k\($0)") })
    for shipment in planned.shipments.indices {
      for unit in 1..<4 {
        planned.shipments[shipment].sentUnits[unit].provenance = Provenance(
          commit: commit(unit == 1 ? "b" : "c"), author: "B", seconds: 7)
      }
    }
    try await store.record([.plan(planned)], of: pipeline)
    let id = try #require(try await store.rounds(of: pipeline).first?.id)
    let all = try await store.units(of: id)
    #expect(all.count == 5)
    #expect(try await store.units(of: id, from: 0, limit: 2) == Array(all[..<2]))
    #expect(try await store.units(of: id, from: 2, limit: 9) == Array(all[2...]))
    #expect(try await store.units(of: id, from: 5, limit: 9).isEmpty)
    let origins = try await store.origins(of: id)
    let counts = Dictionary(uniqueKeysWithValues: origins.map { ($0.provenance?.commit, $0.units) })
    #expect(counts == [nil: 2, commit("b"): 1, commit("c"): 2])
    #expect(try await store.origins(of: RoundID(rawValue: 99)).isEmpty)
  }
}
