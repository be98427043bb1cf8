import Localization

/// An open pull request by anyone. Its content is untrusted.
package struct OpenPullRequest: Hashable, Sendable {
  package var number: Int
  /// The head branch, in the repository from which the pull request comes.
  package var branch: String
  package var base: String
  /// The newest commit. Some forges report only its first digits.
  package var head: CommitID
  /// Whether the pull request comes from another repository.
  package var isFork: Bool
  /// The reference in the base repository that points to the newest commit; `nil` if the forge currently has none. Without it, the commit
  /// can only be fetched by its id, which not all servers allow.
  package var reference: String?

  package init(
    number: Int, branch: String, base: String, head: CommitID, isFork: Bool, reference: String? = nil
  ) {
    self.number = number
    self.branch = branch
    self.base = base
    self.head = head
    self.isFork = isFork
    self.reference = reference
  }
}

/// A comment on a pull request, by anyone.
package struct PullRequestComment: Hashable, Sendable {
  /// The id at the forge.
  package var id: String
  package var body: String
  /// The comment's version, on forges that check the version before a change.
  package var version: Int?

  package init(id: String, body: String, version: Int? = nil) {
    self.id = id
    self.body = body
    self.version = version
  }
}

/// The comments that were read from a pull request.
package struct ReadComments: Hashable, Sendable {
  /// The comments, oldest first.
  package var comments: [PullRequestComment]
  /// Whether all comments were read. A server may have more comments than we read.
  package var isWhole: Bool

  package init(_ comments: [PullRequestComment], isWhole: Bool = true) {
    self.comments = comments
    self.isWhole = isWhole
  }
}

/// The operations of a forge on pull requests by others, and on their comments.
package protocol PullRequestComments: Sendable {
  /// Returns the open pull requests into a branch. The most recently changed pull requests come first if the forge can sort them.
  func openPullRequests(into base: String, limit: Int) async throws -> [OpenPullRequest]

  /// Returns the comments on a pull request. If there are very many, some are left out.
  func comments(on number: Int) async throws -> ReadComments

  /// Adds a comment. The request is never repeated automatically: if the response is lost, look for the comment before the next attempt.
  func addComment(_ body: String, to number: Int) async throws

  /// Replaces the text of a comment.
  /// - Returns: whether the text was replaced: `false` if the comment no longer exists or belongs to somebody else.
  func changeComment(_ comment: PullRequestComment, to body: String, on number: Int) async throws -> Bool
}

/// A comment that a pull request should have.
package struct WantedComment: Hashable, Sendable {
  /// The text, in Markdown.
  package var body: String
  /// The comment begins with `beginning` and ends with `ending`. Later searches identify the comment by these texts.
  package var beginning: String
  package var ending: String
  /// The other endings of earlier versions of the comment.
  package var formerEndings: [String]
  /// Whether to add the comment if there is none. Otherwise, it only replaces an earlier comment.
  package var isNeeded: Bool

  package init(
    body: String, beginning: String, ending: String, formerEndings: [String] = [], isNeeded: Bool
  ) {
    self.body = body
    self.beginning = beginning
    self.ending = ending
    self.formerEndings = formerEndings
    self.isNeeded = isNeeded
  }

  /// Returns the comments that may be earlier versions of this one: first those with the present ending, then those with a former ending.
  fileprivate func candidates(in comments: [PullRequestComment]) -> [PullRequestComment] {
    func found(with endings: [String]) -> [PullRequestComment] {
      comments.filter { comment in
        let text = Self.text(comment.body)
        return text.hasPrefix(beginning) && endings.contains { text.hasSuffix($0) }
      }
    }
    return found(with: [ending]) + found(with: formerEndings)
  }

  /// Returns a text in the form in which texts are compared: with LF line ends and without white space at the end, because forges change
  /// both.
  fileprivate static func text(_ body: String) -> Substring {
    let unix = body.replacing("\r\n", with: "\n")
    guard let last = unix.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return unix[...last]
  }

  fileprivate func isSame(as body: String) -> Bool { Self.text(body) == Self.text(self.body) }
}

extension PullRequestComments {
  /// Ensures that a pull request has a comment of ours with this content. If there is no comment of ours, one is added only if
  /// `wanted.isNeeded`.
  ///
  /// The comment is searched for before it is added, and again if adding it fails: the server may have added it although its response was
  /// lost.
  /// - Returns: whether something was changed.
  /// - Throws: `PipelineError` if our comment may be among the comments that were not read. In that case, no second comment is added.
  package func ensure(_ wanted: WantedComment, on number: Int) async throws -> Bool {
    if let changed = try await change(wanted, on: number) { return changed }
    guard wanted.isNeeded else { return false }
    do { try await addComment(wanted.body, to: number) } catch {
      guard !Task.isCancelled, let comments = try? await comments(on: number),
        comments.comments.contains(where: { wanted.isSame(as: $0.body) })
      else { throw error }
    }
    return true
  }

  /// Changes our comment if its text differs.
  /// - Returns: whether our comment was changed; `nil` if no comment of ours was found, or none could be changed.
  private func change(_ wanted: WantedComment, on number: Int) async throws -> Bool? {
    let read = try await comments(on: number)
    let candidates = wanted.candidates(in: read.comments)
    // Someone may have copied our comment. The author cannot be used to identify our comment, because a token does not always reveal its
    // account.
    if candidates.contains(where: { wanted.isSame(as: $0.body) }) { return false }
    // The oldest comes first: a copy is always newer than our comment, and some tokens may change comments of others.
    for comment in candidates where try await changeComment(comment, to: wanted.body, on: number) {
      return true
    }
    guard read.isWhole || !wanted.isNeeded else {
      throw PipelineError(
        .refused, operation: "find our comment on pull request \(number)",
        detail: """
          it has more comments than the \(read.comments.count) that were read, and none of these is ours. Ours may be among the \
          others, so no new comment was added. Remove comments that are not needed, or open a new pull request
          """, disposition: .askPerson)
    }
    return nil
  }
}
