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

  /// The members by which events are recognized that may move branches, such as pushes, created or deleted branches, pull requests and merge groups:
  /// `ref` (GitHub, Gitea, Forgejo, GitLab), `push` (Bitbucket Cloud), `changes` (Bitbucket Data Center), the forges' names for a pull request, and
  /// `merge_group` (GitHub).
  private static let members = ["ref", "push", "changes", "pull_request", "pullrequest", "pullRequest", "merge_group"]

  /// A changed branch or tag in a push, in the form of Bitbucket Cloud, Bitbucket Data Center or Azure DevOps.
  private struct Change: Decodable {
    struct Reference: Decodable { var type: String? }

    /// The references before and after the change, which Bitbucket Cloud sends. `old` is `nil` for a creation, and `new` is `nil` for a deletion.
    var old: Reference?
    var new: Reference?
    /// The full name of the reference, which Bitbucket Data Center sends.
    var refId: String?
    /// The full name of the reference, which Azure DevOps sends.
    var name: String?

    var isOfTag: Bool { (new ?? old)?.type == "tag" || WebhookEvent.isTag(refId) || WebhookEvent.isTag(name) }
  }

  private struct Push: Decodable {
    /// The changes that Bitbucket Cloud sends.
    var changes: [Change]?
    /// The changes that Azure DevOps sends.
    var refUpdates: [Change]?
  }

  private static func isTag(_ reference: String?) -> Bool { reference?.hasPrefix("refs/tags/") == true }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: Name.self)
    func value<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
      try? object.decodeIfPresent(type, forKey: Name(name))
    }
    func text(_ name: String) -> String? { value(name, as: String.self) }
    let changes =
      value("changes", as: [Change].self) ?? value("push", as: Push.self)?.changes
      ?? value("resource", as: Push.self)?.refUpdates ?? []
    // GitHub and Gitea send `ref_type` when a tag is created or deleted.
    let isOfTags =
      Self.isTag(text("ref")) || text("ref_type") == "tag" || (!changes.isEmpty && changes.allSatisfy(\.isOfTag))
    // GitLab sends `merge_request`. Azure DevOps sends `git.push` and `git.pullrequest.merged`.
    canMoveBranches =
      !isOfTags
      && (Self.members.contains { object.contains(Name($0)) } || text("object_kind") == "merge_request"
        || text("eventType")?.hasPrefix("git.p") == true)
  }

  /// - Throws: an error if the body is not a JSON object.
  init(body: [UInt8]) throws { self = try JSONDecoder().decode(WebhookEvent.self, from: Data(body)) }
}
