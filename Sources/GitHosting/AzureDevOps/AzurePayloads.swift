struct AzurePullRequest: Decodable {
  struct List: Decodable {
    var value: [AzurePullRequest]
  }

  struct Commit: Decodable {
    var commitId: String
  }

  struct Repository: Decodable {
    var webUrl: String?
  }

  /// Present for a pull request from a fork.
  struct Fork: Decodable {}

  var pullRequestId: Int
  var url: String?
  /// `active`, `completed` or `abandoned`.
  var status: String
  var title: String
  /// Lists contain only its first 400 characters.
  var description: String?
  var sourceRefName: String
  var targetRefName: String
  /// The newest commit of the source branch when the server last tried to merge it.
  var lastMergeSourceCommit: Commit?
  /// `succeeded`, `queued`, `conflicts` and others.
  var mergeStatus: String?
  var repository: Repository?
  var forkSource: Fork?
}

struct AzureNewPullRequest: Encodable {
  var sourceRefName: String
  var targetRefName: String
  var title: String
  var description: String
  var isDraft: Bool
}

struct AzureStatus: Codable {
  struct List: Decodable {
    var value: [AzureStatus]
  }

  struct Context: Codable {
    var name: String
    var genre: String?
  }

  /// `succeeded` or `failed`; statuses by others may also be `pending`, `error` and more.
  var state: String?
  var description: String?
  var context: Context?

  func isSame(as other: AzureStatus) -> Bool {
    state == other.state && description == other.description && context?.name == other.context?.name
      && context?.genre == other.context?.genre
  }
}

struct AzurePullRequestText: Encodable {
  var title: String
  var description: String
}
