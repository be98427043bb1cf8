/// A pull request as the forge describes it.
package struct PullRequest: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    case open, merged
    /// Closed without a merge. Dragoman closes no pull requests, so a person or another program did.
    case closed
  }

  /// The number in the pull request's URL.
  package var number: Int
  /// The address of its page, for people.
  package var url: String
  package var state: State
  /// The newest commit of the head branch that the pull request has seen.
  package var head: CommitID
  package var title: String
  /// Markdown.
  package var body: String

  package init(number: Int, url: String, state: State, head: CommitID, title: String, body: String) {
    self.number = number
    self.url = url
    self.state = state
    self.head = head
    self.title = title
    self.body = body
  }
}

/// The pull request that a pipeline wants for a delivery branch.
package struct WantedPullRequest: Hashable, Sendable {
  /// The delivery branch, without `refs/heads/`.
  package var branch: String
  /// The branch that receives the merge, without `refs/heads/`.
  package var base: String
  /// The commit of the delivery branch. It must be pushed already.
  package var tip: CommitID
  package var title: String
  /// Markdown.
  package var body: String
  package var isDraft: Bool

  package init(
    branch: String, base: String, tip: CommitID, title: String, body: String, isDraft: Bool = false
  ) {
    self.branch = branch
    self.base = base
    self.tip = tip
    self.title = title
    self.body = body
    self.isDraft = isDraft
  }
}

/// A repository on a server with pull requests.
package protocol Forge: Sendable {
  /// Returns the open pull request for these branches, or otherwise the newest one in any state; `nil` if there was never one.
  func pullRequest(from branch: String, into base: String) async throws -> PullRequest?

  /// Opens a pull request. Never sent twice: if the answer is lost, look the pull request up before the next attempt.
  func open(_ wanted: WantedPullRequest) async throws -> PullRequest

  /// Sets title and body of an open pull request.
  func update(_ pullRequest: PullRequest, title: String, body: String) async throws -> PullRequest
}

/// What has to be done so that the forge has the wanted pull request.
package enum PullRequestStep: Hashable, Sendable {
  case open
  case update(PullRequest)
  /// Title and body are as wanted.
  case keep(PullRequest)
  /// A person closed it, and the delivery branch has had nothing new since.
  case leaveClosed(PullRequest)
  /// The forge merged this very commit.
  case leaveMerged(PullRequest)

  /// | the newest pull request | step |
  /// | --- | --- |
  /// | none | open |
  /// | open, with another title or body | update |
  /// | open | keep |
  /// | merged or closed at the wanted commit | leave it |
  /// | merged or closed at another commit | open a new one |
  package init(found: PullRequest?, wanted: WantedPullRequest) {
    guard let found else {
      self = .open
      return
    }
    switch found.state {
    case .open:
      let isSame = Self.text(found.title) == Self.text(wanted.title) && Self.text(found.body) == Self.text(wanted.body)
      self = isSame ? .keep(found) : .update(found)
    case .merged: self = found.head == wanted.tip ? .leaveMerged(found) : .open
    case .closed: self = found.head == wanted.tip ? .leaveClosed(found) : .open
    }
  }

  /// Forges change line ends, and remove space at the end.
  private static func text(_ text: String) -> Substring {
    let unix = text.replacing("\r\n", with: "\n")
    guard let last = unix.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return unix[...last]
  }
}

extension Forge {
  /// Does what is missing so that the forge has the wanted pull request, and returns what it has.
  ///
  /// The pull request is looked up before it is opened, and again if opening it fails: the server may have opened it although its answer
  /// was lost, or another process may have been faster.
  /// - Throws: the error of opening if no open pull request is found afterwards.
  package func ensure(_ wanted: WantedPullRequest) async throws -> PullRequest {
    switch PullRequestStep(found: try await pullRequest(from: wanted.branch, into: wanted.base), wanted: wanted) {
    case .keep(let found), .leaveClosed(let found), .leaveMerged(let found): return found
    case .update(let found): return try await update(found, title: wanted.title, body: wanted.body)
    case .open:
      let fault: any Error
      do { return try await open(wanted) } catch { fault = error }
      guard !Task.isCancelled, let found = try? await pullRequest(from: wanted.branch, into: wanted.base),
        found.state == .open
      else { throw fault }
      guard case .update = PullRequestStep(found: found, wanted: wanted) else { return found }
      return try await update(found, title: wanted.title, body: wanted.body)
    }
  }
}
