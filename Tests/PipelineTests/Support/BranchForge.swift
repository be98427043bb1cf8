import Localization
import Synchronization

@testable import Pipeline

/// A forge that keeps all pull requests by their branches, as forges do.
final class BranchForge: Forge {
  struct Entry: Sendable {
    var branch: String
    var base: String
    var pull: PullRequest
  }

  struct Unavailable: Error {}

  let entries = Mutex<[Entry]>([])
  /// Whether opening a pull request fails.
  let refuses = Mutex(false)
  let traits = ForgeTraits(titleLimit: 240)

  /// The pull requests, oldest first, such as `l10n/main open`.
  var list: [String] { entries.withLock { $0.map { "\($0.branch) \($0.pull.state)" } } }

  func close(_ number: Int) { entries.withLock { $0[number - 1].pull.state = .closed } }

  func pullRequest(from branch: String, into base: String) async throws -> PullRequest? {
    entries.withLock { entries in
      let found = entries.filter { $0.branch == branch && $0.base == base }.map(\.pull)
      return found.last { $0.state == .open } ?? found.last
    }
  }

  func open(_ wanted: WantedPullRequest) async throws -> PullRequest {
    guard !refuses.withLock({ $0 }) else { throw Unavailable() }
    return entries.withLock { entries in
      let number = entries.count + 1
      let opened = PullRequest(
        number: number, url: "https://forge.example/\(number)", state: .open, head: wanted.tip, title: wanted.title,
        body: wanted.body)
      entries.append(Entry(branch: wanted.branch, base: wanted.base, pull: opened))
      return opened
    }
  }

  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest {
    var changed = pullRequest
    (changed.title, changed.body) = (title, body)
    entries.withLock { [changed] in $0[changed.number - 1].pull = changed }
    return changed
  }

  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws {}
  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest] { [] }
  func comments(on number: Int) async throws -> ReadComments { ReadComments([]) }
  func addComment(_ body: String, to number: Int) async throws {}
  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool { true }
  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras { AppliedExtras() }
}
