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

  /// A marker that is present for a pull request from a fork.
  struct Fork: Decodable {}

  var pullRequestId: Int
  var url: String?
  /// The status: `active`, `completed` or `abandoned`.
  var status: String
  var title: String
  /// The description. Lists contain only its first 400 characters.
  var description: String?
  var sourceRefName: String
  var targetRefName: String
  /// The newest commit of the source branch when the server last tried to merge the branch; `nil` if the server does not report it.
  var lastMergeSourceCommit: Commit?
  /// The state of the test merge: `succeeded`, `queued`, `conflicts` or others.
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

  /// The state: `succeeded` or `failed`. Other programs may also set `pending`, `error` and further values.
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
