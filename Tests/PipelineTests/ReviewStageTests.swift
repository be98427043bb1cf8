import LedgerStore
import Localization
import Synchronization
import TestSupport
import Testing

@testable import Pipeline

@Suite("Reviews of pull requests", .timeLimit(.minutes(10))) struct ReviewStageTests {
  private struct Fault: DisposableError {
    var disposition: Disposition
  }

  /// A forge with open pull requests, some of which cannot get a comment.
  private final class ReviewedForge: Forge {
    let traits = ForgeTraits()
    let pulls = Mutex<[OpenPullRequest]>([])
    let faults = Mutex<[Int: Disposition]>([:])
    let comments = Mutex<[Int]>([])
    /// The comments that every pull request already has.
    let earlier = Mutex<[PullRequestComment]>([])
    let changed = Mutex<[PullRequestComment]>([])

    func pullRequest(from branch: String, into base: String) async throws -> PullRequest? { nil }
    func open(_ wanted: WantedPullRequest) async throws -> PullRequest { throw Fault(disposition: .permanent) }
    func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest { pullRequest }
    func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {}
    func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] { pulls.withLock { $0 } }
    func comments(on number: Int) async throws -> ReadComments { ReadComments(earlier.withLock { $0 }) }
    func addComment(_ body: String, to number: Int) async throws {
      if let disposition = faults.withLock({ $0[number] }) { throw Fault(disposition: disposition) }
      comments.withLock { $0.append(number) }
    }
    func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool {
      changed.withLock { $0.append(PullRequestComment(id: comment.id, body: body)) }
      return true
    }
    func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras { AppliedExtras() }
  }

  private let pipeline: TestPipeline
  private let forge = ReviewedForge()
  private let context: PipelineContext

  init() throws {
    pipeline = try TestPipeline()
    var context = pipeline.context(TestPipeline.definition { $0.deliver.comments = true })
    context.forge = forge
    self.context = context
    let main = pipeline.commit(TestPipeline.tree(["Feed"]))
    for number in 1...6 {
      let commit = pipeline.commit(TestPipeline.tree(["Feed", "New \(number)"]), to: "topic\(number)", on: [main])
      forge.pulls.withLock {
        $0.append(
          OpenPullRequest(number: number, branch: "topic\(number)", base: "main", head: commit, isFork: false))
      }
    }
  }

  private func findings() async throws -> [String] {
    try await pipeline.findings(context).filter { $0.contains("forge") }
  }

  private func state() async throws -> JobState.Name? {
    try await pipeline.store.jobs(of: TestPipeline.name).first { $0.stage == .review }?.state.name
  }

  @Test(
    "a refused comment is reported, comments on other pull requests are posted, and the job waits for the next event")
  func refused() async throws {
    forge.faults.withLock { $0 = [1: .askPerson, 2: .permanent, 3: .askPerson, 5: .askPerson] }
    let findings = try await findings()
    #expect(forge.comments.withLock { $0 } == [4, 6])
    #expect(findings.count == 4, "\(findings)")
    #expect(findings.first?.hasPrefix("the forge refused a comment or status on pull request 1: ") == true)
    #expect(findings.last == "the forge refused a comment or status on 1 more pull request")
    #expect(try await state() == .waiting)
    forge.faults.withLock { $0 = [:] }
    #expect(try await self.findings() == [])
    #expect(forge.comments.withLock { $0 } == [4, 6, 1, 2, 3, 5])
  }

  @Test("after a temporary error on one pull request, others get their comments, and the job is retried")
  func temporary() async throws {
    forge.faults.withLock { $0 = [1: .retry] }
    _ = try await findings()
    #expect(forge.comments.withLock { $0 } == [2, 3, 4, 5, 6])
    #expect(try await state() == .queued)
    forge.faults.withLock { $0 = [:] }
    _ = try await findings()
    #expect(forge.comments.withLock { $0 } == [2, 3, 4, 5, 6, 1])
  }

  @Test("no more requests are sent to a server that requires a pause")
  func busy() async throws {
    forge.faults.withLock { $0 = [1: .retryAfter(.seconds(60))] }
    _ = try await findings()
    #expect(forge.comments.withLock { $0 } == [])
    #expect(try await state() == .queued)
  }

  @Test("after the pipeline was renamed, its earlier comment gets the new name, and no second comment is added")
  func renamed() async throws {
    forge.earlier.withLock {
      $0 = ["other", "old"].map {
        PullRequestComment(
          id: $0, body: "### Localization\n\n---\nAbout 0123456789. Pipeline `\($0)`. Dragoman updates this comment\n")
      }
    }
    forge.pulls.withLock { $0 = Array($0.prefix(1)) }
    var context = pipeline.context(
      TestPipeline.definition {
        $0.deliver.comments = true
        $0.formerly = ["older", "old"]
      })
    context.forge = forge
    _ = try await pipeline.findings(context)
    #expect(forge.comments.withLock { $0 } == [])
    let changed = forge.changed.withLock { $0 }
    #expect(changed.map(\.id) == ["old"])
    #expect(changed.first?.body.contains("Pipeline `\(TestPipeline.name)`. Dragoman") == true, "\(changed)")
  }

  /// A mirror that gets the commits of a fork only when they are fetched.
  private final class ForkMirror: WrappingMirror {
    let wrapped: any RepositoryMirror
    let fork: CommitID
    private let asked = Mutex<[String]>([])
    private let isFetched = Mutex(false)

    init(_ wrapped: any RepositoryMirror, fork: CommitID) { (self.wrapped, self.fork) = (wrapped, fork) }

    var requests: [String] { asked.withLock { $0 } }

    func holds(_ commit: CommitID) async throws -> Bool {
      if commit == fork { return isFetched.withLock { $0 } }
      return try await wrapped.holds(commit)
    }

    /// Returns an earlier commit, as an outdated reference does.
    func fetch(_ reference: String) async throws -> CommitID? {
      asked.withLock { $0.append(reference) }
      return try await wrapped.branches().first?.commit
    }

    func fetch(_ commit: CommitID) async throws -> Bool {
      asked.withLock { $0.append("commit") }
      isFetched.withLock { $0 = true }
      return true
    }
  }

  @Test(
    "a fork's newest commit is fetched by its id if the forge's reference is missing or outdated",
    arguments: [nil, "refs/pull/9/merge"])
  func commitOfFork(_ reference: String?) async throws {
    let commit = pipeline.commit(TestPipeline.tree(["Feed", "Forked"]), to: "fork", on: [])
    let mirror = ForkMirror(context.mirror, fork: commit)
    var context = context
    context.mirror = mirror
    forge.pulls.withLock {
      $0 = [
        OpenPullRequest(number: 9, branch: "topic", base: "main", head: commit, isFork: true, reference: reference)
      ]
    }
    _ = try await pipeline.findings(context)
    #expect(forge.comments.withLock { $0 } == [9])
    #expect(mirror.requests == [reference, "commit"].compactMap(\.self))
  }
}
