/// The limits and rules in which forges differ. The defaults hold for most forges.
///
/// The traits are one value. Otherwise, a type that wraps a forge could forward some of them and forget the others.
package struct ForgeTraits: Hashable, Sendable {
  /// The maximum length of a pull request's body, in UTF-16 code units. Azure DevOps and Bitbucket Data Center count these units; servers
  /// that count characters allow at least as much.
  package var bodyLimit: Int

  /// The maximum length of a pull request's title, in UTF-16 code units, without the mark of a draft. The default fits the limits of most
  /// forges, which are 255 or 256 characters.
  package var titleLimit: Int

  /// Whether the title and body of a merged pull request can be changed.
  package var changesTextOfMerged: Bool

  /// Whether a commit has its own statuses on each branch. On most forges, branches at the same commit share its statuses.
  package var keepsStatusesByBranch: Bool

  package init(
    bodyLimit: Int = 60_000, titleLimit: Int = 240, changesTextOfMerged: Bool = true,
    keepsStatusesByBranch: Bool = false
  ) {
    self.bodyLimit = bodyLimit
    self.titleLimit = titleLimit
    self.changesTextOfMerged = changesTextOfMerged
    self.keepsStatusesByBranch = keepsStatusesByBranch
  }
}
