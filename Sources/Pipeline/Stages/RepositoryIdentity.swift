import FoundationEssentials
import Localization

/// Detects that the repository is not the repository that the ledger describes, for example after a mistake in the pipeline file. Such a
/// mistake must not cause units to be withdrawn from vendors.
struct RepositoryIdentity {
  /// The number of most recently sent strings to search for.
  private static let newest = 200

  private let context: PipelineContext
  private var mirror: any RepositoryMirror { context.mirror }

  init(_ context: PipelineContext) { self.context = context }

  /// Checks that the repository is the one that the ledger describes.
  /// - Parameters:
  ///   - watched: the branches whose commits become heads.
  ///   - branches: all branches of the remote.
  ///   - known: the heads in the store.
  /// - Throws: if the repository has no commit in common with the branches that were watched before, and does not have the strings that
  ///   were sent last. If hardly any strings were sent, the branches' files are compared instead of the strings. A repository whose history
  ///   was rewritten still has its strings and files. If the mirror is new, commits from which strings were sent, for which
  ///   translations were delivered, or that the history records count as watched before.
  func check(_ watched: [BranchHead], among branches: [BranchHead], _ known: Set<BranchHead>) async throws {
    let before = Dictionary(known.map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
    let pairs = watched.compactMap { head in before[head.name].map { (old: $0, new: head.commit) } }
    guard let former = known.map(\.commit).min(), pairs.allSatisfy({ $0.old != $0.new }) else { return }
    let all = pairs.isEmpty ? known.flatMap { head in watched.map { (old: head.commit, new: $0.commit) } } : pairs
    // A new mirror may not have the old commits, so they cannot be compared.
    var compared: [(old: CommitID, new: CommitID)] = []
    for pair in all where try await mirror.holds(pair.old) {
      if try await mirror.mergeBase(pair.old, pair.new) != nil { return }
      compared.append(pair)
    }
    for branch in branches {
      for old in Set(compared.map(\.old)) where try await mirror.mergeBase(old, branch.commit) != nil { return }
    }
    let ledger = try await context.store.sentLedger(of: context.name, includingReturned: true)
    if compared.isEmpty {
      if try await sharesCommits(of: ledger) { return }
      for head in watched where try await sharesHistory(of: head) { return }
    }
    // If files can be compared, fewer than 3 strings are not enough evidence.
    let sharesStrings = try await sharesStrings(of: ledger, watched, ifAtLeast: compared.isEmpty ? 1 : 3)
    let isSame = if let sharesStrings { sharesStrings } else { try await sharesFiles(compared) }
    guard !isSame else { return }
    throw PipelineError(
      .inconsistent, operation: "use \(context.definition.repository.url)",
      detail: "this looks like another repository: it shares neither commits nor strings with the one that pipeline "
        + "\(context.name) has watched so far. Correct repository.url, or rename the pipeline to start new books. If it is the "
        + "same repository with a rewritten history, push its former commit \(former.short) back as a branch until the next poll",
      disposition: .askPerson)
  }

  /// Returns whether a new commit has most of the files of an old commit, or there is nothing to compare.
  private func sharesFiles(_ pairs: [(old: CommitID, new: CommitID)]) async throws -> Bool {
    for (old, new) in pairs where try await !sharesLittle(old, new) { return true }
    return pairs.isEmpty
  }

  /// Returns whether most files of the old commit were removed or moved.
  private func sharesLittle(_ old: CommitID, _ new: CommitID) async throws -> Bool {
    let files = try await mirror.changes(from: nil, to: old).count
    let gone = try await mirror.changes(from: old, to: new).count {
      switch $0.kind {
      case .removed, .renamed: true
      case .added, .modified: false
      }
    }
    return gone * 2 > files
  }

  /// Returns whether the mirror has a commit from which strings were sent or for which translations were delivered.
  private func sharesCommits(of ledger: SentLedger) async throws -> Bool {
    let deliveries = try await context.store.deliveries(of: context.name, since: .distantPast)
    let commits = Set(ledger.sources.map(\.commit) + deliveries.flatMap { [$0.source, $0.base] })
    for commit in commits.sorted() where try await mirror.holds(commit) { return true }
    return false
  }

  /// Returns whether a commit of a branch is recorded in the history. A force-push can drop all commits from which strings were sent.
  private func sharesHistory(of head: BranchHead) async throws -> Bool {
    guard let history = context.history else { return false }
    let commits = try await mirror.history(of: head.commit, excluding: nil, limit: 1000).map(\.id)
    return try await !history.recorded(among: commits, of: context.name).isEmpty
  }

  /// Returns whether a branch has at least half of the strings that were sent last, in code or in any catalog. With fewer strings, most
  /// outstanding units would be withdrawn.
  /// - Returns: `nil` if no branch has so many of them and fewer than `least` strings were sent.
  private func sharesStrings(
    of ledger: SentLedger, _ watched: [BranchHead], ifAtLeast least: Int
  ) async throws -> Bool? {
    let keys = Set(ledger.sources.sorted { $0.id > $1.id }.prefix(Self.newest).map(\.unit.key))
    guard !keys.isEmpty else { return nil }
    for head in watched {
      guard let snapshot = try await context.snapshots.readable(head.commit) else { continue }
      let shared = keys.count { key in snapshot.synced.values.contains { $0.entries[key] != nil } }
      if shared * 2 >= keys.count { return true }
    }
    return keys.count < least ? nil : false
  }
}
