import LedgerStore
import Localization
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct ProposeStageTests {
  @Test("a title that is longer than the forge allows is truncated")
  func title() async throws {
    let pipeline = try TestPipeline()
    let forge = OnePullRequestForge(titleLimit: 20)
    pipeline.commit(TestPipeline.tree(["Feed"]))
    var context = pipeline.context(TestPipeline.definition { $0.deliver.mode = .pullRequest })
    context.forge = forge
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    #expect(forge.pull.withLock { $0?.title } == "Translations for ma…")
  }

  @Test("a failed merge request is repeated every minute, and given up after an hour with the forge's message")
  func merging() async throws {
    let pipeline = try TestPipeline()
    let forge = OnePullRequestForge()
    func run(after minutes: Int) async throws -> [String] {
      pipeline.clock.advance(by: Double(60 * minutes + 1))
      var context = pipeline.context(
        TestPipeline.definition {
          $0.deliver.mode = .pullRequest
          $0.deliver.extras = PullRequestExtras(merge: .squash)
        })
      context.forge = forge
      return try await pipeline.findings(context).filter { $0.contains("forge") }
    }
    pipeline.commit(TestPipeline.tree(["Feed"]))
    #expect(try await run(after: 0) == [])
    pipeline.vendor.give(["Feed": "Füttern"])
    #expect(try await run(after: 0) == [])
    #expect(forge.asked.withLock { $0 } == 1)
    #expect(forge.pull.withLock { $0?.body.contains(PullRequestExtras.mergePending) } == true)
    #expect(try await run(after: 1) == [])
    #expect(forge.asked.withLock { $0 } == 2)
    #expect(
      try await run(after: 60) == ["the forge does not merge the pull request for main automatically: not yet"])
    #expect(forge.pull.withLock { $0?.body.contains(PullRequestExtras.mergePending) } == false)
    #expect(try await run(after: 2) == [])
    #expect(forge.asked.withLock { $0 } == 3)
  }

  /// Opens a pull request with the translations of “Feed” and “Fly”.
  private func propose(in pipeline: TestPipeline, _ context: PipelineContext) async throws {
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern", "Fly": "Fliegen"])
    try await pipeline.run(context)
  }

  @Test("texts that a squash merge put on the watched branch are not listed again, but their corrections are")
  func squashed() async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let context = context(pipeline, forge)
    try await propose(in: pipeline, context)
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Füttern", "Fly": "Flug"]), to: TestPipeline.target)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Swim"], de: ["Feed": "Füttern", "Fly": "Fliegen"]))
    forge.pull.withLock { $0?.state = .merged }
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Swim": "Schwimmen"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    let body = try #require(forge.pull.withLock { $0?.body })
    #expect(body.contains("`Schwimmen`") && body.contains("`Flug`") && !body.contains("`Füttern`"), "\(body)")
  }

  private func context(
    _ pipeline: TestPipeline, _ forge: OnePullRequestForge, catalogs: CatalogPolicy = .leave
  ) -> PipelineContext {
    var context = pipeline.context(
      TestPipeline.definition {
        $0.deliver.mode = .pullRequest
        $0.catalogs = catalogs
      })
    context.forge = forge
    return context
  }

  @Test(
    "a closed pull request stays closed for a subset of its translations; new translations open another pull request",
    arguments: [false, true])
  func partOfClosed(deletesBranch: Bool) async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let context = context(pipeline, forge)
    try await propose(in: pipeline, context)
    forge.pull.withLock { $0?.state = .closed }
    if deletesBranch { pipeline.remote.move(TestPipeline.target, to: nil) }
    try await pipeline.run(context, isThorough: true)
    // A person adds translations, and later removes a string. No translation of the vendor is new.
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest"], de: ["Fly": "Flug", "Nest": "Nest"]))
    try await pipeline.run(context, isThorough: true)
    pipeline.commit(TestPipeline.tree(["Feed", "Nest"], de: ["Nest": "Nest"]))
    try await pipeline.run(context, isThorough: true)
    #expect(forge.opened.withLock { $0 } == 1)
    #expect(forge.pull.withLock { $0?.state } == .closed)
    pipeline.commit(TestPipeline.tree(["Feed", "Nest", "Egg"], de: ["Nest": "Nest"]))
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Egg": "Ei"])
    try await pipeline.run(context, isThorough: true)
    #expect(forge.opened.withLock { $0 } == 2)
    #expect(forge.pull.withLock { $0?.state } == .open)
  }

  @Test("a closed pull request stays closed if a person replaced its text", arguments: [false, true])
  func closedWithOtherText(deletesBranch: Bool) async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let context = context(pipeline, forge)
    try await propose(in: pipeline, context)
    forge.pull.withLock {
      $0?.state = .closed
      $0?.body = "Superseded by #12."
    }
    if deletesBranch { pipeline.remote.move(TestPipeline.target, to: nil) }
    try await pipeline.run(context, isThorough: true)
    // The delivery branch gets another commit with the same translations.
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest"], de: ["Nest": "Nest"]))
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(forge.opened.withLock { $0 } == 1)
    #expect(forge.pull.withLock { $0?.state } == .closed)
    if deletesBranch { #expect(pipeline.remote.head(of: TestPipeline.target) == nil) }
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Nest", "Egg"], de: ["Nest": "Nest"]))
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Egg": "Ei"])
    try await pipeline.run(context, isThorough: true)
    #expect(forge.opened.withLock { $0 } == 2)
  }

  @Test("a closed pull request stays closed when its catalog moves", arguments: [CatalogPolicy.leave, .commit])
  func movedCatalog(catalogs: CatalogPolicy) async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let context = context(pipeline, forge, catalogs: catalogs)
    try await propose(in: pipeline, context)
    forge.pull.withLock { $0?.state = .closed }
    try await pipeline.run(context, isThorough: true)
    let moved = ProjectPlaces.catalog("Interface", of: "App")
    func commit(_ keys: [String]) {
      var tree = TestPipeline.tree(keys)
      tree.setLines(keys.map { SourceLine(table: "Interface", key: $0) }, of: "App")
      tree[moved] = tree[TestPipeline.catalog]
      tree[TestPipeline.catalog] = nil
      pipeline.commit(tree)
    }
    commit(["Feed", "Fly"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(try await pipeline.store.renames(of: TestPipeline.name) == [TestPipeline.catalog: moved])
    #expect(forge.opened.withLock { $0 } == 1)
    commit(["Feed", "Fly", "Egg"])
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Egg": "Ei"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(forge.opened.withLock { $0 } == 2)
  }

  @Test("with catalogs: commit, a different catalog edit does not reopen a closed pull request")
  func editAfterClosing() async throws {
    let pipeline = try TestPipeline()
    let forge = OnePullRequestForge()
    let context = context(pipeline, forge, catalogs: .commit)
    var tree = TestPipeline.tree(["Feed"])
    tree.setLines(["Feed", "Fly"].map { SourceLine(table: "Localizable", key: $0) }, of: "App")
    pipeline.commit(tree)
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    #expect(forge.opened.withLock { $0 } == 1)
    forge.pull.withLock { $0?.state = .closed }
    var catalog = try #require(tree.catalog(at: TestPipeline.catalog))
    catalog.entries["Feed"]?.comment = "A button"
    tree.write(catalog)
    pipeline.commit(tree)
    try await pipeline.run(context, isThorough: true)
    #expect(forge.opened.withLock { $0 } == 1)
  }

  @Test("the table of a pull request includes translations that a person wrote on its branch")
  func correctedText() async throws {
    let pipeline = try TestPipeline()
    let forge = OnePullRequestForge()
    let context = context(pipeline, forge)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    pipeline.commit(TestPipeline.tree(["Feed", "Fly"], de: ["Feed": "Von Ada"]), to: TestPipeline.target)
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Fly": "Fliegen"])
    try await pipeline.run(context, isThorough: true)
    let body = try #require(forge.pull.withLock { $0?.body })
    #expect(body.contains("`Von Ada`") && body.contains("`Fliegen`") && !body.contains("`Füttern`"))
  }

  @Test(
    "translations whose commits a person rebased or amended are proposed, alone and with later translations",
    arguments: [false, true])
  func replacedCommits(isAmended: Bool) async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let context = context(pipeline, forge)
    try await propose(in: pipeline, context)
    // Opening the pull request failed, and then a person updates the delivery branch.
    forge.pull.withLock { $0 = nil }
    let main = pipeline.commit(TestPipeline.tree(["Feed", "Fly"], other: ["Notes.md": []]))
    let feed = isAmended ? "Fütterung" : "Füttern"
    pipeline.commit(
      TestPipeline.tree(["Feed", "Fly"], de: ["Feed": feed, "Fly": "Fliegen"], other: ["Notes.md": []]),
      to: TestPipeline.target, on: [main])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    let body = try #require(forge.pull.withLock { $0?.body })
    #expect(body.contains("`\(feed)`") && body.contains("`Fliegen`") && body.contains("| de | 2 |"), "\(body)")
    #expect(forge.opened.withLock { $0 } == 2)
    // A person closes it. It stays closed until there is a new translation.
    forge.pull.withLock { $0?.state = .closed }
    pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Egg"], other: ["Notes.md": []]))
    try await pipeline.run(context, isThorough: true)
    #expect(forge.opened.withLock { $0 } == 2)
    pipeline.vendor.give(["Egg": "Ei"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(forge.opened.withLock { $0 } == 3)
    let after = try #require(forge.pull.withLock { $0?.body })
    #expect(after.contains("`\(feed)`") && after.contains("`Ei`") && after.contains("| de | 3 |"), "\(after)")
  }

  @Test("a person's translations of strings that no vendor returned do not open a pull request")
  func onlyPeople() async throws {
    let (pipeline, forge) = (try TestPipeline(), OnePullRequestForge())
    let main = pipeline.commit(TestPipeline.tree(["Feed"]))
    pipeline.commit(TestPipeline.tree(["Feed"], de: ["Feed": "Füttern"]), to: TestPipeline.target, on: [main])
    let context = context(pipeline, forge)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(forge.opened.withLock { $0 } == 0)
  }

  enum AfterLoss: CaseIterable { case nothing, closed, squashed, squashedAndCorrected }

  @Test(
    "after the ledger was lost, the delivery branch is proposed unless a person closed or squashed it",
    arguments: AfterLoss.allCases)
  func lostLedger(_ event: AfterLoss) async throws {
    let (former, forge) = (try TestPipeline(), OnePullRequestForge())
    try await propose(in: former, context(former, forge))
    let before = try #require(forge.pull.withLock { $0 })
    let merged = ["Feed": "Füttern", "Fly": event == .squashedAndCorrected ? "Flug" : "Fliegen"]
    switch event {
    case .nothing: forge.pull.withLock { $0 = nil }
    case .closed: forge.pull.withLock { $0?.state = .closed }
    case .squashed, .squashedAndCorrected:
      former.commit(TestPipeline.tree(["Feed", "Fly"], de: merged))
      forge.pull.withLock { $0 = nil }
    }
    let pipeline = try TestPipeline(losingLedgerOf: former)
    let context = context(pipeline, forge)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(pipeline.vendor.sentKeys.isEmpty)
    switch event {
    case .nothing:
      let body = try #require(forge.pull.withLock { $0?.body })
      #expect(body.contains("`Füttern`") && body.contains("`Fliegen`"))
      #expect(forge.pull.withLock { $0?.title } == before.title)
      #expect(forge.opened.withLock { $0 } == 2)
      // Later returns are listed next to the person's translation.
      pipeline.commit(TestPipeline.tree(["Feed", "Fly", "Egg"]))
      try await pipeline.run(context, isThorough: true)
      pipeline.vendor.give(["Egg": "Ei"])
      for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
      let after = try #require(forge.pull.withLock { $0?.body })
      #expect(after.contains("`Füttern`") && after.contains("`Ei`"), "\(after)")
    case .closed:
      #expect(forge.pull.withLock { $0?.state } == .closed)
      #expect(forge.opened.withLock { $0 } == 1)
    case .squashed, .squashedAndCorrected: #expect(forge.opened.withLock { $0 } == 1)
    }
  }
}
