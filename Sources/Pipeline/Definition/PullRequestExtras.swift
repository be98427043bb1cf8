/// The properties of a pull request in addition to its title and text. They are set once, after the pull request is opened. Changes that
/// people make later are kept.
package struct PullRequestExtras: Hashable, Sendable {
  package enum Merge: String, Hashable, Sendable, CaseIterable {
    case merge, squash, rebase
  }

  package var labels: [String]
  /// The reviewers' account names at the forge; on GitHub, Gitea and Forgejo also `team:NAME`.
  package var reviewers: [String]
  /// The way in which the forge merges the pull request automatically as soon as its rules allow it; `nil` if people merge it.
  package var merge: Merge?

  package init(labels: [String] = [], reviewers: [String] = [], merge: Merge? = nil) {
    self.labels = labels
    self.reviewers = reviewers
    self.merge = merge
  }

  package var isEmpty: Bool { labels.isEmpty && reviewers.isEmpty && merge == nil }

  /// The sentence in the text of a pull request whose extras are not set yet.
  static let pending = "Labels, reviewers and merging are being set."
  /// The sentence in the text of a pull request for which the forge cannot set automatic merging yet.
  static let mergePending = "Merging is set as soon as the forge allows it."

  /// Returns the extras that are not set yet.
  /// - Parameter body: the text of the pull request.
  func missing(in body: String) -> PullRequestExtras {
    if body.contains(Self.pending) { return self }
    return PullRequestExtras(merge: body.contains(Self.mergePending) ? merge : nil)
  }
}

/// The result of setting the extras of a pull request.
package struct AppliedExtras: Hashable, Sendable {
  /// Messages about the extras that the forge refused, with the forge's reasons. All other extras are set,
  /// except automatic merging if `mergingLater` has a reason.
  package var refused: [String]
  /// The forge's reason why it cannot set automatic merging yet; `nil` if it is set, refused or not wanted.
  package var mergingLater: String?

  package init(refused: [String] = [], mergingLater: String? = nil) {
    self.refused = refused
    self.mergingLater = mergingLater
  }
}

/// The operations of a forge that set the extras of pull requests and check pushes.
package protocol PullRequestOptions: Sendable {
  /// Sets the extras. Setting them again changes nothing.
  func apply(_ extras: PullRequestExtras, to number: Int) async throws -> AppliedExtras

  /// Returns the reason why a push to a branch would or may be refused; `nil` if no obstacle is known.
  func obstacle(toPushing branch: String) async throws -> String?
}

extension PullRequestOptions {
  package func obstacle(toPushing branch: String) async throws -> String? { nil }
}
