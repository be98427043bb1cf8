import LedgerStore
import Localization
import Simulation
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

/// Pull requests of delivery branches whose names change.
@Suite(.timeLimit(.minutes(10))) struct FormerTargetTests {
  private let pipeline: TestPipeline
  private let forge = BranchForge()

  init() throws { pipeline = try TestPipeline() }

  private func context(branch: String = "l10n/{branch}", watching: [String] = []) -> PipelineContext {
    var context = pipeline.context(
      TestPipeline.definition {
        $0.deliver.mode = .pullRequest
        $0.deliver.branch = branch
        $0.repository.branches = watching.map { BranchPattern($0) }
      })
    context.forge = forge
    return context
  }

  /// Opens a pull request with the translation of “Feed”.
  private func propose(_ context: PipelineContext) async throws {
    pipeline.commit(TestPipeline.tree(["Feed"]))
    try await pipeline.run(context)
    pipeline.vendor.give(["Feed": "Füttern"])
    try await pipeline.run(context)
    #expect(forge.list == ["l10n/main open"])
  }

  private func problems() async throws -> [String] {
    try await pipeline.store.jobs(of: TestPipeline.name).flatMap(\.findings).map(\.message)
  }

  @Test("a delivery branch that gets its former name back is proposed, although its pull request was closed meanwhile")
  func changedBack() async throws {
    let (first, second) = (context(), context(branch: "i18n/{branch}"))
    try await propose(first)
    #expect(
      try await pipeline.findings(second, isThorough: true) == [
        "the translations of main are now delivered to i18n/main; l10n/main still exists"
      ])
    forge.close(1)
    pipeline.remote.move("l10n/main", to: nil)
    try await pipeline.run(second, isThorough: true)
    #expect(
      try await pipeline.findings(first, isThorough: true) == [
        "the translations of main are now delivered to l10n/main; i18n/main still exists"
      ])
    #expect(forge.list == ["l10n/main closed", "i18n/main open", "l10n/main open"])
    forge.close(2)
    pipeline.remote.move("i18n/main", to: nil)
    for _ in 0..<2 { #expect(try await pipeline.findings(first, isThorough: true) == []) }
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(forge.list == ["l10n/main closed", "i18n/main closed", "l10n/main open"])

    // A person closes the new pull request, which refuses its translations.
    forge.close(3)
    pipeline.remote.move("l10n/main", to: nil)
    for _ in 0..<2 { try await pipeline.run(first, isThorough: true) }
    #expect(forge.list.count == 3)
    #expect(pipeline.german("Feed") == nil)
  }

  @Test("a former delivery branch that was kept is proposed again when the pipeline returns to it")
  func keptBranch() async throws {
    let (first, second) = (context(), context(branch: "i18n/{branch}"))
    try await propose(first)
    try await pipeline.run(second, isThorough: true)
    forge.close(1)
    for _ in 0..<2 { try await pipeline.run(first, isThorough: true) }
    #expect(forge.list == ["l10n/main closed", "i18n/main open", "l10n/main open"])
    #expect(pipeline.german("Feed") == "Füttern")
  }

  @Test("people are not asked to delete the former delivery branch before the new pull request is open")
  func notOpenYet() async throws {
    let second = context(branch: "i18n/{branch}")
    try await propose(context())
    forge.refuses.withLock { $0 = true }
    #expect(try await pipeline.findings(second, isThorough: true).allSatisfy { !$0.contains("still exists") })
    #expect(pipeline.german("Feed", on: "i18n/main") == "Füttern")
    forge.refuses.withLock { $0 = false }
    #expect(try await pipeline.findings(second, isThorough: true).contains { $0.contains("l10n/main still exists") })
    #expect(forge.list == ["l10n/main open", "i18n/main open"])
  }

  @Test("a branch that is watched again is delivered, although its pull request was closed while it did not exist")
  func renamedBranch() async throws {
    let context = context(watching: ["main", "trunk"])
    try await propose(context)
    let head = try #require(pipeline.remote.head(of: "main"))
    pipeline.remote.move("trunk", to: head)
    pipeline.remote.move("main", to: nil)
    try await pipeline.run(context, isThorough: true)
    #expect(forge.list == ["l10n/main open", "l10n/trunk open"])
    forge.close(1)
    pipeline.remote.move("l10n/main", to: nil)
    try await pipeline.run(context, isThorough: true)
    pipeline.remote.move("main", to: head)
    pipeline.remote.move("trunk", to: nil)
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(pipeline.german("Feed") == "Füttern")
    #expect(forge.list == ["l10n/main closed", "l10n/trunk open", "l10n/main open"])
  }

  @Test(
    "translations whose pull request a person closed are listed as a problem until they are proposed again",
    arguments: [false, true])
  func withheld(deletesBranch: Bool) async throws {
    let context = context()
    try await propose(context)
    #expect(try await problems() == [])
    forge.close(1)
    if deletesBranch { pipeline.remote.move(TestPipeline.target, to: nil) }
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    if !deletesBranch {
      // The forge reports no event, so the pull request is looked up when the branch moves.
      pipeline.commit(TestPipeline.tree(["Feed"], other: ["Notes.md": []]))
      try await pipeline.run(context, isThorough: true)
    }
    #expect(
      try await problems() == [
        deletesBranch
          ? "pull request 1 was closed with the same content, so l10n/main is not created again"
          : "pull request 1 was closed, so its translations are not proposed again"
      ])
    pipeline.commit(TestPipeline.tree(["Feed", "Egg"]))
    try await pipeline.run(context, isThorough: true)
    pipeline.vendor.give(["Egg": "Ei"])
    for _ in 0..<2 { try await pipeline.run(context, isThorough: true) }
    #expect(forge.list == ["l10n/main closed", "l10n/main open"])
    #expect(try await problems() == [])
  }
}
