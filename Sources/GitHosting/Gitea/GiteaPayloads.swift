// Members are named as the API names them.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Pipeline

struct GiteaPullRequest: Decodable {
  struct Side: Decodable {
    struct Repository: Decodable {
      var full_name: String
    }

    /// The name of the branch.
    var label: String?
    /// `refs/pull/NUMBER/head` if the branch was deleted.
    var ref: String
    var sha: String
    /// `null` if the fork was deleted.
    var repo: Repository?
  }

  /// The title of a draft begins with this.
  static let draft = "WIP: "

  var number: Int
  var html_url: String
  /// `open` or `closed`.
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
  /// Whether its branch is in another repository, which may have branches of the same names. The two sides of the answer are compared: a
  /// repository that was renamed or moved has another name in `repository.url`.
  var isFork: Bool {
    guard let head = head.repo, let base = base.repo else { return true }
    return head.full_name.lowercased() != base.full_name.lowercased()
  }
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
