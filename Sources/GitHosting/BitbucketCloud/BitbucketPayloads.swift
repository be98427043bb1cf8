// The members have the same names as in the API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Pipeline

struct BitbucketPullRequest: Decodable {
  struct List: Decodable {
    var values: [BitbucketPullRequest]
  }

  struct Side: Decodable {
    struct Branch: Codable {
      var name: String
    }

    struct Commit: Decodable {
      /// The first 12 digits of the commit id.
      var hash: String
    }

    struct Repository: Decodable {
      var full_name: String
    }

    var branch: Branch
    /// The branch's newest commit; `null` if the commit no longer exists.
    var commit: Commit?
    /// The repository; `null` if the fork was deleted.
    var repository: Repository?
  }

  struct Links: Decodable {
    struct Link: Decodable {
      var href: String
    }

    var html: Link
  }

  struct Account: Codable, Equatable {
    /// The account's id, in braces.
    var uuid: String
  }

  var id: Int
  var title: String
  var description: String?
  /// The reviewers. They are missing in lists.
  var reviewers: [Account]?
  var close_source_branch: Bool?
  /// The state: `OPEN`, `MERGED`, `DECLINED` or `SUPERSEDED`.
  var state: String
  var source: Side
  var destination: Side
  var links: Links

  var value: PullRequest {
    PullRequest(
      number: id, url: links.html.href, state: state == "OPEN" ? .open : state == "MERGED" ? .merged : .closed,
      head: CommitID(rawValue: source.commit?.hash ?? ""), title: title, body: description ?? "")
  }
}

extension BitbucketPullRequest {
  var isFork: Bool { PullRequestSides.areApart(source.repository?.full_name, destination.repository?.full_name) }
}

struct BitbucketNewPullRequest: Encodable {
  struct Side: Encodable {
    var branch: BitbucketPullRequest.Side.Branch
  }

  var title: String
  var description: String
  var source: Side
  var destination: Side
  var draft: Bool?
}

/// A commit status. Bitbucket Cloud and Data Center use the same format.
struct BitbucketStatus: Encodable {
  /// The identifier of the status. Bitbucket Cloud allows at most 40 characters.
  var key: String
  /// The state: `SUCCESSFUL` or `FAILED`.
  var state: String
  /// The page that a click on the status opens. Bitbucket requires a URL.
  var url: String
  var name: String
  var description: String
}

/// The new values of a pull request. A change must contain all members. For example, Bitbucket removes all reviewers if the list is missing.
struct BitbucketChange: Encodable {
  var title: String
  var description: String
  var reviewers: [BitbucketPullRequest.Account]
  var close_source_branch: Bool?

  /// Creates a change with the current values of a pull request.
  init(_ current: BitbucketPullRequest) {
    title = current.title
    description = current.description ?? ""
    reviewers = current.reviewers ?? []
    close_source_branch = current.close_source_branch
  }
}
