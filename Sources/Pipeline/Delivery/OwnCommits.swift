import FoundationEssentials
import Localization

/// Says which commits of a delivery branch are ours: those of the ledger, and those that prove it themselves because the ledger was lost or
/// restored from a backup. Never a merge: it has the work of others. See docs/decisions/0032-commits-without-a-ledger.md.
struct OwnCommits {
  private let context: PipelineContext
  private let delivered: Set<CommitID>
  /// The first parents of the commits that the ledger has.
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

  /// Anybody can write our trailers, and copies of our commits keep them. All of this is true of a commit that we made:
  private func proves(_ info: CommitInfo) async throws -> Bool {
    // The trailers are those of this pipeline.
    guard let trailers = CommitTrailers(message: info.message), trailers.rounds.allSatisfy(isRound) else {
      return false
    }
    // We wrote and committed it in the same second. Git notes who changed a message, amended, rebased or picked a commit, and when.
    let deliver = context.definition.deliver
    let author = info.author
    guard author == info.committer, author.name == deliver.authorName, author.email == deliver.authorEmail else {
      return false
    }
    // The ledger would have it: it has the commit that we made at this place.
    guard info.parents.count == 1, let parent = info.parents.first, !parents.contains(parent) else { return false }
    // It follows the commit for which it was made.
    guard try await context.mirror.isAncestor(trailers.source, of: parent) else { return false }
    // We change catalogs, and list new languages in Xcode's projects.
    let changes = try await context.mirror.changes(from: parent, to: info.id)
    return !changes.isEmpty
      && changes.allSatisfy { context.formats($0.path) != nil || $0.path.name == "project.pbxproj" }
  }

  private func isRound(_ text: String) -> Bool {
    text.hasPrefix(context.name + "/") && Int(text.dropFirst(context.name.count + 1)) != nil
  }
}

extension PipelineContext {
  /// The commits of a delivery branch that the ledger does not have, also below ours, and that the watched branch lacks: those of people, and
  /// ours if the ledger was lost.
  /// - Parameter tip: of the delivery branch `target`.
  func unknownCommits(on tip: CommitID, of target: String, lackedBy head: CommitID) async throws -> [CommitInfo] {
    let own = try await store.ownCommits(of: name, target: target)
    return try await mirror.history(of: tip, excluding: head, limit: 1000).filter { !own.contains($0.id) }
  }

  /// Whether the message of a commit says that a delivery of this pipeline came with it: by the trailers of our commits, which rebasing and
  /// squashing keep, by our pull request's title, or by us as co-author. Anybody can write these.
  /// - Parameter branch: the watched branch that has the commit.
  func saysDelivery(_ info: CommitInfo, to branch: String) -> Bool {
    info.message.contains("L10n-Round: \(name)/") || info.message.contains(ProposedContent.titleBeginning(for: branch))
      || info.message.contains("Co-authored-by: \(definition.deliver.authorName) <")
  }
}
