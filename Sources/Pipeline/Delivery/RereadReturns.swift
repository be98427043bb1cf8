import Localization

/// Finds the translations of a watched branch that are returns for other source texts, where the ledger sees the returns only now: it was
/// restored from a backup, and the vendor's bundles are read again. Meanwhile the source text changed, and the delivery was merged beside
/// the new one. After a squash, git does not show this.
///
/// A ledger that has the returns finds such translations when it compares the branch (`OutdatedSearch`).
enum RereadReturns {
  private struct Suspect {
    var row: OutdatedTranslation
    var present: Translation
  }

  /// - Parameters:
  ///   - units: those that were reviewed.
  ///   - outcomes: of the review.
  static func outdated(
    among units: [ReturnedUnit], after outcomes: [BranchOutcome], of head: Run, _ renames: [TreePath: TreePath],
    _ context: PipelineContext
  ) async throws -> Set<OutdatedTranslation> {
    let settled = Set(outcomes.lazy.filter { $0.state == .settled }.map(\.returnedUnit))
    // What was reviewed before is known. A person may have entered the text of a held return.
    let new = units.filter { $0.outcome == nil && settled.contains($0.id) && $0.pin != nil }
    guard !new.isEmpty else { return [] }
    let snapshot = try await context.snapshots.snapshot(of: head.commit)
    return try await withoutAnswers(new.compactMap { suspect($0, in: snapshot, renames) }, renames, context)
  }

  /// - Returns: `nil` if the branch has other words, or has them beside the source text that was sent.
  private static func suspect(
    _ unit: ReturnedUnit, in snapshot: Snapshot, _ renames: [TreePath: TreePath]
  ) -> Suspect? {
    let name = renames.name(of: unit.unit, in: snapshot)
    guard let origin = unit.pin, let catalog = snapshot.synced[name.catalog],
      let pin = catalog.pin(of: name.key), pin != origin,
      let present = catalog.entries[name.key]?.translations[unit.language], present.isFinished,
      unit.isWordForWord(present)
    else { return nil }
    return Suspect(
      row: OutdatedTranslation(
        unit: name, pin: pin, origin: origin, language: unit.language, translation: present.digest),
      present: present)
  }

  /// Leaves out those that a vendor returned for the present source text, too.
  private static func withoutAnswers(
    _ suspects: [Suspect], _ renames: [TreePath: TreePath], _ context: PipelineContext
  ) async throws -> Set<OutdatedTranslation> {
    guard !suspects.isEmpty else { return [] }
    let ledger = try await context.store.sentLedger(of: context.name, includingReturned: false)
    let sources = SentSources(of: suspects.map(\.row.unit), in: ledger, renames: renames)
    let own = suspects.map { suspect in Set(sources[suspect.row.unit].filter { $0.pin == suspect.row.pin }.map(\.id)) }
    let ids = own.reduce(into: Set()) { $0.formUnion($1) }
    let returns = ids.isEmpty ? [] : try await context.store.earlierReturns(of: context.name, for: ids.sorted())
    return Set(
      zip(suspects, own).lazy.filter { suspect, own in
        !returns.contains {
          own.contains($0.source) && $0.language == suspect.row.language && $0.hasWords(of: suspect.present)
        }
      }.map(\.0.row))
  }
}
