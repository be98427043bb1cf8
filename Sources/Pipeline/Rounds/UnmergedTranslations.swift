import Localization

/// Finds translations on an unmerged delivery branch that are not in the ledger: they were added by a person, or by Dragoman before the
/// ledger was lost.
struct UnmergedTranslations {
  private let heads: [WatchedHead]
  private let context: PipelineContext

  init(heads: [WatchedHead], _ context: PipelineContext) {
    self.heads = heads
    self.context = context
  }

  /// Returns the candidates except those that are translated on a delivery branch with commits that are not in the ledger.
  func without(_ candidates: [RoundPlanner.Candidate]) async throws -> [RoundPlanner.Candidate] {
    guard context.definition.deliver.mode != .push, !candidates.isEmpty else { return candidates }
    let branches = try await context.mirror.branches()
    var waiting: [Int: Snapshot] = [:]
    for number in Set(candidates.map(\.head)).sorted() {
      let run = heads[number].run
      let target = context.definition.deliver.target(for: run.branch)
      guard let tip = branches.first(where: { $0.name == target })?.commit,
        try await !context.unknownCommits(on: tip, of: target, lackedBy: run.commit).isEmpty
      else { continue }
      waiting[number] = try await context.snapshots.snapshot(of: tip)
    }
    return candidates.filter { candidate in
      guard let catalog = waiting[candidate.head]?.synced[candidate.unit.catalog],
        catalog.pin(of: candidate.unit.key) == candidate.pin, let entry = catalog.entries[candidate.unit.key]
      else { return true }
      // A translation that the head also has is outdated. Otherwise, the unit would not be a candidate.
      let standing = heads[candidate.head].snapshot?.synced[candidate.unit.catalog]?.entries[candidate.unit.key]
      guard entry.translations[candidate.language] != standing?.translations[candidate.language] else { return true }
      return Completion.state(
        of: entry.translations[candidate.language], in: candidate.language, machineTranslatedCounts: true)
        != .translated
    }
  }
}
