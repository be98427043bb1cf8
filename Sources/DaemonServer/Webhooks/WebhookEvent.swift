internal import Foundation

/// An event of a forge. The event is only used to decide whether a branch may have moved. All other data is read from the repository.
struct WebhookEvent: Decodable, Hashable, Sendable {
  let canMoveBranches: Bool

  private struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// The members that only pushes, creations, deletions and pull requests have: `ref` (GitHub, Gitea, Forgejo, GitLab), `push` (Bitbucket
  /// Cloud), `changes` (Bitbucket Data Center), and the forges' names of a pull request.
  private static let members = ["ref", "push", "changes", "pull_request", "pullrequest", "pullRequest", "merge_group"]

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Name.self)
    func text(_ name: String) -> String? { try? object.decodeIfPresent(String.self, forKey: Name(name)) }
    // GitLab sends `merge_request`. Azure DevOps sends `git.push` and `git.pullrequest.merged`.
    canMoveBranches =
      Self.members.contains { object.contains(Name($0)) } || text("object_kind") == "merge_request"
      || text("eventType")?.hasPrefix("git.p") == true
  }

  /// - Throws: an error if the body is not a JSON object.
  init(body: [UInt8]) throws { self = try JSONDecoder().decode(WebhookEvent.self, from: Data(body)) }
}
