import FoundationEssentials
import Localization
import Pipeline
import Testing

/// The guarantees of every store about former names of pipelines.
extension StoreConformance {
  static let formerNameChecks: [Check] = [
    ("a former name is remembered as long as it is listed", rememberedNames),
    ("a former name that was used again is set aside, unless its work would be lost", reusedName),
    ("a fault that is recorded under a former name is ignored", faultOfFormerName),
  ]

  @Sendable static func rememberedNames(_ store: any Store, _ clock: TestClock) async throws {
    let names: Set = [pipeline, "finches", "fowl"]
    #expect(try await store.successors(of: names) == [:])
    try await store.record([.plan(round(["a"]))], of: pipeline)
    #expect(try await store.takeOver([pipeline, "fowl"], by: "finches") == [])
    // One of the former names has no data.
    #expect(try await store.successors(of: names) == [pipeline: "finches", "fowl": "finches"])
    #expect(try await store.successors(of: ["fowl"]) == ["fowl": "finches"])
    try await store.takeOver([pipeline], by: "finches")
    #expect(try await store.successors(of: names) == [pipeline: "finches"])
    // The pipeline is renamed again, and then back to its first name.
    try await store.takeOver(["finches", pipeline], by: "fowl")
    #expect(try await store.successors(of: names) == [pipeline: "fowl", "finches": "fowl"])
    try await store.takeOver(["fowl"], by: pipeline)
    #expect(try await store.successors(of: names) == ["fowl": pipeline])
    #expect(try await store.rounds(of: pipeline).count == 1)
    try await store.takeOver([], by: pipeline)
    #expect(try await store.successors(of: names) == [:])
  }

  @Sendable static func reusedName(_ store: any Store, _ clock: TestClock) async throws {
    func send(_ keys: [UnitKey], of name: String) async throws {
      try await store.record([.plan(round(keys))], of: name)
      for shipment in try await store.unsentShipments(of: name, vendor: "v") {
        let receipt = ShipmentReceipt(reference: "\(shipment.id)", units: 2, wasThere: false)
        try await store.record([.shipped(shipment.id, receipt, at: now)], of: name)
      }
    }
    func refusal(_ words: String) async {
      let error = await #expect(throws: PipelineError.self) { try await store.takeOver([pipeline], by: "finches") }
      #expect(error?.detail.contains(words) == true, "\(error as Any)")
    }
    try await send(["a", "b"], of: pipeline)
    try await store.takeOver([pipeline], by: "finches")
    // Create the state that older versions left.
    try await store.takeOver([], by: "finches")
    try await send(["a"], of: pipeline)
    let books = try await store.rounds(of: "finches").map(\.books)
    let unused = SetAsidePipeline(name: pipeline, keptAs: "\(pipeline) (unused)")
    #expect(try await store.takeOver([pipeline], by: "finches") == [unused])
    #expect(try await store.takeOver([pipeline], by: "finches") == [])
    #expect(try await store.rounds(of: "finches").map(\.books) == books)
    #expect(try await store.rounds(of: pipeline).isEmpty)
    #expect(try await store.rounds(of: unused.keptAs).flatMap(\.books).map(\.withdrawn) == [1, 1])
    #expect(try await store.successors(of: [pipeline, unused.keptAs]) == [pipeline: "finches"])

    // Units that were sent only under the former name would be sent again.
    try await send(["b", "z"], of: pipeline)
    await refusal("outstanding only in \(pipeline) (text units × languages): 2")
    #expect(try await store.rounds(of: "finches").map(\.books) == books)
    for round in try await store.rounds(of: pipeline) { try await store.cancelRound(round.id) }
    #expect(try await store.takeOver([pipeline], by: "finches").map(\.keptAs) == [unused.keptAs + "'"])

    // The other pipeline already has a returned unit, so the former name may now belong to a different pipeline.
    try await store.record([.receive(bundle(store, keys: ["a"], of: "finches"))], of: "finches")
    try await send(["a"], of: pipeline)
    await refusal("outstanding only in \(pipeline) (text units × languages): 1")
    for round in try await store.rounds(of: pipeline) { try await store.cancelRound(round.id) }
    try await store.takeOver([pipeline], by: "finches")

    // Translations that were returned under the former name and are on no branch would be lost.
    try await send(["b"], of: pipeline)
    try await store.record([.receive(bundle(store, keys: ["b"]))], of: pipeline)
    await refusal("returned, and held or not merged yet: 1")
    try await store.adopt([head()], of: pipeline)
    try await store.record([.deliver(delivery(commits: [commit("c")]), branch: "main")], of: pipeline)
    await refusal("deliveries not merged yet: 1")

    // `finches` began before `fowl`, so it was not started by mistake after a rename to `fowl`.
    try await send(["a"], of: "fowl")
    let error = await #expect(throws: PipelineError.self) { try await store.takeOver(["finches"], by: "fowl") }
    #expect(error?.detail.contains("before `formerly: finches` was set") == true)
  }

  @Sendable static func faultOfFormerName(_ store: any Store, _ clock: TestClock) async throws {
    try await fill(store)
    try await store.takeOver([pipeline], by: "finches")
    let work = try await store.pendingWork(of: "finches")
    try await store.setWatchFault("no such host", of: pipeline)
    #expect(try await store.takeOver([pipeline], by: "finches") == [])
    #expect(try await store.pipelines().map(\.name) == ["finches"])
    #expect(try await store.pendingWork(of: "finches") == work)
  }

  @Sendable static func pauseOfFormerName(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    let pause = PipelinePause(since: now, by: "ann", reason: "legal hold")
    // The former name has a pause and nothing else.
    try await store.setPause(pause, of: pipeline)
    #expect(try await store.takeOver([pipeline], by: "finches") == [])
    #expect(try await store.controls(of: nil) == ["finches": PipelineControl(pause: pause)])
    #expect(try await store.pipelines().map(\.name) == ["finches"])

    // The new name was used before the former name was listed.
    try await store.record([.plan(round(["a"]))], of: "finches")
    try await store.record([.plan(round(["a"]))], of: "fowl")
    let unused = SetAsidePipeline(name: "fowl", keptAs: "fowl (unused)")
    #expect(try await store.takeOver(["finches"], by: "fowl") == [unused])
    #expect(try await store.controls(of: nil) == ["fowl": PipelineControl(pause: pause)])
    try await store.setPause(nil, of: "fowl")
    #expect(try await store.takeOver(["finches"], by: "fowl") == [])
    #expect(try await store.controls(of: nil).isEmpty)

    // If both names are paused, the pause of the new name is kept.
    try await store.setPause(pause, of: "fowl")
    let other = PipelinePause(since: now, by: "bob", reason: nil)
    try await store.setPause(other, of: "wrens")
    #expect(try await store.takeOver(["fowl"], by: "wrens") == [])
    #expect(try await store.controls(of: nil) == ["wrens": PipelineControl(pause: other)])
    #expect(try await store.rounds(of: "wrens").count == 1)
  }

  @Sendable static func auditOfNewName(_ store: any Store & PeopleStore, _ clock: TestClock) async throws {
    try await store.adopt([head()], of: pipeline)
    try await store.record([.plan(round(["a"]))], of: pipeline)
    let ann = Actor(name: "ann", way: .command)
    _ = try await store.beginAudit(
      AuditAction(actor: ann, action: "round cancel", pipeline: pipeline, subject: "\(pipeline)#1", detail: nil))
    _ = try await store.beginAudit(
      AuditAction(actor: ann, action: "pipelines apply", pipeline: "finches", subject: "finches.yaml", detail: nil))
    #expect(try await store.takeOver([pipeline], by: "finches") == [])
    #expect(try await store.pipelines().map(\.name) == ["finches"])
    #expect(try await store.rounds(of: "finches").count == 1)
    let entries = try await store.audit(of: "finches", before: nil, limit: 9)
    #expect(entries.map(\.action.action) == ["pipelines apply", "round cancel"])
  }
}
