// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Localization
internal import Pipeline

struct GitHubPullRequest: Decodable {
  struct Side: Decodable {
    struct Repository: Decodable {
      var full_name: String
    }

    var ref: String
    var sha: String
    /// The repository; `null` if the fork was deleted.
    var repo: Repository?
  }

  struct AutoMerge: Decodable {}

  var number: Int
  /// The id of the pull request in GraphQL.
  var node_id: String?
  var html_url: String
  /// The state: `open` or `closed`.
  var state: String
  var title: String
  /// The description; `null` if it is empty.
  var body: String?
  /// The time of the merge; `null` if the pull request is not merged. Unlike `merged`, it is also present in lists.
  var merged_at: String?
  /// A value that is present if auto-merge is enabled.
  var auto_merge: AutoMerge?
  var head: Side
  var base: Side

  var value: PullRequest {
    PullRequest(
      number: number, url: html_url, state: state == "open" ? .open : merged_at == nil ? .closed : .merged,
      head: CommitID(rawValue: head.sha), title: title, body: body ?? "")
  }
}

struct GitHubNewPullRequest: Encodable {
  var title: String
  var head: String
  var base: String
  var body: String
  var draft: Bool
}

/// A commit status. GitHub, Gitea and Forgejo use the same format.
struct GitHubStatus: Encodable {
  /// The state: `success` or `failure`.
  var state: String
  var description: String
  var context: String
}

struct GitHubPullRequestText: Encodable {
  var title: String
  var body: String
}
