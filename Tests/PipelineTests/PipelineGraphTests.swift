import Foundation
import Localization
import Pipeline
import Testing

/// The jobs of a pipeline and the inputs that make them due.
struct PipelineGraphTests {
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)

  private var definition = PipelineDefinition(
    name: "birds", repository: RepositorySettings(url: "/birds.git"), languages: ["de"],
    vendors: [VendorDefinition(kind: "folder", options: ["path": .text("/drop")])])

  private func head(_ branch: String, _ commit: String, isCompared: Bool = true, pendingSince: Double? = nil) -> Run {
    Run(
      id: RunID(rawValue: 1), pipeline: "birds", branch: branch, commit: CommitID(rawValue: commit), created: Self.now,
      pendingSince: pendingSince.map { Self.now + $0 }, isCompared: isCompared)
  }

  private func state() -> PipelineState {
    PipelineState(
      definition: definition, vendors: ["v"], heads: [head("main", "a")], remote: ["main": CommitID(rawValue: "a")],
      now: Self.now)
  }

  private struct Name: Hashable {
    var stage: Stage
    var scope: String
  }

  private func inputs(_ state: PipelineState) -> [Name: String] {
    Dictionary(
      PipelineGraph(state).jobs.map { (Name(stage: $0.stage, scope: $0.scope), $0.inputs) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the stages whose inputs a change of the state changes, including stages that are added or removed.
  private func due(_ change: (inout PipelineState) -> Void) -> Set<Stage> {
    var after = state()
    change(&after)
    let (old, new) = (inputs(state()), inputs(after))
    return Set(Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.map(\.stage))
  }

  @Test("an idle pipeline has extract, diff, pull and merge jobs, but no push or deliver job")
  func rest() {
    #expect(PipelineGraph(state()).jobs.map(\.stage) == [.extract, .diff, .pull, .merge])
    #expect(due { _ in }.isEmpty)
  }

  @Test("a branch is reported again when another branch moves to or away from its commit")
  func sharedCommit() {
    func reports(_ heads: [Run]) -> String? {
      var state = self.state()
      state.definition.deliver.statuses = [.completeness]
      state.heads = heads
      for job in PipelineGraph(state).jobs where job.stage == .extract { state.extracted[job.scope] = job.inputs }
      return inputs(state)[Name(stage: .report, scope: "main")]
    }
    let alone = reports([head("main", "a")])
    #expect(alone != nil && alone == reports([head("main", "a"), head("release", "b")]))
    let shared = reports([head("main", "a"), head("release", "a")])
    #expect(shared != alone && shared != reports([head("main", "a"), head("release", "a"), head("old", "a")]))
  }

  @Test("a new commit arms its extraction, comparison and merge")
  func newCommit() {
    #expect(due { $0.heads = [head("main", "b")] } == [.extract, .diff, .merge])
  }

  @Test("changed fallbacks cause the completion of branches to be counted again")
  func fallbacks() {
    #expect(due { $0.definition.fallbacks = LanguageFallbacks(["es": ["fr"]]) }.contains(.extract))
  }

  @Test("deleting a branch causes the other branches to be compared and merged again")
  func branchGone() {
    var before = state()
    before.heads.append(head("old", "c"))
    let (old, new) = (inputs(before), inputs(state()))
    #expect(old[Name(stage: .diff, scope: "")] != new[Name(stage: .diff, scope: "")])
    #expect(old[Name(stage: .merge, scope: "main")] != new[Name(stage: .merge, scope: "main")])
    #expect(old[Name(stage: .extract, scope: "main")] == new[Name(stage: .extract, scope: "main")])
  }

  @Test("a branch is reported again when a requirement changes, even by 0.01 %")
  func requirementChanged() throws {
    func report(_ required: String, catalogs: String? = nil) throws -> String? {
      var state = self.state()
      state.definition.deliver.statuses = [.completeness]
      let needed = try #require(Percentage(required))
      state.definition.require = [
        CompletionRequirement(language: nil, needed: needed, catalogs: catalogs.flatMap { PathPattern($0) })
      ]
      for job in PipelineGraph(state).jobs where job.stage == .extract { state.extracted[job.scope] = job.inputs }
      return inputs(state)[Name(stage: .report, scope: "main")]
    }
    let reports = [
      try report("99.9"), try report("99.91"), try report("99.95"), try report("99.9", catalogs: "App/**"),
      try report("99.9", catalogs: "Kit/**"),
    ]
    #expect(Set(reports.compactMap(\.self)).count == 5)
    #expect(try report("99.90") == reports[0])
  }

  @Test("a changed pipeline file arms only the jobs that depend on the changed settings")
  func definitionChanged() {
    #expect(due { $0.definition.languages = ["de", "fr"] } == [.diff, .merge])
    #expect(
      due {
        $0.definition.vendors.append(VendorDefinition(kind: "pseudo", languages: ["fr"]))
        $0.vendors.append("w")
      } == [.diff, .pull, .merge])
    #expect(due { $0.definition.extract.exclude = ["Demo/**"] } == [.extract, .diff, .merge])
    #expect(due { $0.definition.catalogs = .commit } == [.merge])
    #expect(due { $0.definition.repository.poll = .seconds(1) }.isEmpty)
  }

  @Test("a glossary whose violations hold units is an input of merges only")
  func glossary() {
    #expect(due { $0.glossary = "a" } == [.merge])
  }

  @Test(
    "a delivery branch that appears, moves or is deleted arms a merge, and also a comparison if its tip is another person's commit"
  )
  func deliveryBranch() {
    #expect(due { $0.remote["l10n/main"] = CommitID(rawValue: "x") } == [.diff, .merge])
    #expect(
      due {
        $0.remote["l10n/main"] = CommitID(rawValue: "x")
        $0.ownTips["main"] = CommitID(rawValue: "x")
      } == [.merge])
    #expect(due { $0.remote["someone/else"] = CommitID(rawValue: "x") }.isEmpty)
  }

  @Test("unsent units arm a push, outstanding units a pull, and returned units a merge")
  func vendorWork() {
    #expect(due { $0.work.vendors["v"] = VendorWork(unsent: 2, newestShipment: 1) } == [.push])
    #expect(due { $0.work.vendors["v"] = VendorWork(toNotify: 1, newestNotice: 1) } == [.push])
    #expect(due { $0.work.vendors["v"] = VendorWork(outstanding: 2) } == [.pull])
    #expect(due { $0.work.vendors["gone"] = VendorWork(toNotify: 2, newestNotice: 1) }.isEmpty)
    #expect(due { $0.work.revision = 1 } == [.merge])
    #expect(due { $0.work.decisions = 1 } == [.diff])
  }

  @Test("another set of units is pushed even if it has the same number of units")
  func otherUnits() {
    func push(_ newest: Int64) -> String? {
      var state = state()
      state.work.vendors["v"] = VendorWork(unsent: 2, newestShipment: newest)
      return inputs(state)[Name(stage: .push, scope: "v")]
    }
    #expect(push(2) != push(4))
  }

  @Test("a planned delivery is pushed, and pushed again when the branch moves")
  func planned() {
    let id = DeliveryID(rawValue: 7)
    #expect(due { $0.work.planned["main"] = id } == [.deliver])
    #expect(due { $0.work.planned["other"] = id }.isEmpty)
    var before = state()
    before.work.planned["main"] = id
    var after = before
    after.remote["l10n/main"] = CommitID(rawValue: "x")
    let name = Name(stage: .deliver, scope: "main")
    #expect(inputs(before)[name] != inputs(after)[name])
  }

  @Test("a comparison waits until the first changed branch has been quiet; other jobs do not wait")
  func quiet() {
    var state = state()
    func due(_ state: PipelineState) -> Date? { PipelineGraph(state).jobs.first { $0.stage == .diff }?.due }
    #expect(due(state) == Self.now)
    state.heads = [head("main", "b", isCompared: false, pendingSince: 0), head("z", "c")]
    #expect(due(state) == Self.now + 600)
    state.isOnce = true
    #expect(due(state) == Self.now)
  }

  @Test("a branch that is read again because objects were missing is also compared again")
  func readAgain() {
    let extract = inputs(state())[Name(stage: .extract, scope: "main")] ?? ""
    #expect(due { $0.extracted["main"] = extract } == [.diff, .merge])
  }

  @Test("each branch and each vendor has its own lane; run --once merges after all vendors were polled")
  func lanes() {
    var state = state()
    func merge() -> JobPlan? { PipelineGraph(state).jobs.first { $0.stage == .merge } }
    #expect(PipelineGraph(state).jobs.map(\.lane) == ["branch main", "rounds", "vendor v", "branch main"])
    #expect(merge()?.waitsFor == [.extract])
    state.isOnce = true
    #expect(merge()?.waitsFor == [.extract, .diff, .push, .pull])
  }
}
