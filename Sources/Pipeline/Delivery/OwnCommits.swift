import FoundationEssentials
import Localization

/// Decides which commits of a delivery branch are ours. These are the commits in the ledger and, because the ledger may have been lost or
/// restored from a backup, the commits that meet all conditions of `proves`. A merge that is not in the ledger is never ours, because it
/// contains other people's work. See docs/decisions/0032-commits-without-a-ledger.md.
struct OwnCommits {
  private let context: PipelineContext
  private let delivered: Set<CommitID>
  /// The first parents of the commits in the ledger.
  private let parents: Set<CommitID>
  private var proven: [CommitID: Bool] = [:]

  init(_ context: PipelineContext) async throws {
    self.context = context
    let deliveries = try await context.store.deliveries(of: context.name, since: .distantPast)
    delivered = Set(deliveries.flatMap(\.commits))
    parents = Set(deliveries.flatMap { [$0.base] + $0.commits.dropLast() })
  }

  mutating func contains(_ info: CommitInfo) async throws -> Bool {
    if delivered.contains(info.id) { return true }
    if let known = proven[info.id] { return known }
    let isProven = try await proves(info)
    proven[info.id] = isProven
    return isProven
  }

  /// Returns whether a commit meets all conditions for being ours. The trailers alone are not sufficient: anybody can write them, and
  /// copies of our commits keep them.
  private func proves(_ info: CommitInfo) async throws -> Bool {
    // Condition 1: the commit has our trailers, and all their rounds are rounds of this pipeline.
    guard let trailers = CommitTrailers(message: info.message), trailers.rounds.allSatisfy(isRound) else {
      return false
    }
    // Condition 2: we are author and committer, in the same second. When a person amends, rebases or picks a commit, git records this
    // person as the committer, with the time of the change.
    let deliver = context.definition.deliver
    let author = info.author
    guard author == info.committer, author.name == deliver.authorName, author.email == deliver.authorEmail else {
      return false
    }
    // Condition 3: the commit has one parent, and the ledger has no other commit of ours with this parent.
    guard info.parents.count == 1, let parent = info.parents.first, !parents.contains(parent) else { return false }
    // Condition 4: the commit is a descendant of the commit for which it was made.
    guard try await context.mirror.isAncestor(trailers.source, of: parent) else { return false }
    // Condition 5: the commit changes only catalogs and Xcode project files, whose languages a delivery may change.
    let changes = try await context.mirror.changes(from: parent, to: info.id)
    return !changes.isEmpty
      && changes.allSatisfy { context.formats($0.path) != nil || $0.path.name == "project.pbxproj" }
  }

  private func isRound(_ text: String) -> Bool {
    text.hasPrefix(context.name + "/") && Int(text.dropFirst(context.name.count + 1)) != nil
  }
}

extension PipelineContext {
  /// Returns up to 1000 commits of a delivery branch that are neither in the ledger nor on the watched branch, including ancestors of our
  /// commits. These are people's commits, and also our own commits if the ledger was lost.
  /// - Parameter tip: the newest commit of the delivery branch `target`.
  func unknownCommits(on tip: CommitID, of target: String, lackedBy head: CommitID) async throws -> [CommitInfo] {
    let own = try await store.ownCommits(of: name, target: target)
    return try await mirror.history(of: tip, excluding: head, limit: 1000).filter { !own.contains($0.id) }
  }

  /// Returns whether the message of a commit indicates that it contains a delivery of this pipeline: it has the trailers of our commits,
  /// which rebasing and squashing keep, it has our pull request's title, or it names us as a co-author. Anybody can write such a message.
  /// - Parameter branch: the watched branch that has the commit.
  func saysDelivery(_ info: CommitInfo, to branch: String) -> Bool {
    info.message.contains("L10n-Round: \(name)/") || info.message.contains(ProposedContent.titleBeginning(for: branch))
      || info.message.contains("Co-authored-by: \(definition.deliver.authorName) <")
  }
}
