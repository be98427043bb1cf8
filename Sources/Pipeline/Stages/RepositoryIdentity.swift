import FoundationEssentials
import Localization

/// Detects a different repository than the one that the ledger is about, for example after a mistake in the pipeline file. Units at vendors
/// must not be withdrawn because of that.
struct RepositoryIdentity {
  /// How many of the strings that were sent last to look for.
  private static let newest = 200

  private let context: PipelineContext
  private var mirror: any RepositoryMirror { context.mirror }

  init(_ context: PipelineContext) { self.context = context }

  /// - Parameter known: the heads in the store.
  /// - Throws: if the branches share neither a commit with those watched before, nor most of their files, nor the strings that were sent last.
  ///   A rewritten history shares files or strings.
  func check(_ watched: [BranchHead], _ known: Set<BranchHead>) async throws {
    let before = Dictionary(known.map { ($0.name, $0.commit) }, uniquingKeysWith: { first, _ in first })
    let pairs = watched.compactMap { head in before[head.name].map { (old: $0, new: head.commit) } }
    guard !known.isEmpty, pairs.allSatisfy({ $0.old != $0.new }) else { return }
    let all = pairs.isEmpty ? known.flatMap { head in watched.map { (old: head.commit, new: $0.commit) } } : pairs
    var compared = 0
    for (old, new) in all {
      // A new mirror may not have the old commit, so these two cannot be compared.
      guard try await mirror.holds(old) else { continue }
      compared += 1
      guard try await mirror.mergeBase(old, new) == nil, try await sharesLittle(old, new) else { return }
    }
    if compared == 0, try await sharesDeliveries() { return }
    // If nothing was sent, and nothing can be compared, there is nothing to lose.
    if try await sharesStrings(watched) ?? (compared == 0) { return }
    throw PipelineError(
      .inconsistent, operation: "use \(context.definition.repository.url)",
      detail: "this looks like another repository: it shares neither commits nor \(compared > 0 ? "files" : "strings") "
        + "with the one that pipeline \(context.name) has watched so far. Correct repository.url, or rename the "
        + "pipeline to start new books",
      disposition: .askPerson)
  }

  /// Whether most files of the old commit were removed or moved.
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

  /// Whether the mirror has a commit for which translations were delivered.
  private func sharesDeliveries() async throws -> Bool {
    let deliveries = try await context.store.deliveries(of: context.name, since: .distantPast)
    for commit in Set(deliveries.flatMap { [$0.source, $0.base] }).sorted() where try await mirror.holds(commit) {
      return true
    }
    return false
  }

  /// Whether a branch has half of the strings that were sent last, in code or any catalog; `nil` if none was sent. With less, most units that
  /// are out would be withdrawn.
  private func sharesStrings(_ watched: [BranchHead]) async throws -> Bool? {
    let ledger = try await context.store.sentLedger(of: context.name, includingReturned: true)
    let keys = Set(ledger.sources.sorted { $0.id > $1.id }.prefix(Self.newest).map(\.unit.key))
    guard !keys.isEmpty else { return nil }
    for head in watched {
      guard let snapshot = try await context.snapshots.readable(head.commit) else { continue }
      let shared = keys.count { key in snapshot.synced.values.contains { $0.entries[key] != nil } }
      if shared * 2 >= keys.count { return true }
    }
    return false
  }
}
