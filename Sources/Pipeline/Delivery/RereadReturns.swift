import Localization

/// Finds the translations of a watched branch that are returns for other source texts, if the returns are new to the ledger. This happens
/// when the ledger was lost or restored from a backup, and the vendor's bundles are read again. In the meantime, the source text changed,
/// and the delivery was merged together with the new text. After a squash, git does not show that the delivery was merged.
///
/// If the ledger has the returns, `OutdatedSearch` finds such translations when the branch is compared.
struct RereadReturns {
  private struct Suspect {
    var row: OutdatedTranslation
    var present: Translation
  }

  let head: Run
  let renames: [TreePath: TreePath]
  var limits = HistoryLimits()
  let context: PipelineContext

  /// Finds, after a review, the translations of the branch that are returns for other source texts.
  /// - Parameters:
  ///   - units: the returned units of the branch.
  ///   - outcomes: the outcomes of their review. A unit whose source text is only on another branch has no outcome.
  /// - Returns: the outdated translations that are not in the ledger.
  func outdated(
    among units: [ReturnedUnit], after outcomes: [BranchOutcome]
  ) async throws -> Set<OutdatedTranslation> {
    // Units with an earlier outcome are already known. Held units are excluded, because a person may have entered the text of a held
    // return.
    let states = Dictionary(outcomes.map { ($0.returnedUnit, $0.state) }) { first, _ in first }
    let new = units.filter { $0.outcome == nil && [.settled, nil].contains(states[$0.id]) }
    guard !new.isEmpty else { return [] }
    let snapshot = try await context.snapshots.snapshot(of: head.commit)
    let settled = new.filter { $0.pin != nil && states[$0.id] == .settled }.compactMap { suspect($0, in: snapshot) }
    // These suspects need more evidence: a person may have written the same text as the vendor, for this branch's source text.
    let others = new.filter { $0.pin == nil || states[$0.id] == nil }.compactMap { suspect($0, in: snapshot) }
    let found = try await withoutAnswers(settled + (try await delivered(others, in: snapshot)))
    return found.isEmpty ? [] : found.subtracting(try await context.store.outdatedTranslations(of: context.name))
  }

  /// Returns a unit's translation on the branch if it is the returned text, but has another source text than the return.
  /// - Returns: `nil` if the branch has another text, or has this text with the source text that was sent.
  private func suspect(_ unit: ReturnedUnit, in snapshot: Snapshot) -> Suspect? {
    let name = renames.name(of: unit.unit, in: snapshot)
    guard let catalog = snapshot.synced[name.catalog], let pin = catalog.pin(of: name.key),
      let origin = unit.pin ?? unit.pinOfSource(for: name.key, in: catalog), pin != origin,
      let present = catalog.entries[name.key]?.translations[unit.language], present.isFinished,
      unit.isWordForWord(present)
    else { return nil }
    return Suspect(
      row: OutdatedTranslation(
        unit: name, pin: pin, origin: origin, language: unit.language, translation: present.digest),
      present: present)
  }

  /// Returns the suspects that reached the branch with a commit whose message indicates a delivery of ours.
  private func delivered(_ suspects: [Suspect], in snapshot: Snapshot) async throws -> [Suspect] {
    guard !suspects.isEmpty else { return [] }
    let history = try await context.mirror.history(of: head.commit, excluding: nil, limit: limits.commits)
    let commits = Dictionary(history.map { ($0.id, $0) }) { first, _ in first }
    var found: [Suspect] = []
    let catalogs = Dictionary(grouping: suspects, by: \.row.unit.catalog)
    for (path, suspects) in catalogs.sorted(by: { $0.key < $1.key }) {
      try Task.checkCancellation()
      let keys = Set(suspects.map(\.row.unit.key))
      guard
        var versions = CatalogVersions(
          of: path, in: snapshot, Set(suspects.map(\.row.language)), keys, renames, limit: limits.readings, context)
      else { continue }
      for suspect in suspects {
        guard let commit = try await commit(thatBrought: suspect, in: commits, &versions) else { continue }
        if context.saysDelivery(commit, to: head.branch) { found.append(suspect) }
      }
    }
    return found
  }

  /// Returns the commit that added a translation. Walks back from the head as long as a parent has the translation.
  /// - Returns: `nil` if the limits are reached, or if the catalog cannot be read.
  private func commit(
    thatBrought suspect: Suspect, in commits: [CommitID: CommitInfo], _ versions: inout CatalogVersions<Catalog>
  ) async throws -> CommitInfo? {
    var place = head.commit
    while let info = commits[place] {
      var next: CommitID?
      for parent in info.parents where next == nil {
        switch try await versions.version(at: parent) {
        case .unknown: return nil
        case .absent: continue
        case .read(let version):
          let entry = versions.contents[version].entries[suspect.row.unit.key]
          if entry?.translations[suspect.row.language] == suspect.present { next = parent }
        }
      }
      guard let next else { return info }
      place = next
    }
    return nil
  }

  /// Leaves out suspects that a vendor also returned for the current source text.
  private func withoutAnswers(_ suspects: [Suspect]) async throws -> Set<OutdatedTranslation> {
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

extension ReturnedUnit {
  /// Returns the pin of the source text of a returned unit that was never sent; `nil` if this text or the current source text has variations,
  /// if both are equal, or if the catalog does not have the key.
  fileprivate func pinOfSource(for key: UnitKey, in catalog: Catalog) -> PinDigest? {
    guard units.count == 1, let unit = units.first, unit.path.isRoot, case .text(let text) = unit.source?.comparable,
      var entry = catalog.entries[key]
    else { return nil }
    let present = SourceForms(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage).translation
    // White space and the numbers of arguments can change in transit.
    guard case .text(let now) = present.text, present.substitutions.isEmpty,
      !ExchangeText.text(now.value).comparable.isExactly(.text(text))
    else { return nil }
    entry.translations[catalog.sourceLanguage] = Translation(text)
    return PinDigest(SourcePin(key: key, entry: entry, sourceLanguage: catalog.sourceLanguage))
  }
}
