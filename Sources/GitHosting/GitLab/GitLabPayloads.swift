// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Pipeline

struct GitLabMergeRequest: Decodable {
  /// The prefix of the title of a draft.
  static let draft = "Draft: "

  var iid: Int
  var web_url: String
  /// The state: `opened`, `closed`, `merged`, or `locked` during a merge.
  var state: String
  var title: String
  /// The description; `null` if it is empty.
  var description: String?
  /// The newest commit of the source branch; `null` if the branch was deleted.
  var sha: String?
  var source_branch: String
  var target_branch: String
  var source_project_id: Int?
  var target_project_id: Int?

  var value: PullRequest {
    let isDraft = title.hasPrefix(Self.draft)
    let state: PullRequest.State =
      switch state {
      case "closed": .closed
      case "opened": .open
      case "locked": .merging
      default: .merged
      }
    return PullRequest(
      number: iid, url: web_url, state: state,
      head: CommitID(rawValue: sha ?? ""), title: String(isDraft ? title.dropFirst(Self.draft.count) : title[...]),
      body: description ?? "", isDraft: isDraft)
  }
}

struct GitLabNewMergeRequest: Encodable {
  var source_branch: String
  var target_branch: String
  var title: String
  var description: String
}

struct GitLabStatus: Encodable {
  /// The state: `success` or `failed`.
  var state: String
  /// The branch. Without it, GitLab would have to guess the pipeline.
  var ref: String
  var name: String
  var description: String
}

struct GitLabMergeRequestText: Encodable {
  var title: String
  var description: String
}
