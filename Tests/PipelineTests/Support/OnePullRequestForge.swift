import Localization
import Synchronization

@testable import Pipeline

/// A forge that keeps only the newest pull request, and cannot enable automatic merging.
final class OnePullRequestForge: Forge {
  let pull = Mutex<PullRequest?>(nil)
  let opened = Mutex(0)
  let asked = Mutex(0)
  /// The newest status of each commit, with the branch for which it was set.
  let statuses = Mutex<[CommitID: (branch: String, status: CommitStatus)]>([:])
  /// The reason why a push to any branch may be refused.
  let pushObstacle = Mutex<String?>(nil)
  let traits: ForgeTraits

  init(titleLimit: Int = 240, keepsStatusesByBranch: Bool = false) {
    traits = ForgeTraits(titleLimit: titleLimit, keepsStatusesByBranch: keepsStatusesByBranch)
  }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? { pull.withLock { $0 } }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    let number = opened.withLock { number in
      number += 1
      return number
    }
    let opened = PullRequest(
      number: number, url: "https://forge.example/\(number)", state: .open, head: wanted.tip, title: wanted.title,
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

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {
    statuses.withLock { $0[commit] = (branch, status) }
  }

  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] { [] }
  func comments(on number: Int) async throws -> ReadComments { ReadComments([]) }
  func addComment(_ body: String, to number: Int) async throws {}

  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool { true }

  func obstacle(toPushing branch: String) async throws -> String? { pushObstacle.withLock { $0 } }

  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras {
    asked.withLock { $0 += 1 }
    return AppliedExtras(mergingLater: "not yet")
  }
}
