// Members are named as the API names them.
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
    /// `null` if the fork was deleted.
    var repo: Repository?
  }

  struct AutoMerge: Decodable {}

  var number: Int
  /// Its id in GraphQL.
  var node_id: String?
  var html_url: String
  /// `open` or `closed`.
  var state: String
  var title: String
  /// `null` if it is empty.
  var body: String?
  /// Present in lists. `merged` is only present in single pull requests.
  var merged_at: String?
  /// Present if auto-merge is enabled.
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

/// GitHub, Gitea and Forgejo use the same format.
struct GitHubStatus: Encodable {
  /// `success` or `failure`.
  var state: String
  var description: String
  var context: String
}

struct GitHubPullRequestText: Encodable {
  var title: String
  var body: String
}
