// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Pipeline

struct GiteaPullRequest: Decodable {
  struct Side: Decodable {
    struct Repository: Decodable {
      var full_name: String
    }

    /// The name of the branch.
    var label: String?
    /// The branch, or `refs/pull/NUMBER/head` if the branch was deleted.
    var ref: String
    var sha: String
    /// The repository; `null` if the fork was deleted.
    var repo: Repository?
  }

  /// The prefix of the title of a draft.
  static let draft = "WIP: "

  var number: Int
  var html_url: String
  /// The state: `open` or `closed`.
  var state: String
  var merged: Bool?
  var title: String
  var body: String?
  var head: Side
  var base: Side

  var value: PullRequest {
    let isDraft = title.hasPrefix(Self.draft)
    return PullRequest(
      number: number, url: html_url, state: merged == true ? .merged : state == "open" ? .open : .closed,
      head: CommitID(rawValue: head.sha), title: String(isDraft ? title.dropFirst(Self.draft.count) : title[...]),
      body: body ?? "", isDraft: isDraft)
  }
}

extension GiteaPullRequest {
  var isFork: Bool { PullRequestSides.areApart(head.repo?.full_name, base.repo?.full_name) }
}

struct GiteaCommit: Decodable {
  var sha: String
}

struct GiteaNewPullRequest: Encodable {
  var head: String
  var base: String
  var title: String
  var body: String
}

struct GiteaPullRequestText: Encodable {
  var title: String
  var body: String
}
