internal import Pipeline

struct BitbucketServerPullRequest: Decodable {
  struct List: Decodable {
    var values: [BitbucketServerPullRequest]
    var isLastPage: Bool
    var nextPageStart: Int?
  }

  struct Project: Codable {
    var key: String
  }

  struct Repository: Codable {
    var slug: String
    var project: Project
  }

  struct Side: Decodable {
    /// The full name of the reference.
    var id: String
    var latestCommit: String?
    var repository: Repository
  }

  struct Reviewer: Codable {
    struct User: Codable {
      var name: String
    }

    var user: User
  }

  struct Links: Decodable {
    struct Link: Decodable {
      var href: String
    }

    /// The links to the page of the pull request.
    var `self`: [Link]?
  }

  var id: Int
  var version: Int
  var title: String
  var description: String?
  /// The state: `OPEN`, `MERGED` or `DECLINED`.
  var state: String
  var fromRef: Side
  var toRef: Side
  var reviewers: [Reviewer]?
  var links: Links?

  var value: PullRequest {
    PullRequest(
      number: id, url: links?.`self`?.first?.href ?? "",
      state: state == "OPEN" ? .open : state == "MERGED" ? .merged : .closed,
      head: CommitID(rawValue: fromRef.latestCommit ?? ""), title: title, body: description ?? "")
  }
}

extension BitbucketServerPullRequest {
  var isFork: Bool {
    let (source, target) = (fromRef.repository, toRef.repository)
    return PullRequestSides.areApart(source.slug, target.slug)
      || PullRequestSides.areApart(source.project.key, target.project.key)
  }
}

struct BitbucketServerNewPullRequest: Encodable {
  struct Side: Encodable {
    var id: String
    var repository: BitbucketServerPullRequest.Repository
  }

  var title: String
  var description: String
  var fromRef: Side
  var toRef: Side
  var draft: Bool?
}

struct BitbucketServerPullRequestText: Encodable {
  var version: Int
  var title: String
  var description: String
  var reviewers: [BitbucketServerPullRequest.Reviewer]
}
