import FoundationEssentials
import LedgerStore
import Localization
import SQLiteStore
import Simulation
import TestSupport
import Testing

@testable import Pipeline

/// The rows of the table of bases in docs/state-machine.md.
struct DeliveryBaseTests {
  private let pipeline: TestPipeline
  private let first: CommitID

  init() throws {
    pipeline = try TestPipeline()
    first = pipeline.commit(TestPipeline.tree(["Feed"]))
  }

  /// Makes a commit of ours on a parent and records it in the ledger.
  /// - Parameter source: the watched commit for which the commit is made; `nil` for the parent.
  private func deliver(
    _ text: String, on base: CommitID, for source: CommitID? = nil, expecting expected: CommitID? = nil,
    isPushed: Bool = true,
    target: String = TestPipeline.target
  ) async throws -> (commit: CommitID, id: DeliveryID) {
    _ = try await pipeline.mirror.refresh()
    var edits = TreeEdits()
    edits.write(Array(text.utf8), to: "translation.txt")
    let signature = CommitSignature(name: "Dragoman", email: "dragoman@localhost", seconds: 1)
    let source = source ?? base
    let trailers = CommitTrailers(rounds: [], source: source, units: 1)
    let commit = try await pipeline.mirror.makeCommit(
      edits, on: base, message: "\(text)\n\n\(trailers.text)", author: signature, committer: signature)
    try await pipeline.store.record(
      [
        .deliver(
          NewDelivery(
            source: source, target: target, expected: expected, base: base, commits: [commit], units: 1,
            created: pipeline.clock.now, replaces: [], outcomes: []), branch: "main")
      ], of: "birds")
    let id = try await pipeline.deliveries().map(\.id).max()
    let delivery = try #require(id)
    if isPushed {
      pipeline.remote.move(target, to: commit)
      try await pipeline.store.record([.delivery(delivery, .pushed)], of: "birds")
    }
    return (commit, delivery)
  }

  private func find(_ definition: PipelineDefinition = TestPipeline.definition()) async throws -> DeliveryBase {
    let context = pipeline.context(definition)
    return try await DeliveryBase.find(for: pipeline.head(context), context)
  }

  private func states(_ base: DeliveryBase) -> [DeliveryID: Delivery.State] {
    var states: [DeliveryID: Delivery.State] = [:]
    for case .delivery(let id, let state) in base.changes { states[id] = state }
    return states
  }

  @Test("without a delivery branch, the base is the watched head, and the push expects that the branch does not exist")
  func absent() async throws {
    let base = try await find()
    #expect(base.place == .commit(first) && base.expected == nil)
    #expect(base.replaced.isEmpty && base.changes.isEmpty)
  }

  @Test("for a merged delivery branch, the base is the watched head, and the delivery is settled")
  func merged() async throws {
    let (tip, delivery) = try await deliver("one", on: first)
    let merge = pipeline.commit(TestPipeline.tree(["Feed"]), on: [first, tip])
    let base = try await find()
    #expect(base.place == .commit(merge) && base.expected == tip)
    #expect(states(base) == [delivery: .settled])
  }

  @Test("a delivery branch that contains the watched head is the base, even with a person's commit")
  func contains() async throws {
    let (tip, _) = try await deliver("one", on: first)
    #expect(try await find().place == .commit(tip))
    let person = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]), to: TestPipeline.target)
    let base = try await find()
    #expect(base.place == .commit(person) && base.expected == person && base.changes.isEmpty)
  }

  @Test("commits that the watched branch dropped by a force-push are dropped, and a person's commit above them is kept")
  func dropped() async throws {
    let second = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let (tip, delivery) = try await deliver("one", on: second)
    #expect(try await find().place == .commit(tip))
    pipeline.remote.move("main", to: first)
    let base = try await find()
    #expect(base.place == .commit(first) && base.expected == tip && base.replaced == [delivery] && base.isStale)
    let person = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]), to: TestPipeline.target)
    #expect(try await find().place == .commit(person))
  }

  @Test("the base is a person's commit from before the commits that the watched branch dropped")
  func setBack() async throws {
    let (one, delivery) = try await deliver("one", on: first)
    let person = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]), to: TestPipeline.target)
    let second = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let signature = CommitSignature(name: "Dragoman", email: "dragoman@localhost", seconds: 1)
    let trailers = CommitTrailers(rounds: [], source: second, units: 0)
    _ = try await pipeline.mirror.refresh()
    let catalog = pipeline.remote.tree(of: TestPipeline.target)?[TestPipeline.catalog]
    let result = try await pipeline.mirror.makeMerge(
      of: person, and: second, resolving: [TestPipeline.catalog: catalog], message: "Merge\n\n\(trailers.text)",
      author: signature, committer: signature)
    guard case .merged(let merge) = result else {
      Issue.record("\(result)")
      return
    }
    let (tip, later) = try await deliver("two", on: merge, for: second, expecting: person)
    let change = NewDelivery(
      source: second, target: TestPipeline.target, expected: person, base: person, commits: [merge], units: 0,
      created: pipeline.clock.now, replaces: [], outcomes: [])
    try await pipeline.store.record([.deliver(change, branch: "main")], of: "birds")
    #expect(try await find().place == .commit(tip))
    pipeline.remote.move("main", to: first)
    let base = try await find()
    #expect(base.place == .commit(person) && base.expected == tip && base.isSetBack && base.isStale)
    #expect(states(base)[later] == .abandoned && states(base)[delivery] == nil && one != person)
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Swim"]))
    let anew = try await find()
    #expect(anew.place == .merge(deliveryBranch: person, head: head) && anew.expected == tip && anew.isSetBack)
    #expect(Set(anew.lacking.map(\.id)) == [one, person])
  }

  @Test(
    "if all commits beyond the watched head are ours, the watched head is the base, and open deliveries are made again")
  func allOurs() async throws {
    let (tip, delivery) = try await deliver("one", on: first)
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let base = try await find()
    #expect(base.place == .commit(head) && base.expected == tip && base.replaced == [delivery])
  }

  @Test(
    "commits of deliveries that were settled or abandoned are still ours",
    arguments: [Delivery.State.settled, .abandoned])
  func closedAreOurs(_ state: Delivery.State) async throws {
    let (tip, delivery) = try await deliver("one", on: first)
    try await pipeline.store.record([.delivery(delivery, state)], of: "birds")
    let squash = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]))
    let base = try await find()
    #expect(base.place == .commit(squash) && base.expected == tip && base.replaced.isEmpty)
  }

  @Test(
    "if the delivery branch has other people's commits and lacks commits of the head, the base is a merge of both branches"
  )
  func others() async throws {
    _ = try await deliver("one", on: first)
    let person = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]), to: TestPipeline.target)
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let base = try await find()
    #expect(base.place == .merge(deliveryBranch: person, head: head) && base.expected == person)
    #expect(base.replaced.isEmpty)
  }

  @Test("with deliver.mode push, a pushed commit is never replaced, even if it is ours")
  func pushMode() async throws {
    let head = pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    #expect(try await find(TestPipeline.definition { $0.deliver.mode = .push }).place == .commit(head))
  }

  @Test("a planned commit on the remote's tip that was not pushed yet is the base")
  func planned() async throws {
    let (tip, delivery) = try await deliver("one", on: first)
    let (next, _) = try await deliver("two", on: tip, for: first, expecting: tip, isPushed: false)
    let base = try await find()
    #expect(base.place == .commit(next) && base.expected == next && base.changes.isEmpty)
    // Main moves, so both deliveries are replaced. Only the first is pushed, so the delivery branch of the remote is at its commit.
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    let anew = try await find()
    #expect(anew.expected == tip && anew.replaced.first == delivery && anew.replaced.count == 2)
  }

  @Test(
    "a planned delivery for a commit that the watched branch dropped is abandoned, so the commit does not return")
  func plannedOnDropped() async throws {
    let second = pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]))
    let (_, delivery) = try await deliver("one", on: second, isPushed: false)
    pipeline.remote.move("main", to: first)
    let base = try await find()
    #expect(base.place == .commit(first) && base.expected == nil && states(base) == [delivery: .abandoned])
  }

  @Test("a delivery whose commits no longer exist is abandoned")
  func gone() async throws {
    let (_, delivery) = try await deliver("one", on: first, isPushed: false)
    pipeline.mirrorFolder.delete()
    let base = try await find()
    #expect(base.place == .commit(first) && states(base) == [delivery: .abandoned])
  }

  @Test("a delivery whose branch was deleted unmerged is abandoned")
  func deleted() async throws {
    let (_, delivery) = try await deliver("one", on: first)
    pipeline.remote.move(TestPipeline.target, to: nil)
    let base = try await find()
    #expect(base.place == .commit(first) && base.expected == nil && states(base) == [delivery: .abandoned])
  }

  @Test("a delivery to a branch that is no longer in the pipeline file is abandoned")
  func elsewhere() async throws {
    let (_, delivery) = try await deliver("one", on: first)
    let base = try await find(TestPipeline.definition { $0.deliver.branch = "translations/{branch}" })
    #expect(base.place == .commit(first) && base.expected == nil && states(base) == [delivery: .abandoned])
  }

  @Test("a push whose response was lost is found on the delivery branch")
  func unanswered() async throws {
    let (tip, delivery) = try await deliver("one", on: first, isPushed: false)
    pipeline.remote.move(TestPipeline.target, to: tip)
    let base = try await find()
    #expect(base.place == .commit(tip) && states(base) == [delivery: .pushed])
  }
}
