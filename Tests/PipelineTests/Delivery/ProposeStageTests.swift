import Localization
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

@Suite(.timeLimit(.minutes(10))) struct ProposeStageTests {
  /// A forge with at most one pull request that cannot set merging.
  private final class StubbornForge: Forge {
    let pull = Mutex<PullRequest?>(nil)
    let asked = Mutex(0)

    func pullRequest(from branch: String, into base: String) async throws -> PullRequest? { pull.withLock { $0 } }

    func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
      let opened = PullRequest(
        number: 1, url: "https://forge.example/1", state: .open, head: wanted.tip, title: wanted.title,
        body: wanted.body)
      pull.withLock { $0 = opened }
      return opened
    }

    func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
      var changed = pullRequest
      (changed.title, changed.body) = (title, body)
      pull.withLock { [changed] in $0 = changed }
      return changed
    }

    func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {}
    func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] { [] }
    func comments(on number: Int) async throws -> [PullRequestComment] { [] }
    func addComment(_ body: String, to number: Int) async throws {}

    func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool { true }

    func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
      asked.withLock { $0 += 1 }
      return AppliedExtras(mergingLater: "not yet")
    }
  }

  @Test("merging is asked for again each minute, and given up with the forge's words after an hour")
  func merging() async throws {
    let pipeline = try TestPipeline()
    let forge = StubbornForge()
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
      try await run(after: 60) == ["the forge does not merge the pull request for main by itself: not yet"])
    #expect(forge.pull.withLock { $0?.body.contains(PullRequestExtras.mergePending) } == false)
    #expect(try await run(after: 2) == [])
    #expect(forge.asked.withLock { $0 } == 3)
  }
}
