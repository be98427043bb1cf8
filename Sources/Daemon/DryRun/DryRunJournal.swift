package import Localization
package import Pipeline
private import Synchronization

/// What a real run would send: to vendors, to the git server and to the forge, in the order in which it would.
package struct PlannedRequest: Hashable, Sendable, Encodable {
  package enum Kind: String, Hashable, Sendable, Encodable {
    case send, withdraw, retire, acknowledge, push
    case openPullRequest = "open-pull-request"
    case updatePullRequest = "update-pull-request"
    case status, comment, extras
  }

  package var pipeline: String
  package var kind: Kind
  /// The vendor, the branch, or the pull request.
  package var subject: String
  /// For people: counts, a title, a state.
  package var detail: String
  /// The whole text, of a pull request or a comment.
  package var text: String?
  /// Of a push.
  package var commits: [PlannedCommit]?
}

/// A commit that a real run would push.
package struct PlannedCommit: Hashable, Sendable, Encodable {
  package var commit: CommitID
  package var tree: String
  package var subject: String
  /// The changes of its files as unified diffs, at most 256 KiB of each commit.
  package var diff: String
}

/// Collects the requests of a dry run.
package final class DryRunJournal: Sendable {
  private let noted = Mutex<[PlannedRequest]>([])
  private let remarks = Mutex<[String: [String]]>([:])

  package init() {}

  package var requests: [PlannedRequest] { noted.withLock { $0 } }

  func note(_ request: PlannedRequest) { noted.withLock { $0.append(request) } }

  /// Notes what a dry run cannot know.
  func remark(_ pipeline: String, _ text: String) {
    remarks.withLock { remarks in
      if remarks[pipeline]?.contains(text) != true { remarks[pipeline, default: []].append(text) }
    }
  }

  func remarks(of pipeline: String) -> [String] { remarks.withLock { $0[pipeline] ?? [] } }
}
