package import Localization

/// A pull request as the forge describes it.
package struct PullRequest: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case open, merged
    /// The forge is merging the pull request. It will soon be merged or open again.
    case merging
    /// The pull request was closed without a merge. Dragoman never closes pull requests, so a person or another program closed it.
    case closed
  }

  /// The number in the pull request's URL.
  package var number: Int
  /// The address of the pull request's page, for people.
  package var url: String
  package var state: State
  /// The newest commit of the head branch that the forge has seen. Some forges report only its first digits, or nothing.
  package var head: CommitID
  package var title: String
  /// The text, in Markdown.
  package var body: String
  /// Whether the pull request is a draft, on forges that mark drafts in the title; `false` on other forges. `title` does not include the
  /// mark.
  package var isDraft: Bool

  package init(
    number: Int, url: String, state: State, head: CommitID, title: String, body: String, isDraft: Bool = false
  ) {
    self.number = number
    self.url = url
    self.state = state
    self.head = head
    self.title = title
    self.body = body
    self.isDraft = isDraft
  }
}

extension PullRequest {
  /// Returns whether a commit is the newest commit of the pull request; `false` if the forge reports fewer than 4 digits of the newest
  /// commit.
  func isAt(_ commit: CommitID) -> Bool { head.rawValue.count >= 4 && commit.rawValue.hasPrefix(head.rawValue) }

  /// Returns whether the body contains a mark.
  package func bears(_ mark: String) -> Bool { !mark.isEmpty && body.contains(mark) }

  /// Returns whether the pull request was proposed with this content. A person may have removed the mark from its text.
  func has(_ content: ProposedContent) -> Bool { number == content.number || bears(content.mark) }
}

/// The pull request that a delivery branch should have.
package struct WantedPullRequest: Hashable, Sendable {
  /// The delivery branch, without `refs/heads/`.
  package var branch: String
  /// The branch that receives the merge, without `refs/heads/`.
  package var base: String
  /// The commit of the delivery branch. It must already be pushed.
  package var tip: CommitID
  package var title: String
  /// The text, in Markdown.
  package var body: String
  /// The body begins with `beginning`; its last line begins with `lastLine` and ends with `ending`. These three texts locate our part of a
  /// description that people have extended. If they are empty, the whole description is ours.
  package var beginning: String
  package var lastLine: String
  package var ending: String
  /// A text in the last line of the body that identifies the proposed content, regardless of the commit.
  package var mark: String
  /// The number of an earlier pull request that had all of the proposed content. If a person closed that pull request, no new one is
  /// opened, even if its text no longer contains the mark.
  package var earlier: Int?
  /// The number of a pull request that may have been closed while the pipeline did not deliver to the branch. If this pull request is the
  /// newest and is closed, a new one is opened.
  package var retired: Int?
  package var isDraft: Bool
  package var extras: PullRequestExtras

  package init(
    branch: String, base: String, tip: CommitID, title: String, body: String, beginning: String = "",
    lastLine: String = "", ending: String = "", mark: String = "", earlier: Int? = nil,
    retired: Int? = nil, isDraft: Bool = false, extras: PullRequestExtras = PullRequestExtras()
  ) {
    self.branch = branch
    self.base = base
    self.tip = tip
    self.title = title
    self.body = body
    self.beginning = beginning
    self.lastLine = lastLine
    self.ending = ending
    self.mark = mark
    self.earlier = earlier
    self.retired = retired
    self.isDraft = isDraft
    self.extras = extras
  }

  /// The pull request as it is first opened. If it has extras, the body also contains a sentence for people, which states that the extras
  /// are not set yet.
  var opening: WantedPullRequest {
    guard !extras.isEmpty else { return self }
    var opening = self
    opening.body += "\n\(PullRequestExtras.pending)\n"
    return opening
  }
}

/// Dragoman's status of a commit, shown next to the results of builds.
package struct CommitStatus: Hashable, Sendable {
  /// The name, such as `l10n/completeness`. A status replaces an earlier status with the same name.
  package var name: String
  package var isGood: Bool
  /// A line of at most `textLimit` characters.
  package var text: String
  /// The locations of the reasons for the status in the commit's files, for forges that can show them. At most `annotationLimit`.
  package var annotations: [StatusAnnotation]

  package static let annotationLimit = 200
  /// The maximum length of a status's text, in characters. It is GitHub's limit.
  package static let textLimit = 140

  package init(name: String, isGood: Bool, text: String, annotations: [StatusAnnotation] = []) {
    self.name = name
    self.isGood = isGood
    self.text = text.count > Self.textLimit ? text.prefix(Self.textLimit - 1) + "…" : text
    self.annotations = Array(annotations.prefix(Self.annotationLimit))
  }
}

/// A reason for a status, at a line of a file in the commit.
package struct StatusAnnotation: Hashable, Sendable {
  package var path: TreePath
  package var line: Int
  /// The text, with at most 500 characters.
  package var text: String

  package init(path: TreePath, line: Int, text: String) {
    self.path = path
    self.line = line
    self.text = text.count > 500 ? text.prefix(499) + "…" : text
  }
}

/// A repository on a server with pull requests.
package protocol Forge: PullRequestComments, PullRequestOptions {
  var traits: ForgeTraits { get }

  /// Returns the open pull request for these branches, or the newest closed or merged pull request if none is open; `nil` if there was
  /// never a pull request.
  func pullRequest(from branch: String, into base: String) async throws -> PullRequest?

  /// Opens a pull request. The request is never repeated automatically: if the response is lost, look for the pull request before the next
  /// attempt.
  func open(_ wanted: WantedPullRequest) async throws -> PullRequest

  /// Sets the title and body of a pull request that is open or, with ``ForgeTraits/changesTextOfMerged``, merged.
  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest

  /// Sets a status of a commit. Setting the same status again changes nothing.
  /// - Parameter branch: the branch that has the commit at its tip.
  func set(_ status: CommitStatus, of commit: CommitID, on branch: String) async throws
}
