import FoundationEssentials
import Localization
package import Pipeline
import Testing

/// The guarantees of every store about the queries and decisions of people.
extension StoreConformance {
  package typealias PeopleCheck = (
    name: String, run: @Sendable (any Store & PeopleStore, TestClock) async throws -> Void
  )

  package static let peopleChecks: [PeopleCheck] = [
    ("a search finds keys and source texts regardless of case, but not the internal encoding of the store", search),
    ("the history of a string is found with and without its pipeline", histories),
    ("the standing of a pipeline counts outstanding and held units", standings),
    ("a page of the portfolio has the figures of its pipelines, and the totals of all", portfolio),
    ("the units of a round are read in parts, and counted by the commit that added them", partsOfRound),
    ("completion is stored once a day, and the newest of each branch is returned", completion),
    ("a held unit that a person accepts is reviewed again without the reason", take),
    ("a merge that read the ledger before a decision does not undo it", decidedMeanwhile),
    ("a dropped unit does not count as returned, so its string is sent again", drop),
    ("a unit that is not held is neither taken nor dropped", notHeld),
    ("an edited unit is stored like a returned unit, for the same source", edit),
    ("pauses and requested looks are returned until they end", controls),
    ("the audit log lists the newest action first, with its result", audit),
    ("the name of a token is unique, and a removed token is gone", tokens),
    ("a renamed pipeline stays paused, also if data is set aside", pauseOfFormerName),
    ("a pipeline with only an entry in the audit log has no data that is set aside", auditOfNewName),
  ]

  /// Receives a bundle for the key `a`, holds its unit on `main`, and returns the id of the returned unit.
  private static func hold(_ store: any Store & PeopleStore) async throws -> ReturnedUnitID {
    try await store.adopt([head()], of: pipeline)
    try await store.record([.plan(round(["a"]))], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["a"]))], of: pipeline)
    let returned = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    let outcome = BranchOutcome(
      returnedUnit: returned.id, state: .held, reviewed: commit("a"), reason: .sourceChanged("b"))
    try await store.record([.outcomes([outcome], branch: "main")], of: pipeline)
    return returned.id
  }

  @Sendable private static func histories(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    _ = try await hold(store)
    try await store.record([.plan(round(["a"]))], of: "other")
    let own = try await store.histories(of: "a", in: pipeline, languages: [])
    #expect(own.map(\.pipeline) == [pipeline])
    let version = try #require(own.first?.versions.first)
    #expect(version.sent.map(\.language) == ["de", "uk"] && version.returned.first?.outcomes.map(\.state) == [.held])
    #expect(try await store.histories(of: "a", in: nil, languages: ["uk"]).map(\.pipeline) == [pipeline, "other"])
    #expect(try await store.histories(of: "none", in: nil, languages: []).isEmpty)
    #expect(try await store.someKeys(of: nil, limit: 9) == ["a"])
    // The same source text is sent from a later commit, in another language.
    var later = round(["a"])
    later.shipments.removeLast()
    later.shipments[0].language = "fr"
    later.shipments[0].sentUnits[0].commit = commit("b")
    later.shipments[0].sentUnits[0].author = "B"
    try await store.record([.plan(later)], of: "other")
    let sentAgain = try await store.histories(of: "a", in: "other", languages: []).first?.versions
    #expect(sentAgain?.map(\.commit) == [commit("b")] && sentAgain?.map(\.author) == ["B"])
  }

  @Sendable private static func standings(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    #expect(try await store.standings(of: nil).isEmpty)
    _ = try await hold(store)
    try await store.record([.deliver(delivery(commits: [commit("c")]), branch: "main")], of: pipeline)
    let id = try #require(try await store.openDeliveries(of: pipeline, branch: "main").first?.id)
    #expect(try await store.standings(of: nil)[pipeline]?.lastDelivery == nil)
    try await store.record([.delivery(id, .pushed)], of: pipeline)
    let standing = try #require(try await store.standings(of: nil)[pipeline])
    #expect(standing.outstanding == 1 && standing.held == 1 && standing.rounds == 1 && standing.failedJobs == 0)
    #expect(standing.lastDelivery == now)
    try await store.record([.plan(round(["b", "c"]))], of: "other")
    #expect(try await store.standings(of: pipeline) == [pipeline: standing])
    #expect(try await store.standings(of: "other")["other"]?.outstanding == 4)
    #expect(try await store.standings(of: "none").isEmpty)
    try await store.setWatchFault("no response", of: "other")
    #expect(try await store.record(of: "other")?.watchFault?.message == "no response")
    #expect(try await store.record(of: pipeline) == store.pipelines().first { $0.name == pipeline })
    #expect(try await store.record(of: "none") == nil)
    let all = try await store.rounds(of: nil)
    let round = try #require(all.first)
    #expect(try await store.rounds(of: nil, before: nil, limit: 9) == all.reversed())
    #expect(try await store.rounds(of: nil, before: nil, limit: 1) == [all[1]])
    #expect(try await store.rounds(of: nil, before: all[1].id, limit: 9) == [round])
    #expect(try await store.rounds(of: "other", before: nil, limit: 9) == [all[1]])
    #expect(try await store.rounds(of: "other", before: all[1].id, limit: 9).isEmpty)
    #expect(try await store.pipeline(of: round.id) == pipeline)
    #expect(try await store.pipeline(of: RoundID(rawValue: 99)) == nil)
  }

  private static func language(_ name: LocaleIdentifier, _ translated: Int, of total: Int) -> LanguageCompletion {
    var completion = LanguageCompletion(language: name)
    (completion.total, completion.translated, completion.new) = (total, translated, total - translated)
    return completion
  }

  @Sendable private static func completion(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    try await store.adopt([head()], of: pipeline)
    try await store.adopt([head()], of: "other")
    let first = Int(clock.now.timeIntervalSince1970 / 86_400)
    for (translated, digit) in [(1, "a"), (2, "b")] as [(Int, Character)] {
      try await store.noteCompletion(
        [language("de", translated, of: 4), language("uk", 0, of: 4)], of: pipeline, branch: "main",
        commit: commit(digit))
    }
    clock.advance(by: 2 * 86_400)
    try await store.noteCompletion([language("de", 3, of: 4)], of: pipeline, branch: "main", commit: commit("c"))
    try await store.noteCompletion([language("de", 4, of: 4)], of: "other", branch: "main", commit: commit("d"))
    let newest = try await store.completions(of: pipeline)
    #expect(newest.map(\.commit) == [commit("c")])
    #expect(newest.first?.languages == [language("de", 3, of: 4)], "uk is no longer a language")
    #expect(try await store.completions(of: nil).map(\.pipeline) == [pipeline, "other"])
    try await store.noteCompletion([language("de", 1, of: 4)], of: pipeline, branch: "gone", commit: commit("f"))
    #expect(try await store.completions(of: pipeline).map(\.branch) == ["main"], "a branch that is not watched")
    let history = try await store.completionHistory(of: pipeline, branch: "main", since: first)
    #expect(history.map(\.day) == [first, first + 2])
    #expect(history.first?.languages.map(\.translated) == [2, 0])
    #expect(try await store.completionHistory(of: pipeline, branch: "main", since: first + 1).map(\.day) == [first + 2])
    clock.advance(by: 731 * 86_400)
    try await store.noteCompletion([language("de", 4, of: 4)], of: pipeline, branch: "main", commit: commit("e"))
    #expect(try await store.completionHistory(of: pipeline, branch: "main", since: 0).map(\.commit) == [commit("e")])
  }

  @Sendable private static func take(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let id = try await hold(store)
    #expect(try await store.heldUnits(of: pipeline).map(\.id) == [id])
    let before = try await store.pendingWork(of: pipeline)
    try await store.overrule("sourceChanged", for: id, on: "main")
    let after = try await store.pendingWork(of: pipeline)
    #expect(after.revision == before.revision + 1 && after.decisions == before.decisions + 1)
    #expect(try await store.heldUnits(of: pipeline).isEmpty)
    let returned = try #require(try await store.returnedUnits(of: pipeline, branch: "main").first)
    #expect(returned.id == id && returned.outcome == nil)
    #expect(try await store.overruled(of: pipeline, branch: "main") == [id: ["sourceChanged"]])
    #expect(try await store.overruled(of: pipeline, branch: "release").isEmpty)
    #expect(try await store.overruled(of: "other", branch: "main").isEmpty)
    // The unit is held again for another reason, which is also overruled.
    let outcome = BranchOutcome(returnedUnit: id, state: .held, reviewed: commit("a"), reason: .doNotTranslate)
    try await store.record([.outcomes([outcome], branch: "main")], of: pipeline)
    try await store.overrule("doNotTranslate", for: id, on: "main")
    #expect(try await store.overruled(of: pipeline, branch: "main") == [id: ["sourceChanged", "doNotTranslate"]])
  }

  /// Checks a person's decision that is made after a merge reads the ledger and before the merge ends.
  @Sendable private static func decidedMeanwhile(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let id = try await hold(store)
    let read = try await store.pendingWork(of: pipeline)
    try await store.overrule("sourceChanged", for: id, on: "main")
    let outcome = BranchOutcome(returnedUnit: id, state: .held, reviewed: commit("b"), reason: .sourceChanged("b"))
    try await store.record([.reviewed([outcome], branch: "main", decisions: read.decisions)], of: pipeline)
    #expect(try await store.heldUnits(of: pipeline).isEmpty)
    let now = try await store.pendingWork(of: pipeline)
    #expect(now.revision > read.revision, "the merge is due again")
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").first?.outcome == nil)
    try await store.record([.reviewed([outcome], branch: "main", decisions: now.decisions)], of: pipeline)
    #expect(try await store.heldUnits(of: pipeline).map(\.id) == [id])
  }

  @Sendable private static func drop(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let id = try await hold(store)
    let source = try #require(try await store.returnedUnit(id)?.unit.source)
    #expect(try await store.returns(of: pipeline, for: [source]).first?.outcomes["main"]?.isUnfinished == false)
    let before = try await store.pendingWork(of: pipeline)
    try await store.drop(id, on: "main")
    #expect(try await store.pendingWork(of: pipeline).decisions == before.decisions + 1)
    #expect(try await store.heldUnits(of: pipeline).isEmpty)
    let standing = try #require(try await store.returns(of: pipeline, for: [source]).first?.outcomes["main"])
    #expect(standing.state == .passedOver && standing.isUnfinished)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").isEmpty)
    // The unit is not resumed with its round.
    try await store.retryRound(try #require(try await store.rounds(of: pipeline).first).id)
    #expect(try await store.returnedUnits(of: pipeline, branch: "main").isEmpty)
  }

  @Sendable private static func notHeld(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let id = try await hold(store)
    let before = try await store.pendingWork(of: pipeline)
    await #expect(throws: PipelineError.self) { try await store.drop(id, on: "release") }
    await #expect(throws: PipelineError.self) {
      try await store.overrule("sourceChanged", for: ReturnedUnitID(rawValue: 99), on: "main")
    }
    #expect(try await store.pendingWork(of: pipeline) == before)
    #expect(try await store.returnedUnit(ReturnedUnitID(rawValue: 99)) == nil)
  }

  @Sendable private static func edit(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let id = try await hold(store)
    var stored = try #require(try await store.returnedUnit(id))
    #expect(stored.pipeline == pipeline && stored.vendor == "v" && stored.bundle == "b.zip")
    stored.unit.units[0].target = ExchangeTarget(.text("Ö"))
    let bundle = NewBundle(
      vendor: stored.vendor, reference: "edited by A", digest: "d2", received: now + 1, review: nil,
      returnedUnits: [stored.unit])
    try await store.record([.receive(bundle)], of: pipeline)
    let units = try await store.returnedUnits(of: pipeline, branch: "main")
    #expect(units.count == 2)
    #expect(units.last?.units.first?.target?.text == .text("Ö"))
    #expect(units.last?.source == units.first?.source && units.last?.export == units.first?.export)
    #expect(try await total(store).returned == 1)
  }

  @Sendable private static func controls(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    #expect(try await store.controls(of: nil).isEmpty)
    let pause = PipelinePause(since: now, by: "ann", reason: "the agency is on holiday")
    try await store.setPause(pause, of: pipeline)
    try await store.requestLook(at: "other")
    try await store.requestLook(at: "other")
    #expect(
      try await store.controls(of: nil) == [
        pipeline: PipelineControl(pause: pause), "other": PipelineControl(looks: 2),
      ])
    try await store.setPause(nil, of: pipeline)
    #expect(try await store.controls(of: nil)[pipeline] == nil)
    #expect(try await store.controls(of: "other") == ["other": PipelineControl(looks: 2)])
    #expect(try await store.controls(of: pipeline).isEmpty)
    // A pause is neither a fault nor a decision.
    #expect(try await store.pipelines().allSatisfy { $0.watchFault == nil && $0.decisions == 0 })
  }

  @Sendable private static func audit(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let ann = Actor(name: "ann", way: .command)
    var ids: [AuditID] = []
    for (number, pipeline) in [pipeline, nil, "other", pipeline].enumerated() {
      ids.append(
        try await store.beginAudit(
          AuditAction(actor: ann, action: "round cancel", pipeline: pipeline, subject: "\(number)", detail: "x")))
    }
    #expect(ids == ids.sorted())
    try await store.settleAudit(ids[0], outcome: AuditEntry.done)
    try await store.settleAudit(ids[0], outcome: "changed")
    let all = try await store.audit(of: nil, before: nil, limit: 9)
    #expect(all.map(\.action.subject) == ["3", "2", "1", "0"])
    #expect(all.last?.outcome == "done" && all.first?.outcome == nil)
    #expect(all.last?.action.actor == ann && all.last?.at == clock.now)
    #expect(try await store.audit(of: pipeline, before: ids[3], limit: 9).map(\.id) == [ids[0]])
    #expect(try await store.audit(of: nil, before: nil, limit: 1).map(\.id) == [ids[3]])
  }

  @Sendable private static func tokens(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let token = APIToken(name: "ci", role: .operator, hash: APIToken.hash(of: "secret"), created: now)
    #expect(try await store.addToken(token))
    var other = token
    other.hash = APIToken.hash(of: "other")
    #expect(try await !store.addToken(other))
    #expect(try await store.tokens() == [token])
    #expect(try await store.removeToken(named: "ci"))
    #expect(try await !store.removeToken(named: "ci"))
    #expect(try await store.tokens().isEmpty)
  }
}
