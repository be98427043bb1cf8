import FoundationEssentials
import Localization

/// Reads the branches of the repository and records the newest commits of the watched branches as the pipeline's heads.
package enum WatchStage {
  package struct Look: Sendable {
    package var branches: [BranchHead]
    /// The heads in the store after the look.
    package var heads: Set<BranchHead>
    /// The number of watched branches.
    package var watched: Int
    /// The number of watched branches that are new, were removed, or are at another commit.
    package var moved: Int
    /// The number of watched branches that are new or are at another commit.
    package var withNewCommit = 0
    /// The new commit of one of these branches; `nil` if no branch has a new commit.
    package var newCommit: CommitID?
  }

  /// Refreshes the mirror, retires the pull requests into branches that are no longer watched, and records the newest commits of the watched
  /// branches as heads.
  /// - Parameter previous: the last look. If the remote has not changed since that look, the store is not read.
  /// - Throws: an error if the repository cannot be reached, is empty, is not the repository that was watched before, or has no branch that
  ///   the pipeline watches, or if another process updated the ledger at the same time.
  package static func look(_ context: PipelineContext, previous: Look?) async throws -> Look {
    let definition = context.definition
    var known = previous?.heads ?? []
    // The store is read before the remote: if another process reads the remote in between, this older result must not overwrite its newer
    // result.
    if previous == nil { known = Set(try await context.store.heads(of: context.name).map(BranchHead.init)) }
    let branches = try await context.mirror.refresh()
    if let previous, previous.branches == branches {
      return Look(branches: branches, heads: known, watched: previous.watched, moved: 0)
    }
    let standard = try await context.mirror.defaultBranch()
    let watched = branches.filter { definition.watches($0.name, defaultBranch: standard) }
    guard !watched.isEmpty else { throw nothingToWatch(definition, branches, standard) }
    try await RepositoryIdentity(context).check(watched, among: branches, known)
    let names = Set(watched.map(\.name))
    try await FormerTargets.retire(
      pullRequestsInto: Set(known.map(\.name)).subtracting(names), whileWatching: names, context)
    guard try await context.store.adopt(watched, of: context.name, over: known) != nil else {
      guard previous != nil else {
        throw PipelineError(
          .moved, operation: "read \(definition.repository.url)",
          detail: "another process updated the ledger at the same time; Dragoman retries", disposition: .retry)
      }
      return try await look(context, previous: nil)
    }
    let moved = Set(known.symmetricDifference(watched).map(\.name)).count
    let new = watched.filter { !known.contains($0) }
    return Look(
      branches: branches, heads: Set(watched), watched: watched.count, moved: moved, withNewCommit: new.count,
      newCommit: new.first?.commit)
  }

  private static func nothingToWatch(
    _ definition: PipelineDefinition, _ branches: [BranchHead], _ standard: String?
  ) -> PipelineError {
    func fault(_ detail: String) -> PipelineError {
      PipelineError(
        .notFound, operation: "read \(definition.repository.url)", detail: detail, disposition: .askPerson)
    }
    func some(_ names: [String]) -> String {
      names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
    }
    guard !branches.isEmpty else { return fault("the repository has no branches yet; push a commit first") }
    let excluded = definition.excludedByDelivery(among: branches.map(\.name), defaultBranch: standard)
    guard excluded.isEmpty else {
      return fault(
        "no branch is watched: deliver.branch (\(definition.deliver.branch)) includes \(some(excluded)). Set another "
          + "deliver.branch, such as l10n/{branch}")
    }
    let patterns = definition.repository.branches.map(\.text).joined(separator: ", ")
    let what = patterns.isEmpty ? "its default branch does not exist" : "no branch matches \(patterns)"
    return fault("\(what); it has \(some(branches.map(\.name)))")
  }
}
