import FoundationEssentials
import Localization

/// Looks at the repository and makes the commits of the watched branches the pipeline's heads.
package enum WatchStage {
  package struct Look: Sendable {
    package var branches: [BranchHead]
    /// The heads in the store after the look.
    package var heads: Set<BranchHead>
    /// The number of watched branches.
    package var watched: Int
    /// The number of watched branches that are new, removed, or at another commit.
    package var moved: Int
    /// The commit of one of these branches; `nil` if all that moved were removed.
    package var newCommit: CommitID?
  }

  /// - Parameter previous: the last look. If the remote has not changed since, the store is not read.
  /// - Throws: if the repository cannot be reached, is empty, is a different one than before, or has no branch that the pipeline watches.
  package static func look(_ context: PipelineContext, previous: Look?) async throws -> Look {
    let definition = context.definition
    var known = previous?.heads ?? []
    // Reads the store before the remote: if another process looks in between, this older answer must not overwrite its result.
    if previous == nil { known = Set(try await context.store.heads(of: context.name).map(BranchHead.init)) }
    let branches = try await context.mirror.refresh()
    if let previous, previous.branches == branches {
      return Look(branches: branches, heads: known, watched: previous.watched, moved: 0)
    }
    let standard = try await context.mirror.defaultBranch()
    let watched = branches.filter { definition.watches($0.name, defaultBranch: standard) }
    guard !watched.isEmpty else { throw nothingToWatch(definition, branches: branches) }
    try await checkIdentity(watched, known, context)
    guard try await context.store.adopt(watched, of: context.name, over: known) != nil else {
      guard previous != nil else {
        throw PipelineError(
          .moved, operation: "read \(definition.repository.url)",
          detail: "another process updated the ledger at the same time; Dragoman retries", disposition: .retry)
      }
      return try await look(context, previous: nil)
    }
    let moved = Set(known.symmetricDifference(watched).map(\.name)).count
    return Look(
      branches: branches, heads: Set(watched), watched: watched.count, moved: moved,
      newCommit: watched.first { !known.contains($0) }?.commit)
  }

  /// Detects a different repository at the same URL, for example after a mistake in the pipeline file: its branches share neither a
  /// commit nor most of their files with the branches watched before. Units at vendors must not be withdrawn because of that. A rewritten
  /// history still has most of its files.
  private static func checkIdentity(
    _ watched: [BranchHead], _ known: Set<BranchHead>, _ context: PipelineContext
  ) async throws {
    let before = Dictionary(known.map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
    let pairs = watched.compactMap { head in before[head.name].map { (old: $0, new: head.commit) } }
    guard !known.isEmpty, pairs.allSatisfy({ $0.old != $0.new }) else { return }
    let all = pairs.isEmpty ? known.flatMap { head in watched.map { (old: head.commit, new: $0.commit) } } : pairs
    var compared = 0
    for (old, new) in all {
      // A new mirror may not have the old commit, so these two cannot be compared.
      guard try await context.mirror.holds(old) else { continue }
      compared += 1
      guard try await context.mirror.mergeBase(old, new) == nil, try await sharesLittle(old, new, context) else {
        return
      }
    }
    guard compared > 0 else { return }
    throw PipelineError(
      .inconsistent, operation: "use \(context.definition.repository.url)",
      detail: "this looks like another repository: it shares neither commits nor files with the one that pipeline "
        + "\(context.name) has watched so far. Correct repository.url, or rename the pipeline to start new books",
      disposition: .askPerson)
  }

  /// Whether most files of the old commit were removed or moved.
  private static func sharesLittle(_ old: CommitID, _ new: CommitID, _ context: PipelineContext) async throws -> Bool {
    let files = try await context.mirror.changes(from: nil, to: old).count
    let gone = try await context.mirror.changes(from: old, to: new).count {
      switch $0.kind {
      case .removed, .renamed: true
      case .added, .modified: false
      }
    }
    return gone * 2 > files
  }

  private static func nothingToWatch(_ definition: PipelineDefinition, branches: [BranchHead]) -> PipelineError {
    let operation = "read \(definition.repository.url)"
    guard !branches.isEmpty else {
      return PipelineError(
        .notFound, operation: operation, detail: "the repository has no branch yet; push a commit first",
        disposition: .askPerson)
    }
    let patterns = definition.repository.branches.map(\.text).joined(separator: ", ")
    let names = branches.prefix(5).map(\.name).joined(separator: ", ")
    let what = patterns.isEmpty ? "its default branch does not exist" : "no branch matches \(patterns)"
    return PipelineError(
      .notFound, operation: operation, detail: "\(what); it has \(names)\(branches.count > 5 ? ", …" : "")",
      disposition: .askPerson)
  }
}
